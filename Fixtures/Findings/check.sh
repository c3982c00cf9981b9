#!/bin/bash
# Runs the fixture's tests as users do, and compares the warnings about unused doubles.
set -euo pipefail
cd "$(dirname "$0")"
out="$(mktemp -d)"
trap 'rm -rf "$out"' EXIT

fail() {
  echo "findings: $1" >&2
  exit 1
}

line() { grep -n "$1: " "$2" | cut -d: -f1; }
swift_testing=Tests/FindingTests/CartTests.swift
xctest=Tests/FindingTests/CartXCTests.swift
double='The double for `any Audit` was never resolved.'
shared='No test of the suite resolved the double for `any Mailer`.'

# With the other fixtures' build folder: the libraries are built once for all of them.
scratch=(--scratch-path ../.build)
swift test "${scratch[@]}" >"$out/all.txt" 2>&1 || { cat "$out/all.txt" >&2; fail "the tests fail"; }
[ "$(grep -c 'was never resolved\|No test of the suite' "$out/all.txt")" = 4 ] || {
  cat "$out/all.txt" >&2
  fail "four lines are to be reported"
}
grep -qE "Test \"?audits.* recorded a warning .*CartTests.swift:$(line once "$swift_testing"):" \
  "$out/all.txt" || fail "no warning of a test"
grep -qE "Suite CartTests recorded a warning at CartTests.swift:$(line suite "$swift_testing"):" \
  "$out/all.txt" || fail "no warning of the suite"
grep -qE "^$PWD/$xctest:$(line once "$xctest"):[0-9]+: warning: CartXCTests\.testAudits : $double\$" \
  "$out/all.txt" || fail "no warning of a test of XCTest"
grep -qE "^$PWD/$xctest:$(line suite "$xctest"):[0-9]+: warning: $shared\$" \
  "$out/all.txt" || fail "no warning of the test case"

# Each XCTest runs in a process of its own, and what it prints is dropped where it passes.
DITESTING_WARNINGS="$out/warnings.txt" swift test --skip-build "${scratch[@]}" --parallel \
  --disable-swift-testing >"$out/parallel.txt" 2>&1 || fail "the tests fail in parallel"
! grep -q 'was never resolved' "$out/parallel.txt" ||
  fail "swift test --parallel prints warnings now: the guide says that it does not"
for test in testAudits testAuditsAgain; do
  grep -qE "^$PWD/$xctest:$(line once "$xctest"):[0-9]+: warning: CartXCTests\.$test : $double\$" \
    "$out/warnings.txt" || fail "no warning of $test in the file"
done
echo "findings: unused doubles are reported once a line"
