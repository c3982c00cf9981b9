#!/bin/bash
# What an app on DIContainer alone loads, how long it takes to start, and what it weighs, beside a
# program with nothing and one with Foundation, which the property loaders need. Linux.
#
#   ./startup.sh [STARTS [quick]]    the medians of so many starts of each, 201 if not said; quickly,
#                                    without what it weighs when linked statically
set -euo pipefail
cd "$(dirname "$0")"
export RATIOS_ONLY=1
starts=${1:-201}
how=${2:-}
programs=(bare withFoundation app)
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

build() {
  local program
  for program in "${programs[@]}"; do
    swift build -c release --product "$program" "$@" >"$work/log" 2>&1 || {
      cat "$work/log" >&2
      exit 1
    }
  done
  swift build -c release --show-bin-path "$@" 2>/dev/null
}
bin="$(build --scratch-path .build/ratios)"
[ "$how" = quick ] || static="$(build --scratch-path .build/static --static-swift-stdlib)"

for program in "${programs[@]}"; do
  ldd "$bin/$program" | awk '{ print $1 }' | sed 's|.*/||' | sort >"$work/$program.libraries"
done
! grep -E 'Testing|XCTest' "$work/app.libraries" || {
  echo "error: the app loads a test framework" >&2
  exit 1
}

# In turns, so that a busy moment hits all of them alike.
for _ in $(seq "$starts"); do
  for program in "${programs[@]}"; do
    before=${EPOCHREALTIME/[.,]/}
    "$bin/$program" >/dev/null
    after=${EPOCHREALTIME/[.,]/}
    echo $((after - before)) >>"$work/$program.times"
  done
done

# Each of one program: the median start in ms; libraries; kB and MB of code and data.
start() {
  sort -n "$work/$1.times" |
    awk '{ us[NR] = $1 } END { printf "%.1f", us[int((NR + 1) / 2)] / 1000 }'
}
libraries() { wc -l <"$work/$1.libraries"; }
size_of() { size "$1" | awk -v unit="$2" 'NR == 2 { printf "%.1f", $4 / unit }'; }
program() { size_of "$bin/$1" 1e3; }
linked() { if [ "$how" = quick ]; then echo "–"; else size_of "$static/$1" 1e6; fi; }

row() { echo "| $2 | $(start "$1") | $(libraries "$1") | $(program "$1") | $(linked "$1") |"; }
echo "| program | start, ms | libraries | program, kB | linked statically, MB |"
echo "|---|---:|---:|---:|---:|"
row bare "nothing"
row withFoundation "\`import Foundation\`"
row app "DIContainer, which imports Foundation"

# What the app adds to nothing, and how much of that Foundation alone adds.
of() { # MEASURE UNIT
  awk -v none="$($1 bare)" -v foundation="$($1 withFoundation)" -v app="$($1 app)" -v unit="$2" \
    'BEGIN { printf "%.3g of %.3g %s", foundation - none, app - none, unit }'
}
others="$(comm -13 "$work/withFoundation.libraries" "$work/app.libraries" | paste -sd ' ')"
echo
echo "Of what the app adds, Foundation is $(of start ms) and $(of libraries libraries)."
[ "$how" = quick ] || echo "Linked statically, it is $(of linked MB)."
echo "Libraries that only the app loads: ${others:-none}. Medians of $starts starts."
