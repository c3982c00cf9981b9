import DIContainer
import DITesting

extension RecordedShop {
  /// An instance that was handed out, and the event that says so.
  private struct Delivery {
    let event: ResolutionEvent
    let good: Goods
    let service: Good
  }

  /// What a recorder says that is not so, if anything.
  func fault(in recorder: ResolutionRecorder) -> String? {
    let events = recorder.events
    if let fault = ConcurrencyTests.fault(inStructureOf: events) { return fault }
    if let fault = ConcurrencyTests.fault(inPicturesOf: recorder) { return fault }
    let requests = Dictionary(
      grouping: events.filter(\.isRequest), by: { $0.requestedAt?.line ?? 0 })
    var deliveries: [Delivery] = []
    var last = -1
    for asked in asked {
      guard let event = requests[asked.line]?.first, requests[asked.line]?.count == 1 else {
        return "Line \(asked.line): \(requests[asked.line] ?? [])"
      }
      if event.index <= last { return "Line \(asked.line) is not in order." }
      last = event.index
      if event.key != ServiceKey(asked.good.type, name: asked.good.name) {
        return "Line \(asked.line): \(event)"
      }
      if asked.run == nil, event.depth != 0 { return "Line \(asked.line): depth \(event.depth)" }
      guard let service = asked.answer else {
        if event.kind != .missed { return "Line \(asked.line): \(event)" }
        continue
      }
      deliveries.append(Delivery(event: event, good: asked.good, service: service))
      if let fault = fault(inOwn: asked.own, of: event, events) { return fault }
    }
    return fault(in: deliveries, events)
  }

  /// A recorder that heard one request alone heard what all heard of it.
  private func fault(
    inOwn own: ResolutionRecorder?, of event: ResolutionEvent, _ events: [ResolutionEvent]
  ) -> String? {
    guard let own else { return nil }
    let rest = events[event.index...]
    let inside = [event] + rest.dropFirst().prefix { $0.depth > event.depth }
    let moved = inside.map {
      var moved = $0
      moved.index -= event.index
      moved.depth -= event.depth
      moved.parent = $0.index == event.index ? nil : $0.parent.map { $0 - event.index }
      return moved
    }
    return own.events == moved ? nil : "Of line \(event.requestedAt!.line) alone:\n\(own.tree)"
  }

  private func fault(
    in answers: [Delivery], _ events: [ResolutionEvent]
  ) -> String? {
    var deliveries = answers
    let made = events.filter { $0.kind == .created }
    let runs = runs.dropFirst(early)
    let lost = lost(events)
    if made.count != runs.count { return "\(made.count) were created, of \(runs.count)." }
    // Instances come to be from the inside out: a parameter's stands before its owner's here.
    for run in runs.reversed() where run.plan.isInitialiser {
      if lost.contains(run.plan.line) { continue }
      guard
        let parent = deliveries.filter({ $0.service === run.made }).map(\.event.index).min()
      else { return "Nobody asked for what line \(run.plan.line) made." }
      let children = events.filter { $0.parent == parent }
      let needs = Array(zip(run.plan.needs, run.made!.parts)).filter { $0.0.form != .lazy }
      if children.count != needs.count { return "\(events[parent]): \(children)" }
      for (child, (need, part)) in zip(children, needs) {
        if child.requestedAt?.line != run.plan.line || child.key.type != need.good.type {
          return "\(events[parent]): \(child)"
        }
        if let part = Self.good(part) {
          deliveries.append(Delivery(event: child, good: need.good, service: part))
        } else if child.kind != .missed {
          return "\(events[parent]): \(child)"
        }
      }
    }
    return faultOfKinds(deliveries, lost) ?? faultOfParents(deliveries, events, lost)
      ?? faultOfCounts(deliveries, events)
  }

  /// The lines of what was made as a parameter of what failed then: nobody here has it.
  private func lost(_ events: [ResolutionEvent]) -> Set<UInt> {
    let lines = Set(asked.map(\.line))
    let parameters = events.filter {
      $0.parent != nil && $0.kind != .missed && !lines.contains($0.requestedAt!.line)
    }
    var lost: Set<UInt> = []
    var count = -1
    while count < lost.count {
      count = lost.count
      for event in parameters {
        let parent = events[event.parent!]
        if parent.kind == .missed || lost.contains(parent.registeredAt!.line) {
          let line = event.registeredAt!.line
          lost.insert(line)
          // By way of another name, any line may have made it.
          if goods[line]?.type != event.key.type { lost.formUnion(goods.keys) }
        }
      }
    }
    return lost
  }

  private static func good(_ part: Any?) -> Good? {
    guard let part else { return nil }
    if let good = part as? Good { return good }
    return nil
  }

  /// The first request for an instance made it, and the others found it kept.
  private func faultOfKinds(_ deliveries: [Delivery], _ lost: Set<UInt>) -> String? {
    let wasThere = Set(runs.prefix(early).map { ObjectIdentifier($0.made!) })
    var known = wasThere
    for delivery in deliveries.sorted(by: { $0.event.index < $1.event.index }) {
      let isNew = known.insert(ObjectIdentifier(delivery.service)).inserted
      let event = delivery.event
      let plan = runs.first { $0.made === delivery.service }!.plan
      if lost.contains(plan.line) { continue }
      if event.kind != (isNew ? .created : .kept) { return "Not \(isNew): \(event)" }
      if event.scope != "\(plan.scope)" { return "Not .\(plan.scope): \(event)" }
      // Layers are gone by now, and another container may have the alias.
      guard plan.good == delivery.good else { continue }
      if event.registeredAt?.line != plan.line || event.registeredAt?.column != column {
        return "Not line \(plan.line): \(event) \(event.registeredAt!)"
      }
      if plan.container < 3, event.container != containers[plan.container].core.label {
        return "Not \(plan.container): \(event)"
      }
      if plan.isDouble && !event.isDouble { return "No double: \(event)" }
    }
    return nil
  }

  /// What a factory asked for stands below the request that it ran for.
  private func faultOfParents(
    _ deliveries: [Delivery], _ events: [ResolutionEvent], _ lost: Set<UInt>
  ) -> String? {
    for asked in asked {
      guard let run = asked.run, let made = run.made, !lost.contains(run.plan.line),
        let event = events.first(where: { $0.requestedAt?.line == asked.line })
      else { continue }
      let first = deliveries.filter { $0.service === made }.map(\.event.index).min()
      if event.parent != first { return "Line \(asked.line) below \(event.parent ?? -1)." }
    }
    return nil
  }

  /// Expectations count as the test does.
  private func faultOfCounts(
    _ deliveries: [Delivery], _ events: [ResolutionEvent]
  ) -> String? {
    func expect<Known>(_ type: Known.Type) {
      let own = deliveries.filter { $0.good.type == type }
      if own.isEmpty {
        expectNotResolved(type)
      } else {
        expectResolved(
          type, times: own.count, built: own.count { $0.event.kind == .created })
      }
    }
    let types = Set(Goods.allCases.map { ServiceKey($0.type) })
    if !lost(events).isEmpty { return nil }
    for key in types { expect(key.type) }
    return nil
  }
}
