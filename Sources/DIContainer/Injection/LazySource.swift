internal import DIPrimitives

/// The scope that a lazy wrapper was created in.
///
/// It is remembered weakly: the scope ends although the wrapper's owner lives on.
@usableFromInline
final class LazyOrigin: Sendable {
  private let innermost: Weak<ContextFrame>
  /// The innermost sandbox, layer or scoped root.
  private let scope: Weak<ContextFrame>
  private let kind: FrameKind
  private let name: String
  private let location: CodeLocation

  init(_ frame: ContextFrame) {
    let scope = frame.containerFrame ?? frame
    innermost = Weak(value: frame)
    self.scope = Weak(value: scope)
    (kind, name, location) = (scope.kind, scope.opener.name, scope.opener.location)
  }

  /// The frame for uses without a context; nil once the scope has ended.
  var frame: ContextFrame? {
    guard let scope = scope.value, !scope.hasEnded, scope.endedFrame == nil else { return nil }
    return innermost.value ?? scope
  }

  /// Whether instances of the wrapper's owner belong to a scope: that of its creation, or one
  /// inside.
  func encloses(_ used: ContextFrame) -> Bool {
    guard kind != .plain else { return true }
    return scope.value.map(used.isInside) ?? false
  }

  /// The place of the scope and what it is, for reports.
  var place: String { location.line == 0 ? name : "\(name), at \(location)" }

  var noun: String {
    switch kind {
    case .layer: "layer"
    case .root: "scoped root"
    default: "sandbox"
    }
  }
}

/// The container, name, arguments and context that a lazy wrapper resolves its service with.
@usableFromInline
package struct LazySource {
  @usableFromInline package var name: Resolver.Name?
  @usableFromInline var container: Resolver?
  var args: Any?
  @usableFromInline let location: CodeLocation
  /// The scope that it was created in; nil outside every one.
  @usableFromInline let origin: LazyOrigin?

  @usableFromInline
  init(
    name: Resolver.Name? = nil, container: Resolver? = nil, args: Any? = nil,
    location: CodeLocation
  ) {
    self.name = name
    self.container = container
    self.args = args
    self.location = location
    origin = ContextFrame.current.map(LazyOrigin.init)
  }

  /// Whether there may be scopes in the process; a quick check.
  @usableFromInline static var mayBeInScope: Bool { di_attention_needed() != 0 }

  /// The frame that it is used in: the current one if there is one, otherwise the remembered one.
  ///
  /// Code without a context of its own is in the remembered one, or in what was opened inside that.
  private var frame: ContextFrame? {
    let current = ContextFrame.current
    guard ContextFrame.bound == nil, let remembered = origin?.frame else { return current }
    return current?.isInside(remembered) ?? false ? current : remembered
  }

  /// The sandbox, layer or scoped root that it is used in.
  var scope: ContextFrame? { frame?.containerFrame }

  /// Whether another source has the same name and container.
  func requestsSame(as other: LazySource) -> Bool {
    name == other.name && container === other.container
  }

  /// Runs a closure in the frame that the wrapper is used in.
  func inContext<Result>(_ body: () -> Result) -> Result {
    guard origin != nil, ContextFrame.bound == nil, let frame else { return body() }
    return ContextFrame.$bound.withValue(frame, operation: body)
  }

  /// Returns the service; `factory` provides it for wrappers that refer to a property.
  // Inlinable like `LazyStorage`.
  @inlinable
  package func resolve<Service>(_ factory: (() -> Factory<Service>)?) -> Service {
    isPlain ? resolvePlain(factory) : resolveInContext(factory)
  }

  /// Whether it can be resolved without arguments, in the current context.
  @usableFromInline
  var isPlain: Bool { args == nil && (origin == nil || ContextFrame.bound != nil) }

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
    if let origin, ContextFrame.bound == nil, origin.frame == nil {
      return resolve(factory, after: origin)
    }
    return inContext {
      guard let args, factory == nil else { return resolvePlain(factory) }
      return (container ?? Resolver.rootAfterStartup).resolve(
        name: name, args: args, fileID: location.fileIDText, filePath: location.filePathText,
        line: location.line, column: location.column)
    }
  }

  /// Returns the service for work without a context, although the scope of the owner has ended.
  ///
  /// Reports and diagnoses name that scope.
  private func resolve<Service>(
    _ factory: (() -> Factory<Service>)?, after origin: LazyOrigin
  ) -> Service {
    do {
      return try ContextFrame.$endedOrigin.withValue(origin.place) {
        if let factory {
          return try factory().require(
            fileID: location.fileIDText, filePath: location.filePathText, line: location.line,
            column: location.column)
        }
        return try (container ?? Resolver.rootAfterStartup).require(
          name: name, args: args, fileID: location.fileIDText, filePath: location.filePathText,
          line: location.line, column: location.column)
      }
    } catch {
      trap((error as? ResolutionError)?.ofLazy(madeIn: origin.noun, origin.place) ?? error)
    }
  }
}

extension ContextFrame {
  /// The scope, which has ended, of the owner of the lazy wrapper that is being resolved.
  @TaskLocal package static var endedOrigin: String?
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
      LazySource(name: request.name, container: container, args: args, location: request.location))
  }
}
