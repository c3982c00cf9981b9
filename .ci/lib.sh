# What the steps share; sourced, never run. Every step works alone, from any folder.

set -euo pipefail
exec </dev/null
# Patterns match characters, not bytes.
export LC_ALL=C.UTF-8

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)"
cd "$root"

# Everything that the steps leave behind is under folders that .gitignore names.
out="$root/.build-ci"
mkdir -p "$out"

say() { printf '\n== %s\n' "$*"; }
fail() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

# Runs a command, keeps what it prints in FILE, and shows that only when it fails: as errors, since
# the caller may be in the middle of a substitution.
quietly() {
  local file=$1
  shift
  if ! "$@" >"$file" 2>&1; then
    cat "$file" >&2
    failures "$file" >&2
    fail "failed: $*"
  fi
}

# The lines of FILE that say what failed, once each: tests and what they recorded, compilers' errors,
# traps, a sanitizer's reports.
failures() {
  grep -aE '^ *✘|(^|: )(Fatal )?error: |: (Thread|Address)Sanitizer' "$1" |
    grep -avE '^ *[◇✔]|recorded a (known issue|warning)' | awk '!seen[$0]++' | tail -40 || true
}

# The test runners' closing lines in FILE: XCTest's, then Swift Testing's.
summary() {
  grep -E "^Executed [0-9]+ tests?|^[[:space:]]+Executed [0-9]+ tests?" "$1" | tail -1 |
    sed 's/^[[:space:]]*//' || true
  grep -E "Test run with [0-9]+ tests?" "$1" | tail -1 || true
}

# How many tests Swift Testing and XCTest ran in FILE, together.
tests_run() {
  summary "$1" | grep -oE "(Executed|with) [0-9]+ tests?" | grep -oE "[0-9]+" |
    awk '{ sum += $1 } END { print sum + 0 }'
}

# The targets that a release build does not optimise. The libraries and the tests that stand for apps
# are optimised; of the large test targets that takes minutes, and finds what it finds once.
plain_tests=AmbientTests,ConcurrencyTests,DIContainerTests,DITestingTests,DoublesTests,TestSupport
plain_tests+=,DoubleGenerator,DoublesTool
