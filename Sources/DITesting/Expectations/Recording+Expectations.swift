#if canImport(Testing) && canImport(XCTest)
import DIContainer

// Expectations about a service, by type or by the property that declares it.

extension Recording {
  func expectResolved(_ key: ServiceKey, times: Int?, built: Int?) {
    let events = resolutions(of: key)
    if let times, events.count != times {
      fail(
        "Expected `\(key)` to be resolved \(counted(times)), "
          + "but it was resolved \(counted(events.count)).", about: key)
    } else if times == nil, events.isEmpty {
      fail("Expected `\(key)` to be resolved, but it was not.", about: key)
    }
    let made = events.count { $0.kind == .created }
    if let built, made != built {
      fail(
        "Expected `\(key)` to be built \(counted(built)), but it was built \(counted(made)).",
        about: key)
    }
  }

  func expectNotResolved(_ key: ServiceKey) {
    let events = resolutions(of: key)
    guard !events.isEmpty else { return }
    fail(
      "Expected `\(key)` not to be resolved, but it was resolved \(counted(events.count)).",
      facts: events.compactMap(\.requestedAt).map { ("requested:", "\($0)") })
  }

  /// Expects services to have been resolved in an order, possibly with others in between.
  func expectResolved(inOrder keys: [ServiceKey]) {
    var rest = resolutions[...]
    var previous: ServiceKey?
    for key in keys {
      guard let place = rest.firstIndex(where: { $0.concerns(key) }) else {
        let order = keys.map(\.description).joined(separator: ", ")
        let after = previous.map { " after `\($0)`" } ?? ""
        fail(
          "Expected to be resolved in this order: \(order). "
            + "But `\(key)` was not resolved\(after).")
        return
      }
      rest = rest[(place + 1)...]
      previous = key
    }
  }

  /// Expects every resolved service to be a double, unless it may be live.
  func expectOnlyDoublesResolved(except mayBeLive: (ServiceKey) -> Bool) {
    let live = resolutions.filter { !$0.isDouble && !mayBeLive($0.key) }
    guard let first = live.first?.key else { return }
    var seen: [String] = []
    let facts = live.compactMap { event -> (String, String)? in
      let text =
        "`\(event.key)` in \(event.container), registered at \(event.registeredAt!), "
        + "requested at \(event.requestedAt!)"
      if seen.contains(text) { return nil }
      seen.append(text)
      return ("live:", text)
    }
    fail(
      "Expected only doubles to be resolved, but "
        + (facts.count == 1 ? "a live service was." : "\(facts.count) live services were."),
      facts: facts,
      fixes: [
        "Register a double: \(first.doubleAdvice("mock."))"
          + (first.property == nil ? "." : " in a layer."),
        "If it may be live, exclude it: `except: \(first.sourceText)`.",
      ])
  }
}
#endif
