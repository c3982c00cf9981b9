// A decoration is a registration that wraps the one that a request would find without it: the one
// that it replaces in the same container or layer or, if there is none, what the search finds next.
// If the service was removed there, the search finds what it would then find: the removal is
// remembered and still counts at that place.
//
// A request finds it together with what it wraps (`Found.next`). Each of them is made, or found
// kept, in turn (`Resolution.decorate`), and what the decoration makes is kept as long as what it
// wraps (`Found.keeping`).

extension Resolver {
  /// Registers, under a key, a decoration that applies `transform` to the instance below.
  package func decorate<Service>(
    _ key: ServiceKey, at location: CodeLocation,
    _ transform: @escaping (Service) throws -> Service
  ) {
    // What set-up code registers would not replace the decoration.
    for container in [self, ContextFrame.current?.root ?? Resolver.root] {
      container.prepareForListing()
    }
    let target = RegistrationTarget.current(for: core)
    var made: Registration
    var present: Registration?
    repeat {
      present = target.registry.find(key)
      made = Registration(
        key: key, scope: .unique, location: location,
        maker: Maker(Decoration(of: key, over: present, transform)), options: target.options())
      // Again, if another thread registers meanwhile, for that is to be wrapped, too.
    } while !target.store(made, over: present)
    target.tell(of: made)
  }
}

extension Decoration {
  convenience init<Service>(
    of key: ServiceKey, over present: Registration?,
    _ transform: @escaping (Service) throws -> Service
  ) {
    // A property always has an instance, if only the nil of an optional.
    let absent =
      key.property == nil
      ? nil : (Service.self as? any OptionalType.Type).map { $0.none as! Service }
    self.init(over: present) { wrapped in
      // With no registration below, or nil from its factory, there is nothing to decorate.
      guard let live = wrapped?.value(as: Service.self) ?? absent else { return nil }
      let decorated = try transform(live)
      return absent != nil && isNil(decorated) ? nil : Instance(decorated)
    }
  }
}

extension Found {
  /// Returns the request for what this decoration wraps.
  func requestForWrapped(_ request: Request) -> Request {
    request.declared?.request(registration.location)
      ?? Request(registration.key, location: registration.location)
  }

  /// Tells a test that has policies of a live service that a double wraps.
  func noteWrapped(_ request: Request, container: Resolver, _ frame: ContextFrame?) {
    guard let frame, frame.policies != nil, !target.isDouble
    else { return }
    Tests.findDelegate()?.note(
      .live(registration, of: owner, request, isWrapped: true, in: frame))
  }
}
