// DITranquillity's vocabulary for `resolveProperties` blocks that only set resolved instances.

extension ResolverOptions {
  /// Sets a property of each new instance to the container's instance for the property's type.
  ///
  /// An optional property is nil where nothing is registered; any other is required. See
  /// `resolveProperties(_:)` for details.
  ///
  /// - Parameters:
  ///   - cycle: Whether the property may be part of a dependency cycle. It is then set once the
  ///     outermost service under construction is built, before the request for that returns; see
  ///     `initCompleted(_:)`.
  ///   - property: The property to set.
  /// - Returns: The registration's options, for further calls.
  @discardableResult
  public func injection<Property>(
    cycle: Bool = false, _ property: ReferenceWritableKeyPath<Service, Property>,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> ResolverOptions<Service> {
    injection(
      cycle: cycle, property, fileID: fileID, filePath: filePath, line: line, column: column
    ) { (value: Property) in value }
  }

  /// Sets a property of each new instance to a value that a closure derives from a dependency.
  ///
  /// `.injection(\.mailers) { many($0) }` and `.injection(\.clock) { by(tag: Night.self, on: $0) }`
  /// request more than the property's type specifies. See `resolveProperties(_:)` for details.
  ///
  /// - Parameters:
  ///   - cycle: Whether the property may be part of a dependency cycle. It is then set once the
  ///     outermost service under construction is built, before the request for that returns; see
  ///     `initCompleted(_:)`.
  ///   - property: The property to set.
  ///   - value: Receives the instance for its parameter's type, and returns the property's value.
  /// - Returns: The registration's options, for further calls.
  @discardableResult
  public func injection<Property, Needed>(
    cycle: Bool = false, _ property: ReferenceWritableKeyPath<Service, Property>,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column,
    _ value: @escaping (_ needed: Needed) throws -> Property
  ) -> ResolverOptions<Service> {
    injection(cycle: cycle, fileID: fileID, filePath: filePath, line: line, column: column) {
      (service: Service, needed: Needed) in service[keyPath: property] = try value(needed)
    }
  }

  /// Calls a closure with each new instance and the instances for its other parameters' types.
  ///
  /// `.injection { $0.clock = $1 }` and `.injection { $0.set(clock: $1, mailer: $2) }` set
  /// properties. An optional parameter is nil where nothing is registered; any other is required.
  /// See `resolveProperties(_:)` for details.
  ///
  /// - Parameters:
  ///   - cycle: Whether the property may be part of a dependency cycle. It is then set once the
  ///     outermost service under construction is built, before the request for that returns; see
  ///     `initCompleted(_:)`.
  ///   - block: Receives the instance and its dependencies.
  /// - Returns: The registration's options, for further calls.
  @discardableResult
  public func injection<each Needed>(
    cycle: Bool = false, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column,
    _ block: @escaping (_ service: Service, _ needed: repeat each Needed) throws -> Void
  ) -> ResolverOptions<Service> {
    let location = CodeLocation(fileID, filePath, line, column)
    var needs = Needs()
    repeat needs.add((each Needed).self)
    let before = takenArguments
    return settingProperties(
      ofCycle: cycle, taking: needs.arguments, needing: needs.dependencies
    ) { resolver, service, args in
      var arguments = ArgumentsInOrder(args, from: before, at: location)
      try block(service, repeat arguments.next((each Needed).self, orFrom: resolver))
    }
  }

  /// Calls a closure with each new instance after its properties are set.
  ///
  /// It acts as another `resolveProperties(_:)` block, and runs after those that precede it.
  ///
  /// - Parameter block: Receives the instance.
  /// - Returns: The registration's options, for further calls.
  @discardableResult
  public func postInit(
    _ block: @escaping (_ service: Service) throws -> Void
  ) -> ResolverOptions<Service> {
    resolveProperties { _, service in try block(service) }
  }
}
