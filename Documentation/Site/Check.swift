import Foundation

// Checks a built site without a browser: every link leads to a page or a heading that is there,
// pictures, scripts and styles are there, each page has its file, and each public symbol is in a
// list of its page's topics, not in one that DocC made.

func check(site: URL, base: String) throws {
  var findings: Set<String> = []
  var counts = (pages: 0, links: 0, files: 0)

  func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: site.appending(path: path).path(percentEncoded: false))
  }

  // The pages by their paths, such as "/documentation/dicontainer/resolver".
  var pages: [String: JSON] = [:]
  let data = site.appending(path: "data").standardizedFileURL.path
  for file in files(in: site.appending(path: "data"), suffix: ".json") {
    let path = file.standardizedFileURL.path.dropFirst(data.count).dropLast(".json".count)
    pages[String(path)] = try json(file)
  }
  if pages.isEmpty { findings.insert("\(site.path) has no pages") }
  counts.pages = pages.count

  let headings = pages.mapValues { page in
    Set(all("anchor", in: page["primaryContentSections"] ?? []).compactMap { $0 as? String })
  }

  for (path, page) in pages {
    if !exists("\(path)/index.html") { findings.insert("\(path) has no index.html") }
    for case let reference as JSON in (page["references"] as? JSON ?? [:]).values {
      switch reference["type"] as? String {
      case "topic", "section":
        guard let url = reference["url"] as? String, url.hasPrefix("/") else { continue }
        counts.links += 1
        let parts = url.split(separator: "#", maxSplits: 1).map(String.init)
        guard let target = headings[parts[0]] else {
          findings.insert("\(path) links to \(url), which is not there")
          continue
        }
        // Headings such as "Topics" are DocC's own.
        let generated: Set = ["topics", "overview", "Overview", "relationships", "see-also"]
        if parts.count == 2, !target.contains(parts[1].removingPercentEncoding ?? parts[1]),
          !generated.contains(parts[1])
        {
          findings.insert("\(path) links to \(url): the page has no such heading")
        }
      case "image", "video":
        let variants = reference["variants"] as? [JSON] ?? []
        if variants.isEmpty { findings.insert("\(path) shows a picture that is not there") }
        if (reference["alt"] as? String ?? "").isEmpty {
          findings.insert("\(path) shows a picture without a description")
        }
        for case let url as String in variants.map({ $0["url"] as Any }) {
          counts.files += 1
          if !exists(url) { findings.insert("\(path) shows \(url), which is not there") }
        }
      default: break
      }
    }
  }

  // The navigator, and what a page loads.

  for case let path as String in all("path", in: try json(site.appending(path: "index/index.json")))
  {
    counts.links += 1
    if pages[path] == nil { findings.insert("the navigator lists \(path), which is not there") }
  }

  let attribute = try Regex(#"\b(?:src|href)="(/[^"]*)""#, as: (Substring, Substring).self)
  for file in files(in: site.appending(path: "documentation"), suffix: "index.html") {
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    for match in text.matches(of: attribute) {
      counts.files += 1
      let path = match.1
      guard path.hasPrefix(base + "/"), exists(String(path.dropFirst(base.count))) else {
        findings.insert("\(file.path) loads \(path), which is not there")
        continue
      }
    }
  }

  // A heading for each symbol.

  for (path, page) in pages where page["kind"] as? String == "symbol" {
    // A page that gathers the default implementations of a protocol is DocC's own.
    guard !path.hasSuffix("-implementations") else { continue }
    for case let section as JSON in page["topicSections"] as? [Any] ?? [] {
      guard section["generated"] as? Bool == true else { continue }
      for case let symbol as String in section["identifiers"] as? [Any] ?? [] {
        let name = symbol.components(separatedBy: "/documentation/").last ?? symbol
        guard !name.hasSuffix("-Implementations") else { continue }
        findings.insert("\(name) is under no heading: add it to the topics of its page")
      }
    }
  }

  for finding in findings.sorted() { print("error: \(finding)") }
  if !findings.isEmpty { exit(1) }
  print("site: \(counts.pages) pages, \(counts.links) links, \(counts.files) files: all there")
}

/// Every value under `key`, however deep.
private func all(_ key: String, in value: Any) -> [Any] {
  switch value {
  case let object as JSON:
    object.flatMap { ($0.key == key ? [$0.value] : []) + all(key, in: $0.value) }
  case let list as [Any]: list.flatMap { all(key, in: $0) }
  default: []
  }
}
