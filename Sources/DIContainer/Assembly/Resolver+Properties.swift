// Reading and keeping properties. A property is a registration under its name that only these
// functions see: it is not listed among `registrations`, and recorders do not record it.

extension Resolver {
  /// Returns the property of a name, or traps with a diagnosis if it is missing or of another type.
  ///
  /// An optional type makes a missing property nil.
  ///
  /// - Parameters:
  ///   - key: The property's name.
  ///   - type: The type to read it as.
  /// - Returns: The value.
  public func property<Value>(
    _ key: String, as type: Value.Type = Value.self, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> Value {
    let location = CodeLocation(fileID, filePath, line, column)
    do {
      return try required(key, as: type)
    } catch {
      trap(ResolutionError(.other(error.description), at: location))
    }
  }

  fileprivate func required<Value>(
    _ key: String, as type: Value.Type
  ) throws(PropertyError) -> Value {
    if let value = try loadedProperty(key, as: type) { return value }
    // A missing property of an optional type is nil.
    if let optional = type as? any OptionalType.Type { return optional.none as! Value }
    let loaded = loadedProperties
    let sources = Set(loaded.map(\.value.source)).sorted()
    throw PropertyError(
      .missingKey(wanted: describe(type), close: Self.close(to: key, loaded.map(\.key))),
      source: sources.isEmpty ? "nothing" : sources.joined(separator: ", "), key: key)
  }

  /// Returns the property of a name, or nil if there is none; throws if it is of another type.
  ///
  /// `isOptional`: whether a null is returned as nil for every type.
  func loadedProperty<Value>(
    _ key: String, as type: Value.Type, isOptional: Bool = false
  ) throws(PropertyError) -> Value? {
    let name = Name(key)
    guard
      let found = Lookup.find(
        ServiceKey(LoadedProperty.self, name: name), in: core, ContextFrame.current),
      let loaded = LoadedProperty.of(found.registration)
    else { return nil }
    // Anything can be cast to `Any`, and null is a value for optionals only.
    let acceptsNull = type is any OptionalType.Type || type == PropertyValue.self
    if case .null = loaded.value, !acceptsNull {
      if isOptional { return nil }
    } else if let value = loaded.value.converted(to: type) {
      return value
    }
    throw PropertyError(
      .wrongType(wanted: describe(type), found: loaded.value.typeName), source: loaded.source,
      key: key)
  }

  /// Loads properties into this container; see `Assembler.load(_:)`.
  ///
  /// In a sandbox or a layer they are doubles, and belong to it.
  ///
  /// - Parameter loader: The loader to read the properties from.
  /// - Throws: The reason why the properties cannot be loaded.
  public func load(
    _ loader: any PropertyLoader, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) throws(PropertyError) {
    let properties = try loader.loaded()
    keep(properties, from: loader.source, at: CodeLocation(fileID, filePath, line, column))
  }

  func keep(
    _ properties: [String: PropertyValue], from source: String, at location: CodeLocation
  ) {
    let target = RegistrationTarget.current(for: core)
    var options = target.options()
    // A file may have more properties than are read.
    options.wasResolved = nil
    for (key, value) in properties {
      target.store(
        Registration(
          key: ServiceKey(LoadedProperty.self, name: Name(key)), scope: .unique,
          location: location,
          maker: Maker.plain { LoadedProperty(value: value, source: source) },
          options: options))
    }
  }

  private var loadedProperties: [(key: String, value: LoadedProperty)] {
    core.reachable(ContextFrame.current).compactMap { registration in
      guard registration.key.type == LoadedProperty.self, let name = registration.key.name,
        let loaded = LoadedProperty.of(registration)
      else { return nil }
      return (name.rawValue, loaded)
    }
  }

  private static func close(to key: String, _ others: [String]) -> [String] {
    func bare(_ key: String) -> String {
      key.lowercased().filter { $0.isLetter || $0.isNumber }
    }
    return Set(others).filter { bare($0) == bare(key) }.sorted()
  }
}

/// The registered value of a property, with its source.
struct LoadedProperty: Unlisted {
  let value: PropertyValue
  let source: String

  static func of(_ registration: Registration) -> LoadedProperty? {
    guard !registration.isRemoval, registration.key.type == LoadedProperty.self else { return nil }
    // Its factory ignores the container: a property is a value.
    return (try? registration.build(Resolver.main, nil))?.value(as: LoadedProperty.self)
  }
}

extension OptionalServiceResolver {
  /// Returns the property of a name, or nil if there is none; traps if it is of another type.
  public func property<Value>(
    _ key: String, as type: Value.Type = Value.self, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> Value? {
    let location = CodeLocation(fileID, filePath, line, column)
    do {
      return try _container.loadedProperty(key, as: type, isOptional: true)
    } catch {
      trap(ResolutionError(.other(error.description), at: location))
    }
  }
}

extension ServiceResolver {
  /// Returns the property of a name, or throws if it is missing or of another type.
  ///
  /// An optional type makes a missing property nil.
  ///
  /// - Parameters:
  ///   - key: The property's name.
  ///   - type: The type to read it as.
  /// - Returns: The value.
  /// - Throws: An error with the file, the key and both types.
  public func requireProperty<Value>(
    _ key: String, as type: Value.Type = Value.self
  ) throws(PropertyError) -> Value {
    try _container.required(key, as: type)
  }
}
