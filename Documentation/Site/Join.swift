import Foundation

// The root of a merged site shows its first page in place of a list of archives, lists both modules
// with all that is in them, and stands first in the path of every page.

func join(site: URL) throws {
  let data = site.appending(path: "data")

  // The first page takes the root's place.
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

  // Every page's path begins there.
  for file in files(in: data.appending(path: "documentation"), suffix: ".json") {
    var page = try json(file)
    guard let hierarchy = page["hierarchy"] as? JSON else { continue }
    let paths = hierarchy["paths"] as? [[String]] ?? []
    page["hierarchy"] = ["paths": paths.map { [identifier] + $0 }]
    var references = page["references"] as? JSON ?? [:]
    references[identifier] = reference
    page["references"] = references
    try write(page, to: file)
  }

  // The navigator lists what the first page does, and below the modules all that is in them.
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
}
