import Foundation

// Makes one site of merged archives: its root shows the first page in place of a list of archives,
// lists both modules with all that is in them, and stands first in the path of every page.
//
//     join-site FOLDER

typealias JSON = [String: Any]

let site = URL(fileURLWithPath: CommandLine.arguments[1], isDirectory: true)
let data = site.appending(path: "data")

func json(_ file: URL) throws -> JSON {
  try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? JSON ?? [:]
}

func write(_ value: JSON, to file: URL) throws {
  let text = try JSONSerialization.data(
    withJSONObject: value, options: [.sortedKeys, .withoutEscapingSlashes])
  try text.write(to: file)
}

// MARK: The first page takes the root's place

let first = data.appending(path: "documentation/start.json")
let root = try json(first)
let metadata = root["metadata"] as? JSON ?? [:]
let identifier = (root["identifier"] as? JSON)?["url"] as? String ?? ""
let reference: JSON = [
  "type": "topic", "kind": "article", "role": "collection", "identifier": identifier,
  "url": "/documentation", "title": metadata["title"] ?? "", "abstract": root["abstract"] ?? [],
]
try FileManager.default.removeItem(at: first)
try FileManager.default.removeItem(at: site.appending(path: "documentation/start"))
try write(root, to: data.appending(path: "documentation.json"))

// MARK: Every page's path begins there

let pages = FileManager.default.enumerator(
  at: data.appending(path: "documentation"), includingPropertiesForKeys: nil)
for case let file as URL in pages?.allObjects ?? [] where file.pathExtension == "json" {
  var page = try json(file)
  guard let hierarchy = page["hierarchy"] as? JSON else { continue }
  let paths = hierarchy["paths"] as? [[String]] ?? []
  page["hierarchy"] = ["paths": paths.map { [identifier] + $0 }]
  var references = page["references"] as? JSON ?? [:]
  references[identifier] = reference
  page["references"] = references
  try write(page, to: file)
}

// MARK: The navigator lists what the first page does, and below the modules all that is in them

let indexFile = site.appending(path: "index/index.json")
var index = try json(indexFile)
let languages = index["interfaceLanguages"] as? [String: [JSON]] ?? [:]
index["interfaceLanguages"] = languages.mapValues { roots in
  var root = roots[0]
  let archives = Dictionary(
    (root["children"] as? [JSON] ?? []).map { ($0["path"] as? String ?? "", $0) },
    uniquingKeysWith: { first, _ in first })
  let start = archives["/documentation/start"] ?? [:]
  root["title"] = start["title"]
  root["children"] = (start["children"] as? [JSON] ?? []).map { child in
    archives[child["path"] as? String ?? ""] ?? child
  }
  return [root]
}
try write(index, to: indexFile)
