/// A factory, whatever its service is.
@usableFromInline
package protocol LazyProperty {
  /// Returns the instance, or traps.
  func instance(at location: CodeLocation) -> Instance
  var laterNeed: LaterNeed { get }
}

extension Factory: LazyProperty {}

/// The request of a lazy wrapper, and the scope that the wrapper was created in.
@usableFromInline
package struct LazySource {
  let type: Any.Type
  package var name: Resolver.Name?
  var container: Resolver?
  var args: Any?
  @usableFromInline let location: CodeLocation
  /// Returns the factory, for wrappers that refer to a property.
  let property: (() -> any LazyProperty)?
  /// The scope that it was created in; nil outside every one.
  private let origin: LazyOrigin?

  @usableFromInline
  init(
    _ type: Any.Type, name: Resolver.Name? = nil, container: Resolver? = nil, args: Any? = nil,
    at location: CodeLocation, property: (() -> any LazyProperty)? = nil
  ) {
    self.type = type
    self.name = name
    self.container = container
    self.args = args
    self.location = location
    self.property = property
    // A layer of the process is no scope of a test's: what is used without a context later gets
    // what is on the process then.
    let frame = ContextFrame.current
    origin = frame?.isOnProcess == false ? frame.map(LazyOrigin.init) : nil
  }

  /// Whether it certainly requests the same instance as another.
  func isSameRequest(as other: LazySource) -> Bool {
    name == other.name && container === other.container && args == nil && other.args == nil
  }

  /// The sandbox, layer or scoped root that it is used in: of the current frame if there is one,
  /// otherwise of the remembered one.
  var containerFrame: ContextFrame? { frame?.containerFrame }

  /// Code without a context of its own is in the remembered one, or in what was opened inside that.
  private var frame: ContextFrame? {
    let current = ContextFrame.current
    guard ContextFrame.bound == nil, let remembered = origin?.frame else { return current }
    return current?.isInside(remembered) ?? false ? current : remembered
  }

  /// Whether what the wrapper's owner has applies in a frame: not in that of another test.
  func applies(in frame: ContextFrame) -> Bool { origin?.encloses(frame) ?? true }

  /// Runs a closure in the frame that the wrapper is used in.
  ///
  /// Without a context, after the end of the scope that it was created in, this is work of no test.
  @usableFromInline
  package func inContext<Result>(_ body: () -> Result) -> Result {
    guard let origin, ContextFrame.bound == nil else { return body() }
    return origin.frame == nil
      ? LazyOrigin.$ended.withValue(origin, operation: body)
      : ContextFrame.$bound.withValue(frame, operation: body)
  }

  /// Resolves the service, or traps.
  @usableFromInline
  package func instance() -> Instance {
    inContext {
      if let property { return property().instance(at: location) }
      return (container ?? Resolver.rootAfterStartup).instanceOrTrap(
        type, name: name, args: args, at: location)
    }
  }

  /// Returns the factory, for wrappers that refer to a property.
  package func factory<Service>() -> Factory<Service>? {
    inContext { property?() as? Factory<Service> }
  }

  /// The dependency that it resolves later.
  package var laterNeed: LaterNeed {
    inContext { property?().laterNeed } ?? LaterNeed(key: ServiceKey(type, name: name))
  }
}

/// A wrapper that resolves its service when it is used.
///
/// A container returns one on request, whether its service is registered or not: for the parameter
/// of an initialiser, or for the wrapper's type. The wrapper uses the same container, with the name
/// and the arguments of the request for the wrapper.
package protocol LazyDependency: RequestWrapper, ResolvesLater {
  associatedtype Service
  init(_ source: LazySource)
}

extension LazyDependency {
  package static func dependency(name: Resolver.Name?) -> Dependency {
    Dependency(ServiceKey(Service.self, name: name), isLazy: true)
  }

  package static func resolve(_ request: Request, args: Any?, container: Resolver) -> Self? {
    Self(
      LazySource(
        Service.self, name: request.name, container: container, args: args, at: request.location))
  }
}
