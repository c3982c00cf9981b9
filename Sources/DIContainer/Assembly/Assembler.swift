/// An assembler, which applies assemblies to a container and provides a view that only resolves.
///
/// ```swift
/// struct MailAssembly: Assembly {
///   func assemble(container: Container) {
///     container.register { SMTPMailer() as any Mailer }
///   }
/// }
///
/// let assembler = Assembler([MailAssembly()])
/// let mailer = assembler.resolver.resolve((any Mailer).self)!
/// ```
///
/// Both the assembler and its `resolver` keep the container, and so its services, alive.
public final class Assembler: Sendable {
  let container: Resolver

  /// Creates an assembler, loads properties, then applies assemblies.
  ///
  /// Properties come first, so that the `loaded` functions of assemblies can read them. Traps with
  /// a diagnosis when a loader fails; use `load(_:)` to handle that.
  ///
  /// - Parameters:
  ///   - assemblies: The assemblies to apply: all assemble, in order, then all are loaded.
  ///   - parent: An assembler whose services this one may use and override.
  ///   - boundary: The boundary that all services assembled here are behind, if any; see
  ///     ``ResolverOptions/boundary(_:)``.
  ///   - propertyLoaders: The loaders of properties, in order; later ones take precedence.
  public convenience init(
    _ assemblies: [any Assembly] = [], parent: Assembler? = nil, boundary: String? = nil,
    propertyLoaders: [any PropertyLoader] = [], fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    self.init(
      assemblies, parent: parent, defaultScope: nil, boundary: boundary, propertyLoaders,
      CodeLocation(fileID, filePath, line, column))
  }

  package convenience init(
    _ assemblies: [any Assembly], parent: Assembler?, defaultScope: Scope?, boundary: String? = nil,
    _ loaders: [any PropertyLoader], _ location: CodeLocation
  ) {
    self.init(
      Resolver(
        child: parent?.container, defaultScope: defaultScope, boundary: boundary, at: location))
    // The container is new, so its assemblies register base state in every context.
    RegisteringContext.with({ $0.assembliesAreDoubles = false }) {
      set(up: assemblies, loaders, location)
    }
  }

  private init(_ container: Resolver) {
    self.container = container
  }

  /// Creates an assembler for an existing container, such as a layer.
  ///
  /// - Parameters:
  ///   - assemblies: The assemblies to apply: all assemble, in order, then all are loaded.
  ///   - container: The container to register in.
  ///   - propertyLoaders: The loaders of properties, in order; later ones take precedence.
  public convenience init(
    _ assemblies: [any Assembly] = [], container: Container,
    propertyLoaders: [any PropertyLoader] = [], fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    self.init(container)
    set(up: assemblies, propertyLoaders, CodeLocation(fileID, filePath, line, column))
  }

  private func set(
    up assemblies: [any Assembly], _ loaders: [any PropertyLoader], _ location: CodeLocation
  ) {
    for loader in loaders { applyPropertyLoader(loader, location) }
    apply(assemblies: assemblies)
  }

  /// A view of the container that resolves but does not register; it keeps the container alive.
  public var resolver: any ServiceResolver { ResolvingView(_container: container) }

  /// Applies an assembly: it assembles, then it is loaded.
  ///
  /// - Parameters:
  ///   - assembly: The assembly.
  ///   - boundary: The boundary that its services are behind, in place of its own.
  public func apply(assembly: any Assembly, boundary: String? = nil) {
    apply(assemblies: [assembly], boundary: boundary)
  }

  /// Applies assemblies together: all assemble, in order, then all are loaded, in order.
  ///
  /// Applying an assembly twice runs it twice; the last registration for a service wins.
  ///
  /// - Parameters:
  ///   - assemblies: The assemblies.
  ///   - boundary: The boundary that their services are behind, in place of their own.
  public func apply(assemblies: [any Assembly], boundary: String? = nil) {
    if !container.groupsAreDoubles || RegisteringContext.current.isProduction {
      Self.applied.withLock { types in
        for assembly in assemblies { types.insert(ObjectIdentifier(type(of: assembly))) }
      }
    }
    container.settingUp {
      for assembly in assemblies {
        RegisteringContext.with({
          $0.assembly = ObjectIdentifier(type(of: assembly))
          $0.boundary = boundary ?? assembly.boundary ?? $0.boundary
        }) {
          assembly.assemble(container: container)
        }
      }
      for assembly in assemblies { assembly.loaded(resolver: container) }
    }
  }

  /// The types of the assemblies that were ever applied, other than as doubles.
  package static let applied = Lock<Set<ObjectIdentifier>>([])

  /// Applies an assembly; an alias for `apply(assembly:)`.
  public func applyAssembly(_ assembly: any Assembly) {
    apply(assembly: assembly)
  }

  /// Applies assemblies together; an alias for `apply(assemblies:)`.
  public func addAssemblies(_ assemblies: [any Assembly]) {
    apply(assemblies: assemblies)
  }

  /// Loads properties into the container, replacing earlier ones of their names.
  ///
  /// Traps with a diagnosis when the loader fails; use `load(_:)` to handle that. Load properties
  /// before the assemblies that read them in `loaded`.
  ///
  /// - Parameter loader: The loader to read the properties from.
  public func applyPropertyLoader(
    _ loader: any PropertyLoader, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    applyPropertyLoader(loader, CodeLocation(fileID, filePath, line, column))
  }

  private func applyPropertyLoader(_ loader: any PropertyLoader, _ location: CodeLocation) {
    do {
      try load(loader, at: location)
    } catch {
      trap(ResolutionError(.other(error.description), at: location))
    }
  }

  /// Loads properties into the container, replacing earlier ones of their names.
  ///
  /// A loader that fails leaves all properties unchanged.
  ///
  /// - Parameter loader: The loader to read the properties from.
  /// - Throws: The reason why the properties cannot be loaded.
  public func load(
    _ loader: any PropertyLoader, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) throws(PropertyError) {
    try load(loader, at: CodeLocation(fileID, filePath, line, column))
  }

  private func load(
    _ loader: any PropertyLoader, at location: CodeLocation
  ) throws(PropertyError) {
    let properties = try loader.loaded()
    container.settingUp { container.keep(properties, from: loader.source, at: location) }
  }
}
