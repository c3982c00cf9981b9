// Prints each use of a type that runs upwards between the layers of the containers' sources, as
// "FILE uses FILE". A file uses another when it names a type that only the other declares.
// Argument: the folder of the sources.

import Foundation

/// Folders from the ground up; nothing uses a folder of a later line.
let floors = [
  ["Kernel", "Diagnostics", "Findings"],
  ["Recording"],
  ["."],
  ["Factory"], ["Assembly"], ["Injection"], ["Isolation"], ["Graph"],
]

let root = CommandLine.arguments[1]

/// Returns the code without comments and the contents of strings.
func bare(_ text: String) -> String {
  text.replacing(/\/\*[\s\S]*?\*\//, with: "")
    .replacing(/"""[\s\S]*?"""/, with: "\"\"")
    .replacing(/"(?:\\.|[^"\\\n])*"/, with: "\"\"")
    .replacing(/\/\/[^\n]*/, with: "")
}

func floor(of file: String) -> Int {
  let folder = file.contains("/") ? String(file.prefix { $0 != "/" }) : "."
  guard let floor = floors.firstIndex(where: { $0.contains(folder) }) else {
    print("error: \(folder) is on no floor: name it in .ci/layers.swift")
    exit(1)
  }
  return floor
}

let files = FileManager.default.enumerator(atPath: root)!.compactMap { $0 as? String }
  .filter { $0.hasSuffix(".swift") }.sorted()
var code: [String: String] = [:]
// The files that declare a type of each name. A name of several, such as `Kind`, says nothing.
var owners: [Substring: Set<String>] = [:]
for file in files {
  let text = bare(try String(contentsOfFile: "\(root)/\(file)", encoding: .utf8))
  code[file] = text
  let declaration = /\b(?:class|struct|enum|protocol|actor|typealias)\s+([A-Z]\w*)/
  for match in text.matches(of: declaration) { owners[match.1, default: []].insert(file) }
}
for file in files {
  let names = Set(code[file]!.matches(of: /\b[A-Z]\w*\b/).map(\.output))
  let used = Set(names.compactMap { owners[$0] }.filter { $0.count == 1 }.flatMap { $0 })
  for other in used.sorted() where floor(of: file) < floor(of: other) {
    print("\(file) uses \(other)")
  }
}
