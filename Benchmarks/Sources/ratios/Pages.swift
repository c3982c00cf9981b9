import Foundation

// The table on the pages: between two comments, where a later run replaces it.

private let begin = "<!-- ratios -->"
private let end = "<!-- end of ratios -->"

// The rows that README shows.
private let headlines: Set = [
  "unique by type", "kept: cached", "unique by key path", "sandbox: open, double, resolve, close",
]

/// Puts the table on the pages that show it: the headlines in README, all of it in the guide.
func publish(_ table: Table, in package: URL) throws {
  try put(
    table.markdown { headlines.contains($0.workload.name) },
    on: package.appending(path: "README.md"))
  try put(
    table.markdown { _ in true },
    on: package.appending(path: "Sources/DIContainer/DIContainer.docc/Speed.md"))
}

private func put(_ table: String, on page: URL) throws {
  var text = try String(contentsOf: page, encoding: .utf8)
  guard let begin = text.range(of: begin),
    let end = text.range(of: end, range: begin.upperBound..<text.endIndex)
  else { fail("\(page.lastPathComponent) has no place for the table") }
  text.replaceSubrange(begin.upperBound..<end.lowerBound, with: "\n\n\(table)\n\n")
  try text.write(to: page, atomically: true, encoding: .utf8)
  print("wrote \(page.lastPathComponent)")
}
