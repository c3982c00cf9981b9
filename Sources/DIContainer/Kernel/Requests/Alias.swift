internal import DIPrimitives

// A registration that forwards to another one: `implements` and `as`. A request for the protocol
// resolves to the current registration of the service, which is then converted to the protocol.

/// Converts the instance in the first memory to a service in the second, uninitialised one; returns
/// false if it cannot be converted.
///
/// It is composed at the registering call, where the compiler may know that the service conforms.
@usableFromInline
typealias Conversion = (_ instance: UnsafeRawPointer, _ out: UnsafeMutableRawPointer) -> Bool

/// The target of an alias, and the conversion of its instances to the alias's service.
final class Alias {
  let target: ServiceKey
  let key: RawKey
  private let service: Any.Type
  private let location: CodeLocation
  private let conversion: Conversion

  init(
    of target: ServiceKey, as service: Any.Type, at location: CodeLocation,
    _ convert: @escaping Conversion
  ) {
    self.target = target
    key = target.rawKey
    self.service = service
    self.location = location
    self.conversion = convert
  }

  /// Puts the instance of the target into memory, as a request for the alias.
  func resolve(_ order: ProduceOrder) throws -> ResolutionEvent.Kind {
    // An alias of a removed service is not registered either.
    guard let found = Lookup.find(key, in: order.asked.core, order.frame) else { return .missed }
    if let circle = Self.circle(from: found.registration, in: order.asked.core, order.frame) {
      throw ResolutionError.cycle(order.requested.pointee, throughThreads: circle)
    }
    return try InstanceMemory.with(target.type) { memory in
      let start = try Produce.start(
        ProduceOrder(
          found: found.wrapping(asked: order.asked, order.frame), requested: order.requested,
          args: order.args, asked: order.asked, frame: order.frame, out: memory,
          event: order.event, recording: nil, isWhole: false))
      let outcome: ResolutionEvent.Kind
      switch start {
      case .done(let kind): outcome = kind
      case .make(let produce): outcome = try produce.run() ? .created : .missed
      }
      if outcome == .missed { return .missed }
      defer { InstanceMemory.destroy(memory, target.type) }
      try convert(memory, to: order.out, order.requested)
      return outcome
    }
  }

  /// Copies an instance of the target to memory, as a service.
  fileprivate func convert(
    _ memory: UnsafeMutableRawPointer, to out: UnsafeMutableRawPointer,
    _ request: UnsafePointer<Request>
  ) throws {
    if conversion(memory, out) { return }
    throw ResolutionError.notImplemented(
      service, by: target.type, InstanceMemory.load(memory, target.type), request.pointee,
      at: location)
  }

  /// Returns a box with the service for an instance of the target.
  func convert(_ box: AnyBox, _ request: Request) throws -> AnyBox? {
    try AnyBox.strong(of: service) { out in
      try InstanceMemory.with(target.type) { memory in
        guard box.copy(to: memory) else { return false }
        defer { InstanceMemory.destroy(memory, target.type) }
        try withUnsafePointer(to: request) { try convert(memory, to: out, $0) }
        return true
      }
    }
  }

  /// Returns the aliases that form a circle, if following them from one never ends.
  private static func circle(
    from first: Registration, in core: ContainerCore, _ frame: ContextFrame?
  ) -> [ChainLink]? {
    var links: [ChainLink] = []
    var next: Registration? = first
    while let registration = next, let target = registration.aliasTarget {
      if let start = links.firstIndex(where: { $0.key == registration.key }) {
        return Array(links[start...])
      }
      links.append(ChainLink(key: registration.key, location: registration.location))
      next = Lookup.find(target.rawKey, in: core, frame)?.registration
    }
    return nil
  }
}

extension Engine {
  /// Puts the instance of an alias's target, if that is a plain registration of a class, into
  /// memory; returns nil to take the slow path.
  ///
  /// Called in a read section, which it leaves.
  @inline(never)
  static func deliverAlias(
    _ found: Unmanaged<Registration>, _ thread: UnsafeMutablePointer<di_thread>,
    _ request: UnsafePointer<Request>, _ args: UnsafePointer<Any>?, asked: Resolver,
    to out: UnsafeMutableRawPointer
  ) throws -> Bool? {
    guard let alias = found._withUnsafeGuaranteedRef({ $0.alias }),
      let target = asked.core.find(alias.key),
      target._withUnsafeGuaranteedRef({ $0.isClass })
    else {
      di_unpin(thread)
      return nil
    }
    return try withUnsafeTemporaryAllocation(of: AnyObject.self, capacity: 1) { object in
      let memory = UnsafeMutableRawPointer(object.baseAddress.unsafelyUnwrapped)
      switch target._withUnsafeGuaranteedRef({ $0.path }) {
      case .unique:
        guard try make(target, thread, request, args, asked: asked, to: memory) else {
          return false
        }
      case .graph:
        guard try share(target, thread, request, args, asked: asked, to: memory) else {
          return false
        }
      case .kept:
        let isKept = target._withUnsafeGuaranteedRef { Keeper.copyPinned($0.keptAt, to: memory) }
        di_unpin(thread)
        if !isKept { return nil }
      case .awaited, .alias, .other:
        di_unpin(thread)
        return nil
      }
      defer { object.deinitialize() }
      try alias.convert(memory, to: out, request)
      return true
    }
  }
}
