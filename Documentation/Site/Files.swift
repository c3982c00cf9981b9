import Foundation

typealias JSON = [String: Any]

func json(_ file: URL) throws -> JSON {
  try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? JSON ?? [:]
}

func write(_ value: JSON, to file: URL) throws {
  let text = try JSONSerialization.data(
    withJSONObject: value, options: [.sortedKeys, .withoutEscapingSlashes])
  try text.write(to: file)
}

/// The files below a folder whose names have a suffix.
func files(in folder: URL, suffix: String) -> [URL] {
  let all = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
  return (all?.allObjects as? [URL] ?? []).filter { $0.lastPathComponent.hasSuffix(suffix) }
}
