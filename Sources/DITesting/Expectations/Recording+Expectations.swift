#if canImport(Testing) && canImport(XCTest)
import DIContainer

// What is expected of a service, however it is named: by type, or by the property that declares it.

extension Recording {
  /// Expects a service to have been resolved, and answers the events of these requests.
  func expectResolved(_ key: ServiceKey, times: Int?, built: Int?) -> [ResolutionEvent] {
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
    return events
  }

  /// Expects a service not to have been resolved.
  func expectNotResolved(_ key: ServiceKey) {
    let events = resolutions(of: key)
    guard !events.isEmpty else { return }
    fail(
      "Expected `\(key)` not to be resolved, but it was resolved \(counted(events.count)).",
      facts: events.compactMap(\.requestedAt).map { ("requested:", "\($0)") })
  }
}

private func counted(_ times: Int) -> String { times == 1 ? "1 time" : "\(times) times" }
#endif
