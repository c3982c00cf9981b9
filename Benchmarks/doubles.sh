#!/bin/bash
# What a test target pays for 50 doubles: generated ones, plain spies written by hand, with DITesting
# and without, and spies beside a macro that needs swift-syntax. Clean builds, and builds of the
# test target alone; seconds of processor time (user and system) and of the clock.
#
#   ./doubles.sh [TIMES [PROTOCOLS]]    so many builds of each in turns, the least counts; 3 of 50
#                                       if not said. NO_MACRO=1 leaves swift-syntax out.
set -euo pipefail
root="$(cd "$(dirname "$0")/.." && pwd -P)"
times=${1:-3}
count=${2:-50}
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
variants=(spies hand generated)
[ -n "${NO_MACRO:-}" ] || variants+=(macro)

protocols() {
  local n
  for n in $(seq "$count"); do
    cat <<SWIFT
public protocol Gateway$n {
  func charge(_ cents: Int, for customer: String) throws -> String
  func refund(_ reference: String) async throws
  func items(of customer: String) -> [String]
  var limit: Int { get set }
}
SWIFT
  done
}

# What one writes by hand: it keeps what it was told, and returns what stands in a property.
spies() {
  local n
  for n in $(seq "$count"); do
    cat >"$1/Gateway${n}Spy.swift" <<SWIFT
import Shop

final class Gateway${n}Spy: Gateway$n {
  var charged: [(cents: Int, customer: String)] = []
  var charges: Result<String, any Error> = .success("")
  func charge(_ cents: Int, for customer: String) throws -> String {
    charged.append((cents, customer))
    return try charges.get()
  }

  var refunded: [String] = []
  var refundError: (any Error)?
  func refund(_ reference: String) async throws {
    refunded.append(reference)
    if let refundError { throw refundError }
  }

  var itemsAsked: [String] = []
  var itemsReturned: [String] = []
  func items(of customer: String) -> [String] {
    itemsAsked.append(customer)
    return itemsReturned
  }

  var limit = 0
}
SWIFT
  done
}

manifest() {
  local packages=$1 targets=$2 dependencies=$3
  cat <<SWIFT
// swift-tools-version: 6.2
import CompilerPluginSupport
import PackageDescription

let package = Package(
  name: "Cost",
  platforms: [.macOS(.v13)],
  dependencies: [$packages],
  targets: [
    .target(name: "Shop"),
    .testTarget(name: "ShopTests", dependencies: ["Shop"$dependencies]),
    $targets
  ]
)
SWIFT
}

for variant in "${variants[@]}"; do
  package="$work/$variant"
  tests="$package/Tests/ShopTests"
  mkdir -p "$package/Sources/Shop" "$tests/Doubles"
  protocols >"$package/Sources/Shop/Protocols.swift"
  printf 'import Shop\nimport Testing\n\n' >"$tests/ShopTests.swift"
  path=".package(path: \"$root\")"
  testing=", .product(name: \"DITesting\", package: \"$(basename "$root")\")"
  case "$variant" in
    spies) manifest "" "" "" ;;
    hand | generated) manifest "$path" "" "$testing" ;;
    macro)
      manifest '.package(url: "https://github.com/swiftlang/swift-syntax", exact: "602.0.0")' \
        '.macro(name: "Macros", dependencies: [
          .product(name: "SwiftCompilerPlugin", package: "swift-syntax"),
          .product(name: "SwiftSyntaxMacros", package: "swift-syntax")])' ', "Macros"'
      mkdir -p "$package/Sources/Macros"
      # The least that a macro can do; one that writes doubles does more.
      cat >"$package/Sources/Macros/Macros.swift" <<'SWIFT'
import SwiftCompilerPlugin
import SwiftSyntax
import SwiftSyntaxMacros

struct Nothing: PeerMacro {
  static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] { [] }
}

@main struct Plugin: CompilerPlugin {
  let providingMacros: [any Macro.Type] = [Nothing.self]
}
SWIFT
      printf '@attached(peer) macro Nothing() = #externalMacro(module: "Macros", type: "Nothing")\n\n' \
        >>"$tests/ShopTests.swift"
      ;;
  esac >"$package/Package.swift"
  double=Gateway1Spy
  if [ "$variant" = generated ]; then
    double=Gateway1Double
    swift package --package-path "$package" --allow-writing-to-package-directory doubles \
      --target Shop >"$work/log" 2>&1 || {
      cat "$work/log" >&2
      exit 1
    }
  else
    spies "$tests/Doubles"
  fi
  [ "$variant" = macro ] && printf '@Nothing ' >>"$tests/ShopTests.swift"
  printf '@Test func made() { #expect(%s() is any Gateway1) }\n' "$double" >>"$tests/ShopTests.swift"
done

# Seconds of processor time and of the clock.
build() {
  local TIMEFORMAT='%U %S %R'
  { time swift build --package-path "$1" --build-tests >"$work/log" 2>&1; } 2>"$work/time" || {
    cat "$work/log" >&2
    exit 1
  }
  awk '{ printf "%.1f %.1f\n", $1 + $2, $3 }' "$work/time"
}

for _ in $(seq "$times"); do
  for variant in "${variants[@]}"; do
    package="$work/$variant"
    # Packages are fetched and manifests are compiled once, which is no build.
    rm -rf "$package/.build/debug" "$package"/.build/*-*-*/debug
    swift package --package-path "$package" describe >/dev/null 2>&1
    build "$package" >>"$work/$variant.clean"
    # Tests that a macro belongs to are built as tools are.
    rm -rf "$package"/.build/*-*-*/debug/{ShopTests*.build,Modules*/ShopTests*}
    build "$package" >>"$work/$variant.target"
    echo "$variant: $(tail -qn 1 "$work/$variant.clean" "$work/$variant.target" | paste -sd ' ')" >&2
    grep -q 'Compiling ShopTests' "$work/log" || {
      cat "$work/log" >&2
      echo "error: the test target of $variant was not built anew" >&2
      exit 1
    }
  done
done

bin="$(swift build --package-path "$work/generated" --show-bin-path 2>/dev/null)"
built() {
  local folder
  for folder in "$bin"/*.build; do
    # Folders are made for what is planned, too.
    ! compgen -G "$folder/*.o" >/dev/null || basename "$folder" .build
  done | grep -vE '^(Cost|Shop)' | paste -sd ' '
}
echo "built for the generated doubles: $(built)"
least() { sort -n "$1" | head -1; }
fastest() { awk '{ print $2 }' "$1" | sort -n | head -1; }
printf '%-10s %28s %28s\n' '' 'clean: processor, clock' 'test target: processor, clock'
for variant in "${variants[@]}"; do
  row=("$variant")
  for kind in clean target; do
    file="$work/$variant.$kind"
    row+=("$(least "$file" | cut -d' ' -f1) s" "$(fastest "$file") s")
  done
  printf '%-10s %18s %9s %18s %9s\n' "${row[@]}"
done
ratio() {
  paste -d' ' <(least "$work/generated.$1") <(least "$work/hand.$1") |
    awk -v kind="$1" '{ printf "generated over hand, %s, processor: %.2f\n", kind, $1 / $3 }'
}
ratio clean
ratio target
