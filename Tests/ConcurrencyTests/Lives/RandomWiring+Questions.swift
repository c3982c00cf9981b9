import DIContainer
import DITesting

extension RandomWiring {
  /// What came of asking for something.
  struct Answer {
    let key: ServiceKey
    let service: Good?
    let error: ResolutionError?
  }

  /// Asks the shop for all that it has, each for itself or one after the other.
  func askForAll(apart isApart: Bool, lazies: Bool = false) -> [Answer] {
    let keys = shop.registrations.map(\.key)
    return keys.map { key in
      let good = Goods.allCases.first { $0.type == key.type && $0.name == key.name }!
      let answer = { [self] in
        let answer = ask(good, key)
        if lazies { askLazies(of: answer) }
        return answer
      }
      return isApart ? withSandbox { answer() } : answer()
    }
  }

  private func ask(_ good: Goods, _ key: ServiceKey) -> Answer {
    func ask<Known>(_ type: Known.Type) -> Answer {
      do throws(ResolutionError) {
        let service = try shop.require(type, name: good.name) as! Good
        return Answer(key: key, service: service, error: nil)
      } catch {
        return Answer(key: key, service: nil, error: error)
      }
    }
    return ask(good.type)
  }

  /// Has the lazy wrappers in instances ask for what they stand for.
  private func askLazies(of answer: Answer) {
    for part in answer.service?.parts ?? [] {
      if let part = part as? any LazyPart { part.ask() }
    }
  }

  // MARK: What is wrong

  /// The first thing that validating does not keep of what it promises.
  func fault() -> String? {
    let registered = shop.registrations.map(\.description)
    // Where properties are set, what is found is another thing once something else is kept.
    let isAskedBefore = !mayTrap && !setsProperties && chance(50)
    let before = isAskedBefore ? askForAll(apart: false) : []
    let recorder = ResolutionRecorder()
    let runsBefore = runs
    let (seen, seenAgain) = withRecorder(recorder) { (report(), report()) }
    if runs != runsBefore { return "Validating ran a factory." }
    let (dry, dryAgain) = withRecorder(recorder) {
      (report(dryRun: true), report(dryRun: true))
    }
    if let event = recorder.events.first { return "Recorded: \(event)" }
    if "\(seen)" != "\(seenAgain)" { return "Two reports:\n\(seen)\n\n\(seenAgain)" }
    if "\(dry)" != "\(dryAgain)" { return "Two dry runs:\n\(dry)\n\n\(dryAgain)" }
    if shop.registrations.map(\.description) != registered { return "Other registrations." }
    if isAskedBefore, let fault = compare(before, askForAll(apart: false)) { return fault }
    return faultOfPictures() ?? faultOfVerdict(seen, dry)
  }

  private func report(dryRun: Bool = false) -> ValidationReport {
    do throws(ValidationError) {
      return try shop.validate(dryRun: dryRun)
    } catch {
      return error.report
    }
  }

  /// Whether what was kept before is still there.
  private func compare(_ before: [Answer], _ after: [Answer]) -> String? {
    // What a decoration wraps says how long it is kept.
    let kept = Set(
      shop.registrations.filter { $0.implementedBy == nil && !decorated.contains($0.key) }
        .filter { $0.scope !== Scope.unique && $0.scope !== Scope.graph }.map(\.key))
    for (one, other) in zip(before, after) {
      if one.error?.reason != other.error?.reason {
        return "\(one.key): \(one.error, default: "none"), then \(other.error, default: "none")"
      }
      if kept.contains(one.key), one.service !== other.service {
        return "\(one.key) is another instance."
      }
    }
    return nil
  }

  private func faultOfPictures() -> String? {
    let graph = shop.graph
    let lines = graph.description.split(separator: "\n")
    if lines.count < graph.keys.count { return "The tree has \(lines.count) lines." }
    if shop.graph.description != graph.description { return "The graph changes." }
    return faultOfQuotes(in: graph.mermaid) ?? faultOfEscapes(in: graph.dot)
  }

  private func faultOfVerdict(_ seen: ValidationReport, _ dry: ValidationReport) -> String? {
    // A dry run is one run: what it built before it does not build again.
    let isAllSeen = seen.unseen.isEmpty
    let report = isAllSeen ? seen : dry
    let faults = report.errors.filter {
      [.missing, .cycle, .failed, .notImplemented].contains($0.kind)
    }
    if mayTrap && !faults.isEmpty { return nil }
    let recorder = ResolutionRecorder()
    let answers = withSandbox {
      withRecorder(recorder) { askForAll(apart: isAllSeen, lazies: faults.isEmpty) }
    }
    for answer in answers {
      guard let error = answer.error else { continue }
      let isReported =
        switch error.reason {
        case .notRegistered: faults.contains { $0.kind == .missing && $0.key == error.key }
        case .cycle: faults.contains { $0.kind == .cycle }
        default: !faults.isEmpty
        }
      if !isReported { return "Not reported: \(error)\n\n\(report)" }
    }
    let isLazy = log.contains { $0.contains("azy") }
    if !faults.isEmpty, !isLazy, answers.allSatisfy({ $0.error == nil }) {
      return "All is well, but:\n\(report)"
    }
    return faultOfEdges(recorder.events)
  }

  /// An edge that a recorder saw and the graph has not.
  private func faultOfEdges(_ events: [ResolutionEvent]) -> String? {
    let graph = shop.graph
    for event in events {
      guard let parent = event.parent.map({ events[$0] }), let at = parent.registeredAt else {
        continue
      }
      var registration = shop.registrations.first { $0.key == parent.key }
      while let target = registration?.implementedBy {
        registration = shop.registrations.first { $0.key == target }
      }
      // What another container sees is another matter.
      guard let registration, registration.key != event.key,
        registration.registeredAt.column == column,
        registration.registeredAt == at || registration.key != parent.key,
        knownLines.contains(registration.registeredAt.line)
      else { continue }
      if !graph.dependencies(of: registration.key).contains(where: { $0.key == event.key }) {
        return "Not in the graph: \(parent) → \(event)\n\(graph)"
      }
    }
    return nil
  }
}

private protocol LazyPart {
  func ask()
}

extension LazyInjected: LazyPart {
  func ask() { _ = wrappedValue }
}

extension WeakLazyInjected: LazyPart {
  func ask() { _ = wrappedValue }
}
