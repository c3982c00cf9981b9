/// The container, name, arguments and context that a lazy wrapper resolves its service with.
@usableFromInline
package struct LazySource {
  @usableFromInline package var name: Resolver.Name?
  @usableFromInline var container: Resolver?
  var args: Any?
  @usableFromInline let location: CodeLocation
  private let remembered: ContextFrame?
  /// Whether the remembered scope has ended and no longer applies: it is only named in diagnoses.
  private var isForgotten = false

  @usableFromInline
  init(
    name: Resolver.Name? = nil, container: Resolver? = nil, args: Any? = nil,
    location: CodeLocation
  ) {
    self.name = name
    self.container = container
    self.args = args
    self.location = location
    remembered = ContextFrame.current
  }

  private var scope: ContextFrame? { isForgotten ? nil : remembered }

  /// Runs a closure in the current context if there is one, otherwise in the remembered one.
  func inContext<Result>(_ body: () -> Result) -> Result {
    guard let frame = elsewhere else { return body() }
    return ContextFrame.$bound.withValue(frame, operation: body)
  }

  /// The context for code without a context of its own: the frame that was pushed or opened on the
  /// process inside the remembered scope, or else that scope.
  private var elsewhere: ContextFrame? {
    guard let scope, ContextFrame.ofTask == nil, !isOfEarlierTest, !isServedWithoutScope else {
      return nil
    }
    if let top = ContextFrame.processTop, top.chain.contains(where: { $0 === scope }) {
      return top
    }
    return scope
  }

  /// Whether the remembered scope has ended, and the calling code has no context of its own.
  private var isLeftBehind: Bool {
    guard let scope, ContextFrame.ofTask == nil else { return false }
    return scope.hasEnded || scope.endedFrame != nil
  }

  /// Whether the remembered scope has ended, and another one serves code without a context, such as
  /// the test case that XCTest runs.
  private var isServedWithoutScope: Bool { isLeftBehind && ContextFrame.current != nil }

  /// Whether a test that has opened no scope uses a wrapper of an earlier test, such as a global
  /// object's.
  @usableFromInline
  var isOfEarlierTest: Bool { isLeftBehind && Tests.delegate?.isInRunningTest ?? false }

  mutating func forgetScope() { isForgotten = true }

  /// Whether another source has the same name and container.
  func requestsSame(as other: LazySource) -> Bool {
    name == other.name && container === other.container
  }

  /// Whether it remembers the scope that another source does; no frame is read.
  func remembersScope(of other: LazySource) -> Bool {
    !isForgotten && remembered === other.remembered
  }

  /// The scope of the use, if it replaces the storage of a wrapper that was created elsewhere.
  @usableFromInline
  var scopeElsewhere: LazyFrame? {
    if let scope, isLeftBehind, !isServedWithoutScope { return LazyFrame(ofLateWork: scope) }
    return LazyFrame(used: elsewhere ?? ContextFrame.current, remembered: scope)
  }

  /// Returns the service; `factory` provides it for wrappers that refer to a property.
  // Inlinable like `LazyStorage`.
  @inlinable
  package func resolve<Service>(_ factory: (() -> Factory<Service>)?) -> Service {
    isPlain ? resolvePlain(factory) : resolveInContext(factory)
  }

  /// Whether it can be resolved without arguments, in the current context.
  @usableFromInline
  var isPlain: Bool { args == nil && (remembered == nil || ContextFrame.ofTask != nil) }

  @inlinable
  func resolvePlain<Service>(_ factory: (() -> Factory<Service>)?) -> Service {
    if let factory {
      return factory().resolve(
        fileID: location.fileIDText, filePath: location.filePathText, line: location.line,
        column: location.column)
    }
    return (container ?? Resolver.rootAfterStartup).resolve(
      name: name, fileID: location.fileIDText, filePath: location.filePathText,
      line: location.line, column: location.column)
  }

  @usableFromInline @inline(never)
  func resolveInContext<Service>(_ factory: (() -> Factory<Service>)?) -> Service {
    inContext {
      if let ended = remembered?.endedFrame { return resolve(factory, after: ended) }
      guard let args, factory == nil else { return resolvePlain(factory) }
      return (container ?? Resolver.rootAfterStartup).resolve(
        name: name, args: args, fileID: location.fileIDText, filePath: location.filePathText,
        line: location.line, column: location.column)
    }
  }

  /// Returns the service, or traps with a diagnosis that names the scope of the wrapper's owner.
  private func resolve<Service>(
    _ factory: (() -> Factory<Service>)?, after ended: ContextFrame
  ) -> Service {
    do {
      if let factory {
        return try factory().require(
          fileID: location.fileIDText, filePath: location.filePathText, line: location.line,
          column: location.column)
      }
      return try (container ?? Resolver.rootAfterStartup).require(
        name: name, args: args, fileID: location.fileIDText, filePath: location.filePathText,
        line: location.line, column: location.column)
    } catch {
      trap(error.ofLazy(madeIn: ended))
    }
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

  package static func deliver(
    _ request: Request, args: Borrowed<Any>?, container: Resolver, to out: InstanceMemory
  ) -> Bool {
    let source = LazySource(
      name: request.name, container: container, args: args?.value, location: request.location)
    out.initialize(as: Self.self, to: Self(source))
    return true
  }
}
