/// A service declared as a property of a container, without the declared factory.
///
/// Factories are made anew at each access, in the code that declares them. So the fields are plain,
/// and the short path is inlinable. With the closure of a `Factory` there are six: a struct of more
/// fields is destroyed through its metadata, for some 10 ns.
@frozen @usableFromInline
struct Declaration: @unchecked Sendable {
  // Sendable: containers and managers are.

  /// The object that keeps the manager alive.
  ///
  /// It is a `Container` itself, which saves counting a reference where it was just made or read,
  /// or the manager of any other container, which might replace its own.
  @usableFromInline let holder: AnyObject
  @usableFromInline let managed: Unmanaged<ContainerManager>
  @usableFromInline let property: PropertyKey
  /// The scope that the declaration names.
  @usableFromInline var scope: DeclaredScope
  /// The declaration's settings besides its factory and a well-known scope; nil in most.
  @usableFromInline var settingsBox: SettingsBox?

  var manager: ContainerManager { managed.takeUnretainedValue() }
  var core: ContainerCore { manager.core }
  /// The container in the form that resolves by type.
  var container: Resolver { holder as? Resolver ?? manager.resolver }
  /// Whether nil is an instance.
  @usableFromInline var isOptional: Bool { property.isOptional }
  /// The key of requests for the property.
  var key: ServiceKey { ServiceKey(property.type, property: property) }
  var declaredScope: Scope? { scope.scope(custom: settingsBox?.value.scope) }

  /// The key under which a layer of another type registers for the property.
  var qualifiedKey: ServiceKey {
    ServiceKey(property.type, property: property.qualified(by: core.containerType))
  }

  /// The settings of the declaration besides its factory and a well-known scope.
  var settings: FactorySettings {
    get { settingsBox?.value ?? FactorySettings() }
    set { settingsBox = SettingsBox(newValue) }
  }
}

// MARK: - The registrations of a property

extension Declaration {
  /// Returns a registration for the property, which is not stored yet.
  func registration(
    _ maker: Maker, _ scope: Scope, _ key: ServiceKey, _ location: CodeLocation,
    _ options: consuming Registration.Options
  ) -> Registration {
    let settings = settings
    options.takesParameter = settings.takesParameter
    options.declaredScope = self.scope
    options.boundary = settings.boundary ?? options.boundary ?? self.core.boundary
    return Registration(
      id: SerialNumber.next(), key: key, scope: scope, location: location, maker: maker,
      options: options, ofPropertyIn: core)
  }
}

extension Registration {
  /// Creates a registration for a property of a container, which is not stored yet.
  ///
  /// What it wraps at its place is in its scope, too.
  convenience init(
    id: UInt64, key: ServiceKey, scope: Scope, location: CodeLocation, maker: Maker,
    options: Options, ofPropertyIn core: ContainerCore
  ) {
    var maker = maker
    let decoration = maker.decoration
    if let decoration, let replaced = decoration.replaced, !replaced.isRemoval,
      replaced.scope !== scope
    {
      maker.details.decoration = Decoration(
        over: replaced.inScope(scope, of: core), decoration.apply)
    }
    // The singleton itself is in the keeper of the property; a decoration of it has another.
    let isSingleton = scope === Scope.singleton && decoration == nil
    let container = isSingleton ? core.containerType : nil
    if isSingleton { key.property!.wasSingleton.set(true) }
    self.init(
      id: id, key: key, scope: scope, location: location, maker: maker,
      keeper: container.map { key.property!.singletonKeeper(of: $0) },
      options: options)
  }
}

/// The declaration that a request by key path is for, with the declared factory.
@usableFromInline
package final class DeclaredProperty {
  let declaration: Declaration
  /// The declared factory; nil if another module is to register one.
  let maker: Maker?

  @usableFromInline
  init(_ declaration: Declaration, _ maker: Maker? = nil) {
    self.declaration = declaration
    self.maker = maker
  }
}

// MARK: - The settings of a declaration

/// A closure that receives an instance, and whether it was just made.
typealias InstanceObserver = (_ instance: Instance, _ isNew: Bool) -> Void

/// The settings that a declaration makes besides its factory and a well-known scope.
struct FactorySettings {
  /// The name of the property, if the key is another.
  var function: StaticString?
  var takesParameter = false
  /// Whether it was promised: another module is to register it.
  var isPromise = false
  /// The scope, if it is user-defined.
  var scope: Scope?
  /// The boundary that the service is behind, if any.
  var boundary: String?
  var contexts: [ContextFactory] = []
  var decorator: InstanceObserver?
  var timeToLive: Double?
  /// Returns the value by which a parameter's instance is kept.
  var keepBy: ((_ parameter: Any) -> AnyHashable)?

  /// Whether nothing of it matters to a request but the scope.
  var isOnlyScope: Bool {
    !isPromise && contexts.isEmpty && decorator == nil && timeToLive == nil && keepBy == nil
  }
}

/// A box around settings, whose copies count one reference.
@usableFromInline
final class SettingsBox: @unchecked Sendable {
  // Sendable: it never changes, and the closures in it are the user's.
  let value: FactorySettings
  // Stored, since the short path reads it.
  let isOnlyScope: Bool

  init(_ value: FactorySettings) {
    self.value = value
    isOnlyScope = value.isOnlyScope
  }

  @usableFromInline
  init(function: StaticString?, takesParameter: Bool) {
    value = FactorySettings(function: function, takesParameter: takesParameter)
    isOnlyScope = true
  }
}
