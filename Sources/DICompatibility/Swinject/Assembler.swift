// The members of Swinject's `Assembler` that are spelled differently elsewhere.

extension Assembler {
  /// Creates an assembler whose container has a default scope.
  ///
  /// See `init(_:parent:propertyLoaders:)`.
  ///
  /// - Parameters:
  ///   - assemblies: The assemblies to apply: all assemble, in order, then all are loaded.
  ///   - parent: An assembler whose services this one may use and override.
  ///   - defaultObjectScope: The scope of registrations by type that specify none.
  ///   - propertyLoaders: The loaders of properties, in order; later ones take precedence.
  public convenience init(
    _ assemblies: [any Assembly] = [], parent: Assembler? = nil,
    defaultObjectScope: ObjectScope?, propertyLoaders: [any PropertyLoader] = [],
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    self.init(
      assemblies, parent: parent, defaultScope: defaultObjectScope?.scope, propertyLoaders,
      CodeLocation(fileID, filePath, line, column))
  }

  /// Creates an assembler without assemblies.
  ///
  /// See `init(_:parent:defaultObjectScope:propertyLoaders:)`.
  public convenience init(
    parentAssembler: Assembler?, defaultObjectScope: ObjectScope? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    self.init(
      [], parent: parentAssembler, defaultObjectScope: defaultObjectScope, fileID: fileID,
      filePath: filePath, line: line, column: column)
  }

  /// Creates an assembler, loads properties, then applies assemblies.
  ///
  /// Unlike `init(_:container:propertyLoaders:)`, it throws when a loader fails.
  ///
  /// - Parameters:
  ///   - assemblies: The assemblies to apply: all assemble, in order, then all are loaded.
  ///   - propertyLoaders: The loaders of properties, in order; later ones take precedence.
  ///   - container: The container to register in; nil for a new one.
  /// - Throws: The reason why the properties cannot be loaded.
  public convenience init(
    assemblies: [any Assembly], propertyLoaders: [any PropertyLoader],
    container: Container? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) throws(PropertyError) {
    let location = CodeLocation(fileID, filePath, line, column)
    self.init(
      [], container: container ?? Container(child: nil, defaultScope: nil, at: location),
      fileID: fileID, filePath: filePath, line: line, column: column)
    for loader in propertyLoaders {
      try load(loader, fileID: fileID, filePath: filePath, line: line, column: column)
    }
    apply(assemblies: assemblies)
  }

  /// Applies assemblies together; an alias for `apply(assemblies:)`.
  public func applyAssemblies(_ assemblies: [any Assembly]) {
    apply(assemblies: assemblies)
  }
}
