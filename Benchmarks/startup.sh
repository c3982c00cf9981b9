#!/bin/sh
# What an app on DIContainer alone loads, how long that takes, and what it weighs. Linux.
set -e
cd "$(dirname "$0")"
swift build -c release --product app >/dev/null
swift build -c release --product bare >/dev/null
bin=$(swift build -c release --show-bin-path)

libraries() { ldd "$1" | awk '{ print $1 }' | sed 's|.*/||' | sort; }
# The fastest of 50 starts, in microseconds.
start() {
  best=999999
  for _ in $(seq 50); do
    before=$(date +%s%N); "$1" >/dev/null; after=$(date +%s%N)
    us=$(( (after - before) / 1000 ))
    [ "$us" -lt "$best" ] && best=$us
  done
  echo "$best"
}
echo "libraries that the app loads and a bare program does not:"
libraries "$bin/bare" >/tmp/bare.$$; libraries "$bin/app" >/tmp/app.$$
comm -13 /tmp/bare.$$ /tmp/app.$$ | sed 's/^/  /'
for name in Testing XCTest; do
  if grep -q "$name" /tmp/app.$$; then echo "error: the app loads $name"; exit 1; fi
done
rm -f /tmp/bare.$$ /tmp/app.$$
for program in bare app; do
  echo "$program: start $(start "$bin/$program") µs, file $(stat -c %s "$bin/$program") bytes," \
    "text $(size "$bin/$program" | awk 'NR == 2 { print $1 }') bytes"
done
