internal import DIPrimitives

// A registration that forwards to another one: `implements` and `as`. A request for the protocol
// resolves to the current registration of the service, cast to the protocol.
//
// The dynamic cast costs more than all the rest. But its result depends on the object's class only:
// the words beside the reference are equal for all instances of a class. So an alias remembers
// these words for the first class that it encounters.

/// The target of an alias, and the conversion of its instances to the alias's service.
final class Alias {
  let target: ServiceKey
  let key: RawKey
  let resolve: (ProduceOrder) throws -> ResolutionEvent.Kind
  private let view: View

  init<Target, Service>(
    of target: ServiceKey, _ type: Target.Type, as service: Service.Type, at location: CodeLocation
  ) {
    self.target = target
    key = target.rawKey
    let view = View()
    self.view = view
    resolve = { order in
      // An alias of a removed service is not registered either.
      guard let found = Lookup.find(target.rawKey, in: order.asked.core, order.frame) else {
        return .missed
      }
      if let circle = Self.circle(from: found.registration, in: order.asked.core, order.frame) {
        throw ResolutionError.cycle(order.requested.pointee, throughThreads: circle)
      }
      return try withUnsafeTemporaryAllocation(of: Target.self, capacity: 1) { memory in
        let memory = memory.baseAddress!
        let outcome: ResolutionEvent.Kind
        let start = try Produce.start(
          ProduceOrder(
            found: found.wrapping(asked: order.asked, order.frame), requested: order.requested,
            args: order.args, asked: order.asked, frame: order.frame,
            out: UnsafeMutableRawPointer(memory), event: order.event,
            recording: nil, isWhole: false))
        switch start {
        case .done(let kind): outcome = kind
        case .make(let produce): outcome = try produce.run() ? .created : .missed
        }
        guard outcome != .missed else { return .missed }
        let target = memory.move()
        guard let service = target as? Service else {
          throw ResolutionError.notImplemented(
            Service.self, by: Target.self, target, order.requested.pointee, at: location)
        }
        order.out.initializeMemory(as: Service.self, to: service)
        if Target.self is AnyClass { view.learn(target as AnyObject, order.out, Service.self) }
        return outcome
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

  /// The form of instances of the first class encountered; nil before.
  ///
  /// The caller is in a read section.
  @inline(__always)
  var known: Form? { view.known }

  /// The words of a service for instances of one class.
  struct Form {
    let classAddress: UInt
    /// The size of the service; its first word is the reference.
    let size: Int
    let words: ServiceWords

    /// Completes a reference to an object to the service; returns false if its class is another.
    @inline(__always)
    func apply(to out: UnsafeMutableRawPointer) -> Bool {
      let object = out.load(as: AnyObject.self)
      guard unsafeBitCast(type(of: object), to: UInt.self) == classAddress else { return false }
      words.copyWitnesses(to: out, size: size)
      return true
    }
  }

  /// A remembered form, which is read without a lock.
  ///
  /// It is written again only if two threads are first at once.
  private final class View {
    private let word: UnsafeMutablePointer<UnsafeMutableRawPointer?>

    init() {
      word = .allocate(capacity: 1)
      word.initialize(to: nil)
    }

    deinit {
      di_load(word)?.deallocate()
      word.deallocate()
    }

    @inline(__always)
    var known: Form? { di_load(word)?.load(as: Form.self) }

    func learn<Service>(
      _ object: AnyObject, _ memory: UnsafeMutableRawPointer, _ type: Service.Type
    ) {
      let (form, size) = InstanceForm.formAndSize(type)
      guard di_load(word) == nil, size <= ServiceWords.count * 8,
        form.object(in: memory)?.toOpaque() == Unmanaged.passUnretained(object).toOpaque(),
        // Conformances isolated to an actor have to be refused elsewhere.
        !conformsOnActorOnly(Swift.type(of: object), to: type)
      else { return }
      let known = UnsafeMutablePointer<Form>.allocate(capacity: 1)
      known.initialize(
        to: Form(
          classAddress: unsafeBitCast(Swift.type(of: object), to: UInt.self), size: size,
          words: ServiceWords(copying: memory, size: size)))
      let old = di_exchange(word, UnsafeMutableRawPointer(known))
      if let old {
        di_quiesce()
        old.deallocate()
      }
    }
  }
}

extension Engine {
  /// Puts the instance of an alias's target into memory; returns nil to take the slow path.
  ///
  /// Called in a read section, which it leaves. An object and the service that it is converted to
  /// begin with the same word, so it is made in the same memory.
  @inline(never)
  static func deliverAlias(
    _ alias: Unmanaged<Registration>, _ target: PlainScope.Answer?,
    _ thread: UnsafeMutablePointer<di_thread>, _ request: UnsafePointer<Request>,
    _ args: UnsafePointer<Any>?, asked: Resolver, to out: UnsafeMutableRawPointer
  ) throws -> Bool? {
    guard let form = alias._withUnsafeGuaranteedRef({ $0.alias?.known }), let target,
      target.found._withUnsafeGuaranteedRef({ $0.form == .reference && $0.size == 8 })
    else {
      di_unpin(thread)
      return nil
    }
    alias._withUnsafeGuaranteedRef { $0.noteUse() }
    let found = target.found
    let isBuilt: Bool
    switch found._withUnsafeGuaranteedRef({ $0.path }) {
    case .unique:
      found._withUnsafeGuaranteedRef { $0.noteUse() }
      isBuilt = try make(found, thread, request, args, asked: asked, to: out)
    case .graph:
      found._withUnsafeGuaranteedRef { $0.noteUse() }
      isBuilt = try share(
        found, thread, request, args, asked: asked, scope: target.caches?.toOpaque(), to: out)
    case .kept:
      isBuilt = copyKept(target, to: out)
      di_unpin(thread)
      if !isBuilt { return nil }
    case .awaited, .alias, .other:
      di_unpin(thread)
      return nil
    }
    if isBuilt, !form.apply(to: out) { try view(request, in: out, asked: asked) }
    return isBuilt
  }

  /// Converts a reference to an object of any class to the requested service.
  @inline(never)
  private static func view(
    _ request: UnsafePointer<Request>, in out: UnsafeMutableRawPointer, asked: Resolver
  ) throws {
    let object = out.assumingMemoryBound(to: AnyObject.self).move()
    func view<Service>(_ type: Service.Type) throws {
      guard let service = object as? Service else {
        let found = Lookup.find(RawKey(request), in: asked.core, ContextFrame.current)
        throw ResolutionError.notImplemented(
          type, by: found?.registration.aliasTarget?.type ?? type, object, request.pointee,
          at: found?.registration.location ?? request.pointee.location)
      }
      out.initializeMemory(as: type, to: service)
    }
    try view(request.pointee.type)
  }
}
