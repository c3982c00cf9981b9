import Foundation

// Every entry that can fail takes its caller's place, in four parameters with defaults that nobody
// passes. Lists, titles and the navigator show a symbol without them; its page shows all of it.

private let place: Set = ["fileID", "filePath", "line", "column", "function"]

func shorten(graphs: URL) throws {
  for file in files(in: graphs, suffix: ".symbols.json") {
    var graph = try json(file)
    graph["symbols"] = (graph["symbols"] as? [JSON] ?? []).map(shortened)
    try write(graph, to: file)
  }
}

private func shortened(_ symbol: JSON) -> JSON {
  // A place is what this type is about.
  guard !(symbol["pathComponents"] as? [String] ?? []).contains("CodeLocation"),
    var names = symbol["names"] as? JSON
  else { return symbol }
  var symbol = symbol
  names["title"] = (names["title"] as? String).map(withoutPlace)
  for key in ["subHeading", "navigator"] {
    names[key] = (names[key] as? [JSON]).map(withoutPlace)
  }
  symbol["names"] = names
  return documentingPlace(symbol)
}

/// Says what the parameters of the place are, where the doc comment tells of others only.
private func documentingPlace(_ symbol: JSON) -> JSON {
  guard let signature = symbol["functionSignature"] as? JSON,
    var comment = symbol["docComment"] as? JSON, var lines = comment["lines"] as? [JSON],
    let last = lines.last
  else { return symbol }
  let text = lines.compactMap { $0["text"] as? String }
  guard text.contains(where: { $0.contains("- Parameter") }) else { return symbol }
  let names = (signature["parameters"] as? [JSON] ?? []).compactMap { $0["name"] as? String }
  for name in names
  where place.contains(name) && !text.contains(where: { $0.contains("- \(name):") })
    && !text.contains(where: { $0.contains("- Parameter \(name):") })
  {
    var line = last
    line["text"] = "- Parameter \(name): A part of the caller's place, for reports."
    lines.append(line)
  }
  comment["lines"] = lines
  var symbol = symbol
  symbol["docComment"] = comment
  return symbol
}

/// `resolve(_:name:)` for `resolve(_:name:fileID:filePath:line:column:)`.
private func withoutPlace(_ title: String) -> String {
  guard let open = title.firstIndex(of: "("), title.hasSuffix(":)") else { return title }
  let labels = title[title.index(after: open)...].dropLast(2).split(separator: ":")
  let kept = labels.filter { !place.contains(String($0)) }.map { $0 + ":" }
  return title[...open] + kept.joined() + ")"
}

/// A parameter is a label, ": ", a type, and the text up to the next one.
private func withoutPlace(_ fragments: [JSON]) -> [JSON] {
  var kept: [JSON] = []
  var rest = fragments[...]
  while let fragment = rest.popFirst() {
    guard fragment["kind"] as? String == "externalParam",
      place.contains(fragment["spelling"] as? String ?? ""), rest.count >= 3,
      let end = rest[rest.startIndex + 2]["spelling"] as? String,
      end.hasPrefix(",") || end.hasPrefix(")")
    else {
      kept.append(fragment)
      continue
    }
    rest = rest.dropFirst(3)
    // Either this one's comma goes, or that of the one before.
    var next = end.hasPrefix(", ") ? String(end.dropFirst(2)) : end
    if end.hasPrefix(")"), let text = kept.last?["spelling"] as? String, text.hasSuffix(", ") {
      kept.removeLast()
      next = text.dropLast(2) + end
    }
    // What is left is joined with the text before it, as the compiler writes it.
    if let last = kept.last, last["kind"] as? String == "text",
      let text = last["spelling"] as? String
    {
      kept.removeLast()
      next = text + next
    }
    if !next.isEmpty { kept.append(["kind": "text", "spelling": next]) }
  }
  return kept
}
