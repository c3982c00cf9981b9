import DIContainer
import DITesting
import TestSupport
import Testing

/// The random lives that are compared with a model of the rules, with recorders listening.
///
/// For a longer run: `RECORDER_SEEDS=1-100000`; `RULES_TRACE=1` prints each step of the lives.
@Suite("Whatever is done to containers, a recorder")
struct RecordedLivesTests {
  static let seeds = randomSeeds(from: "RECORDER_SEEDS", or: 1...10)
  /// Apart from the seeds of other lives: what they register is not at the same place.
  private static let base: UInt64 = 1 << 40

  @Test(
    "changes no answer, and hears each instance being made once",
    .withoutMisuse, arguments: [false, true])
  func lives(isAsync: Bool) async {
    for seed in Self.seeds {
      let life = RandomLife(seed: Self.base + seed, isAsync: isAsync)
      let (outer, inner) = (ResolutionRecorder(), ResolutionRecorder())
      await withRecorder(outer) { await withRecorder(inner) { await life.run() } }
      let events = outer.events
      let faults = [
        life.failure, life.failure == nil ? count(events, life) : nil,
        fault(inStructureOf: events),
        inner.events == events ? nil : "The recorders heard different things.",
        fault(inPicturesOf: outer),
      ].compactMap(\.self)
      guard !faults.isEmpty else { continue }
      let story = life.log.joined(separator: "\n")
      Issue.record(
        "Seed \(seed): \(faults.joined(separator: "\n"))\n\(story)\n\n\(outer.tree)")
    }
  }

  @Test(
    "hears nothing of what others do to the same containers at the same time",
    .withoutMisuse, arguments: [false, true])
  func parallel(isAsync: Bool) async {
    for seed in Self.seeds where seed % 10 == 0 {
      let founder = RandomLife(seed: 2 * Self.base + seed * 5, isAsync: isAsync)
      founder.found()
      await withTaskGroup { group in
        for number in UInt64(1)...4 {
          group.addTask {
            let life = RandomLife(
              seed: 2 * Self.base + seed * 5 + number, isAsync: isAsync, sharing: founder)
            let recorder = ResolutionRecorder()
            await withRecorder(recorder) { await life.run() }
            let events = recorder.events
            let fault =
              life.failure ?? count(events, life) ?? fault(inStructureOf: events)
              ?? fault(inPicturesOf: recorder)
            guard let fault else { return }
            let story = (founder.log + life.log).joined(separator: "\n")
            Issue.record("Seed \(seed), life \(number): \(fault)\n\(story)\n\n\(recorder.tree)")
          }
        }
      }
    }
  }

  @Test("tells each request as it was made and answered", .withoutWarnings)
  func shops() async {
    for seed in Self.seeds {
      let stories = (0..<3).map { _ in Lock<[String]>([]) }
      await withTaskGroup { group in
        // At the same time, each in a task of its own: none hears of the others.
        for place in 0..<3 {
          group.addTask {
            stories[place].withLock { $0 = Self.story(seed * 2 + UInt64(place / 2), place) }
          }
        }
      }
      let texts = stories.map { $0.withLock { $0 } }
      if texts[0] != texts[1] {
        let (plain, recorded) = (texts[0].joined(separator: "\n"), texts[1].joined(separator: "\n"))
        Issue.record("Seed \(seed): recorded,\n\(recorded)\n\nand not,\n\(plain)")
      }
    }
  }

  /// What came of a random shop, with a recorder or without.
  private static func story(_ seed: UInt64, _ place: Int) -> [String] {
    let shop = RecordedShop(seed: seed, place: place)
    shop.live(3, depth: 3)
    shop.noteEarly()
    if place == 0 {
      shop.live()
      shop.live(2)
      return shop.log
    }
    let (outer, inner) = (ResolutionRecorder(), ResolutionRecorder())
    let fault = withRecorder(outer) {
      withRecorder(inner) { shop.live() }
      return shop.fault(in: outer)
    }
    let heard = outer.events
    if let fault = fault ?? (inner.events == heard ? nil : "The recorders heard different things.")
    {
      Issue.record(
        "Seed \(seed): \(fault)\n\(shop.log.joined(separator: "\n"))\n\n\(outer.tree)")
    }
    shop.live(2)
    #expect(outer.events == heard)
    return shop.log
  }

  private func count(_ events: [ResolutionEvent], _ life: RandomLife) -> String? {
    // Set-up code is nobody's: no recorder hears it.
    if life.log.contains(where: { $0.contains("production's set-up") }) { return nil }
    let created = events.count { $0.kind == .created }
    let made = life.built + life.wrapped
    return created == made ? nil : "\(created) were created, of \(made)."
  }
}

// MARK: - What is true of every recording

/// What is wrong with the order of events, if anything.
func fault(inStructureOf events: [ResolutionEvent]) -> String? {
  for (place, event) in events.enumerated() {
    if event.index != place { return "Event \(place) says that it is \(event.index)." }
    if event.depth != (event.parent.map { events[$0].depth + 1 } ?? 0) {
      return "Event \(place) is \(event.depth) deep."
    }
    if let parent = event.parent {
      if parent >= place { return "Event \(place) comes before what it was made for." }
      if events[parent].kind == .registered || events[parent].kind == .kept {
        return "Event \(place) was asked for by \(events[parent])."
      }
    }
    if event.isRequest != (event.requestedAt != nil) { return "\(event): no place." }
    if event.kind != .missed {
      guard let scope = event.scope else { return "\(event): no scope." }
      // What a fallback makes is registered nowhere.
      if event.registeredAt == nil, "\(scope)" != "fallback" { return "\(event): no place." }
    }
  }
  return nil
}

/// What is wrong with the pictures of a recording, if anything.
func fault(inPicturesOf recorder: ResolutionRecorder) -> String? {
  let requests = recorder.events.filter(\.isRequest)
  let lines = recorder.tree.split(separator: "\n")
  if lines.count != requests.count { return "The tree has \(lines.count) lines." }
  for (line, event) in zip(lines, requests) where event.parent == nil {
    if !line.hasPrefix("\(event.key)") { return "\(line): not \(event.key)" }
  }
  return faultOfQuotes(in: recorder.mermaid) ?? faultOfEscapes(in: recorder.dot)
}

/// The first line of a Mermaid chart whose label ends too early, or late.
func faultOfQuotes(in chart: String) -> String? {
  chart.split(separator: "\n").first { line in
    ![0, 2].contains(line.unicodeScalars.count { $0 == "\"" })
  }.map(String.init)
}

/// The first line of a Graphviz chart whose label ends too early, or late.
func faultOfEscapes(in chart: String) -> String? {
  chart.split(separator: "\n").first { line in
    var isEscaped = false
    var quotes = 0
    for scalar in line.unicodeScalars {
      if isEscaped {
        isEscaped = false
      } else if scalar == "\\" {
        isEscaped = true
      } else if scalar == "\"" {
        quotes += 1
      }
    }
    return ![0, 2].contains(quotes)
  }.map(String.init)
}
