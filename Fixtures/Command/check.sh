#!/bin/bash
# The command `swift package doubles` in a package with an options file: what it says, and what it
# writes where.
source "$(dirname "${BASH_SOURCE[0]}")/../../.ci/lib.sh"

# A copy, since it is written to; the libraries and the command are in the package's build folder.
package="$out/command"
rm -rf "$package"
cp -r Fixtures/Command "$package"
files() { find "$package" -type f ! -path '*/.build/*' -exec cksum {} + | sort -k3; }

# Runs the command and compares what it says, its exit code last.
expect() {
  local what=$1 expected=$2 said
  shift 2
  said="$(swift package --package-path "$package" --scratch-path .build doubles "$@" \
    2>"$out/command.txt" && echo "exit 0" || echo "exit $?")"
  [ "$said" = "$expected" ] || {
    diff <(printf '%s\n' "$expected") <(printf '%s\n' "$said") || true
    cat "$out/command.txt"
    fail "$what"
  }
  echo "command: $what"
}
# The same, and nothing is written.
expect_reading() {
  local before
  before="$(files)"
  expect "$@"
  [ "$(files)" = "$before" ] || fail "$1: a file was written"
}

before="$(files)"
swift package --package-path "$package" --scratch-path .build doubles --help \
  >"$out/command.txt" 2>/dev/null
grep -q '^Writes doubles' "$out/command.txt" || fail "--help explains nothing"
[ "$(files)" = "$before" ] || fail "--help writes"

expect_reading "what is typed wrong is said before anything is built" "$(
  cat <<'TEXT'
error: `--tagret` is no option. Did you mean --target?
exit 1
TEXT
)" --tagret Shop
expect_reading "what the plugin tells its tool is not for users" "$(
  cat <<'TEXT'
error: `--modules-needed` is no option. --help lists them.
exit 1
TEXT
)" --modules-needed
expect_reading "an option without its value is named" "$(
  cat <<'TEXT'
error: --output needs a value.
exit 1
TEXT
)" --target Shop --output
expect_reading "a wiring that is not there is named" "$(
  cat <<'TEXT'
error: There is no file Wirings/none.txt. A test writes `Resolver.main.graph.description` there.
exit 1
TEXT
)" --target Shop --wiring Wirings/none.txt

expect_reading "a folder that is no target's is said to be none" "$(
  cat <<'TEXT'
Doubles of Billing, in Tests/Nowhere:
error: Doubles.swift is missing: the doubles of this folder have no list.
error: LedgerDouble.swift is missing: the protocol `Ledger` of Billing has no double.
To bring them up to date, run: swift package --allow-writing-to-package-directory doubles --target Billing --output Tests/Nowhere
note: Tests/Nowhere is in the folder of no target, so that nothing compiles the doubles. Name another folder with --output, such as Tests/BillingTests/Doubles, or declare a target with this one.
exit 1
TEXT
)" --target Billing --output Tests/Nowhere --check

mkdir -p "$package/Nested/Tests"
cp "$package/Package.swift" "$package/Nested"
expect_reading "a folder in a package of its own is no such folder" "$(
  cat <<'TEXT'
Doubles of Billing, in Nested/Tests/Doubles:
error: Doubles.swift is missing: the doubles of this folder have no list.
error: LedgerDouble.swift is missing: the protocol `Ledger` of Billing has no double.
To bring them up to date, run: swift package --allow-writing-to-package-directory doubles --target Billing --output Nested/Tests/Doubles
exit 1
TEXT
)" --target Billing --output Nested/Tests/Doubles --check
rm -r "$package/Nested"

expect_reading "the file's lines are the options of a check" "$(
  cat <<'TEXT'
Doubles of Shop, in Tests/ShopTests/Doubles:
error: Doubles.swift is missing: the doubles of this folder have no list.
error: MailerDouble.swift is missing: the protocol `Mailer` of Shop has no double.
To bring them up to date, run: swift package --allow-writing-to-package-directory doubles
Doubles of Billing, in Tests/BillingTests/Doubles:
error: Doubles.swift is missing: the doubles of this folder have no list.
error: LedgerDouble.swift is missing: the protocol `Ledger` of Billing has no double.
To bring them up to date, run: swift package --allow-writing-to-package-directory doubles
exit 1
TEXT
)" --check

expect "what is typed with a target is all" "$(
  cat <<'TEXT'
Doubles of Shop, in Sources/ShopSupport/Doubles:
Wrote Doubles.swift
Wrote MailerDouble.swift
Wrote PostboxDouble.swift
Wrote PrinterDouble.swift
exit 0
TEXT
)" --target Shop --output Sources/ShopSupport/Doubles

# Of doubles that no wiring names, the one that a source names stays.
expect "alone it writes for each line, and finds doubles where they are" "$(
  cat <<'TEXT'
Doubles of Shop, in Sources/ShopSupport/Doubles:
note: PostboxDouble.swift stays: `Postbox` is in use, although no wiring names it.
Wrote Doubles.swift
Removed PrinterDouble.swift
Doubles of Billing, in Tests/BillingTests/Doubles:
Wrote Doubles.swift
Wrote LedgerDouble.swift
exit 0
TEXT
)"
[ ! -e "$package/Tests/ShopTests/Doubles" ] || fail "doubles were written twice"

sed -i 's/{ func add/{ func close(); func add/' "$package/Sources/Billing/Billing.swift"
expect_reading "a stale double is named" "$(
  cat <<'TEXT'
Doubles of Shop, in Sources/ShopSupport/Doubles:
note: PostboxDouble.swift stays: `Postbox` is in use, although no wiring names it.
The double is up to date.
Doubles of Billing, in Tests/BillingTests/Doubles:
error: LedgerDouble.swift is stale: a run would write it differently now, from the protocol `Ledger` of Billing.
To bring them up to date, run: swift package --allow-writing-to-package-directory doubles
exit 1
TEXT
)" --check

cat >>"$package/.doubles" <<'TEXT'
--taget Shop
--target Shpo
--target Shop --output Tests/ShopTests/Doubles --protocol Mailer
TEXT
expect "a line that is wrong is named, and the others are run" "$(
  cat <<'TEXT'
Doubles of Shop, in Sources/ShopSupport/Doubles:
note: PostboxDouble.swift stays: `Postbox` is in use, although no wiring names it.
The double is up to date.
Doubles of Billing, in Tests/BillingTests/Doubles:
Wrote LedgerDouble.swift
In the line `--taget Shop` of .doubles:
error: `--taget` is no option. Did you mean --target?
In the line `--target Shpo` of .doubles:
error: There is no target Shpo. The package has: Billing, Shop, ShopSupport.
Doubles of Shop, in Tests/ShopTests/Doubles:
Wrote Doubles.swift
Wrote MailerDouble.swift
exit 1
TEXT
)"
