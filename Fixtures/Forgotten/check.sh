#!/bin/bash
# Tests that forgot their sandbox hear what they leave in the process: once a place, and nothing
# else is reported.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

fail() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

# With the other fixtures' build folder: the libraries are built once for all of them.
scratch=(--scratch-path ../.build)

swift build --build-tests "${scratch[@]}" "$@" >.build-log.txt 2>&1 || {
  cat .build-log.txt
  fail "the fixture does not build"
}
rm -f .build-log.txt

# The headlines of what a run reports, and the tests that they name.
reports() {
  swift test --skip-build "${scratch[@]}" "$@" 2>&1 |
    sed -E 's,^/[^ ]*: (error|warning): [^ ]+ : (failed - )?,,' |
    grep -oE '(`[^`]*(`|"`)|main|This layer|Two tests)[^`]*(every sandbox|never popped|same time)[^`]*$|(test|suite|scope): +[^ ]+$' |
    sed -E 's/: +/: /' || true
}

expect() {
  local what=$1 expected=$2
  shift 2
  local seen
  seen="$(reports "$@")"
  [ "$seen" = "$expected" ] || {
    diff <(printf '%s\n' "$expected") <(printf '%s\n' "$seen") || true
    fail "$what"
  }
  echo "forgotten: $what"
}

expect "XCTest: what stays in the process is said once a place, in the test's name" "$(
  cat <<'TEXT'
This layer was pushed and never popped.
scope: A1ForgetsALayer.test1Pushes
`any Mailer` was registered outside every sandbox: it stays in the process.
test: A2RegistersInSetUp.test1
`any Mailer "async"` was registered outside every sandbox: it stays in the process.
test: A3RegistersInAnAsyncTest.test1
`any Mailer "class"` was registered outside every sandbox: it stays in the process.
`any Mailer "taken back"` was registered outside every sandbox: it stays in the process.
test: A5TakesBack.test1
`Resolver.root` was replaced outside every sandbox: the process keeps the new one.
test: A5TakesBack.test1
`any Mailer "taken back"` was removed outside every sandbox: the process is without it.
test: A5TakesBack.test1
`Resolver.root` was replaced outside every sandbox: the process keeps the new one.
test: A6SwapsTheRoot.test1
`Resolver.root` was replaced outside every sandbox: the process keeps the new one.
test: A6SwapsTheRoot.test2
`mailer: any Mailer` was registered outside every sandbox: it stays in the process.
test: A7RegistersByKeyPath.test1
main was reset outside every sandbox: the process is without what was registered there.
test: A9Resets.test1
TEXT
)" --disable-swift-testing
expect "Swift Testing: what stays in the process is said at once" "$(
  cat <<'TEXT'
`any Mailer` was registered outside every sandbox: it stays in the process.
test: registers()
`any Mailer "recorded"` was registered outside every sandbox: it stays in the process.
test: registersRecorded()
`any Mailer "strict"` was registered outside every sandbox: it stays in the process.
test: registersStrictly()
`any Mailer "strict"` was removed outside every sandbox: the process is without it.
test: removes()
`Resolver.root` was replaced outside every sandbox: the process keeps the new one.
test: swapsTheRoot()
main was reset outside every sandbox: the process is without what was registered there.
test: resets()
TEXT
)" --disable-xctest

# What a test changes fails it, in the one process or in its own.
for how in --no-parallel --parallel; do
  text="$(FORGOTTEN_FAILS=1 swift test --skip-build "${scratch[@]}" --disable-swift-testing "$how" \
    --filter A2RegistersInSetUp/test2 2>&1)" && fail "the run passes ($how)"
  grep -q 'error: .*`any Mailer` was registered outside every sandbox' <<<"$text" ||
    fail "the run fails and does not say why ($how)"
done
echo "forgotten: XCTest: a test fails for what it changes"

for _ in {1..5}; do
  text="$(FORGOTTEN_FAILS=1 swift test --skip-build "${scratch[@]}" --disable-swift-testing \
    --filter B1ForgetsALayerInAnAsyncTest 2>&1)" && fail "the run passes for an async test"
  grep -q 'error: This layer was pushed and never popped' <<<"$text" ||
    fail "the run fails for an async test and does not say why"
done
echo "forgotten: XCTest: the run fails for its only test, which is async"

text="$(FORGOTTEN_FAILS=1 swift test --skip-build "${scratch[@]}" --disable-swift-testing \
  --filter B2FailsForTheClass 2>&1)" || true
grep -q 'error: This layer was popped before' <<<"$text" ||
  fail "a failure in the class's setUp is not written"
echo "forgotten: XCTest: failures of a class's setUp are written"
