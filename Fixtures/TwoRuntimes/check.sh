#!/bin/bash
# Two copies of DIContainer in one process are reported, once, with both paths; one copy is not.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

fail() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

# With the other fixtures' build folder: the libraries are built once for all of them.
set -- --scratch-path ../.build "$@"

swift build "$@" >.build-log.txt 2>&1 || {
  cat .build-log.txt
  fail "the fixture does not build"
}
rm -f .build-log.txt
bin="$(swift build "$@" --show-bin-path 2>/dev/null)"
suffix=so
[ "$(uname)" = Darwin ] && suffix=dylib
left="$bin/libLeft.$suffix"
right="$bin/libRight.$suffix"

# What a run writes to standard error; the run itself must succeed.
reports() { "$bin/Host" "$@" 2>&1 >/dev/null || fail "Host $* failed"; }

report() {
  cat <<TEXT
Two copies of DIContainer are loaded: what is registered in one is unknown to the other.

  this copy:   $1
  other copy:  $2

To fix this:
  - Link DIContainer into one image only: into the app and not into its test bundle.
  - Or make it a dynamic library that both link.
TEXT
}

expect() {
  local what=$1 expected=$2
  shift 2
  local seen
  seen="$(reports "$@")"
  [ "$seen" = "$expected" ] || {
    printf 'expected:\n%s\nseen:\n%s\n' "$expected" "$seen"
    fail "$what"
  }
  echo "two runtimes: $what"
}

expect "one copy is not reported" "" "$left"
expect "one copy that is used twice is not reported" "" "$left" "$left"
expect "two copies are reported once, at the first use of the second" \
  "$(report "$right" "$left")" "$left" "$right" "$left" "$right"
expect "in the other order, too" "$(report "$left" "$right")" "$right" "$left"
expect "a program that replaces one with a copy is not reported" "" "$left" --exec "$right"
expect "nor one that replaces it with the same copy" "" "$left" --exec "$left"

# Of two modules that conform `Resolver` to `ResolverRegistering` the runtime finds either.
said="$("$bin/Rivals")"
rivals() {
  cat <<TEXT
Nothing is registered for \`$1\`.

  requested:  $2/$2.swift:14
  asked:      main
  note:       \`registerAllServices\` ran in $3 ($3/$3.swift:7); a process has one, and another module's is never called

To fix this:
  - Register it: \`register { … as $1 }\`.
  - If it is optional, resolve it with \`optional\`, or declare the dependency as \`$1?\`.
  - If $2 has a \`registerAllServices\`, too, let it register with \`Resolver.registerAtStart { … }\`, which any number of modules can use.
apart
registered
TEXT
}
if [ "$said" != "$(rivals Gateway Payments Stock)" ] &&
  [ "$said" != "$(rivals Warehouse Stock Payments)" ]; then
  printf 'seen:\n%s\n' "$said"
  fail "the first miss does not say that two modules register at the start"
fi
echo "two runtimes: the first miss says whose start-up ran, and several modules can register"
