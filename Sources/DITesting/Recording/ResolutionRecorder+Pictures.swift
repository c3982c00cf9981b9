#if canImport(Testing) && canImport(XCTest)
import DIContainer

extension ResolutionRecorder {
  /// The requests as an indented tree, one per line.
  ///
  /// Requests that a service's factory made are below it, even if others were made meanwhile. Calls
  /// of a double are below the resolution that returned it, or at the end if that is unknown.
  public var tree: String {
    let contents = contents
    return Self.tree(of: contents.events, contents.calls, uncalled: contents.uncalled)
  }

  static func tree(
    of events: [ResolutionEvent], _ calls: [RecordedCall] = [], uncalled: Set<Int> = []
  ) -> String {
    let requests = events.filter(\.isRequest)
    let callsBelow = Dictionary(grouping: calls, by: \.resolution)
    func lines(_ calls: [RecordedCall]?, depth: Int) -> [String] {
      (calls ?? []).map { String(repeating: "  ", count: depth) + "\($0)" }
    }
    return TypeNames.telling(apart: requests.map(\.key)) {
      (inTree(requests).flatMap {
        [line($0) + (uncalled.contains($0.index) ? ", never called" : "")]
          + lines(callsBelow[$0.index], depth: $0.depth + 1)
      } + lines(callsBelow[nil], depth: 0)).joined(separator: "\n")
    }
  }

  /// Returns each request, followed by those that it led to.
  private static func inTree(_ requests: [ResolutionEvent]) -> [ResolutionEvent] {
    let below = Dictionary(grouping: requests.reversed(), by: \.parent)
    var ordered: [ResolutionEvent] = []
    var rest = below[nil] ?? []
    while let next = rest.popLast() {
      ordered.append(next)
      rest += below[next.index] ?? []
    }
    return ordered
  }

  private static func line(_ event: ResolutionEvent) -> String {
    var line = String(repeating: "  ", count: event.depth) + "\(event.key)"
    switch event.kind {
    case .missed:
      line += "  — \(event.miss) in \(event.container)"
    case .registered, .created, .kept:
      line += "  — \(event.kind.rawValue) \(event.isDouble ? "double" : "live")"
      line += ", \(event.scope ?? "?"), \(event.container)"
    }
    return line
  }

  /// The resolved services and their dependencies as a Mermaid flow chart.
  ///
  /// Each service has one node; those of doubles are rounded, and list the double's calls.
  public var mermaid: String { drawn(\.mermaid) }

  /// The resolved services and their dependencies as a graph in Graphviz's language.
  ///
  /// Each service has one node; those of doubles are rounded, and list the double's calls.
  public var dot: String { drawn(\.dot) }

  private func drawn(_ language: (Picture) -> String) -> String {
    let contents = contents
    return TypeNames.telling(apart: contents.events.filter(\.isRequest).map(\.key)) {
      language(RecordedServices(contents).picture)
    }
  }
}

/// The nodes and edges of a recording's picture, each once, in the order of first occurrence.
private struct RecordedServices {
  private struct Drawn {
    /// The service, then its scope and container; none for a double of no known resolution.
    let labels: [String]
    let shape: Picture.Node.Shape
    /// The calls of the double, with their counts.
    private var calls: [(text: String, count: Int)] = []

    init(labels: [String], shape: Picture.Node.Shape) {
      (self.labels, self.shape) = (labels, shape)
    }

    mutating func add(_ call: String) {
      if let place = calls.firstIndex(where: { $0.text == call }) {
        calls[place].count += 1
      } else {
        calls.append((call, 1))
      }
    }

    var lines: [String] {
      labels + calls.map { $0.count == 1 ? $0.text : "\($0.text), \($0.count) times" }
    }
  }

  private var services: [Drawn] = []
  private var arrows: [Picture.Arrow] = []
  /// The numbers of the services by a text that is equal for one; of several scopes, the first is
  /// shown.
  private var numbers: [String: Int] = [:]

  init(_ contents: RecordedContents) {
    var places: [Int: Int] = [:]
    var seen: Set<Picture.Arrow> = []
    for event in contents.events where event.isRequest {
      let isMissing = event.kind == .missed
      let number = number("\(event.key)|\(event.container)|\(event.isDouble)|\(isMissing)") {
        Drawn(
          labels: [
            "\(event.key)",
            "\(isMissing ? event.miss : event.scope ?? "") · \(event.container)",
          ],
          shape: isMissing ? .hexagonal : event.isDouble ? .rounded : .plain)
      }
      places[event.index] = number
      guard let parent = event.parent.flatMap({ places[$0] }) else { continue }
      let arrow = Picture.Arrow(from: "n\(parent)", to: "n\(number)")
      if seen.insert(arrow).inserted { arrows.append(arrow) }
    }
    for number in Set(contents.uncalled.compactMap { places[$0] }) {
      services[number].add("never called")
    }
    for call in contents.calls {
      let known = call.resolution.flatMap { places[$0] }
      services[known ?? number("\(call)") { Drawn(labels: [], shape: .rounded) }].add("\(call)")
    }
  }

  /// Returns the number of a service, which is added if it is new.
  private mutating func number(_ identity: String, _ make: () -> Drawn) -> Int {
    if let number = numbers[identity] { return number }
    numbers[identity] = services.count
    services.append(make())
    return services.count - 1
  }

  var picture: Picture {
    var picture = Picture(title: "resolutions")
    picture.arrows = arrows
    picture.boxes = services.enumerated().map { number, service in
      Picture.Node(id: "n\(number)", lines: service.lines, shape: service.shape)
    }
    return picture
  }
}
#endif
