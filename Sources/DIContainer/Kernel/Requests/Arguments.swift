extension Resolver {
  /// The arguments that a request passes to a factory.
  ///
  /// A request passes one value (`resolve(args: 3)`) or several by key
  /// (`resolve(args: ["id": 3, "title": "Fred"])`). The factory reads them with the types that it
  /// expects:
  ///
  /// ```swift
  /// register { _, args in Order(id: args("id"), title: args.optional("title")) }
  /// ```
  ///
  /// Scopes that keep an instance use the arguments of the request that builds it.
  public struct Args {
    package let values: [String: Any?]

    /// Creates the arguments for a value passed as `args:`.
    ///
    /// A dictionary provides one argument for each key; a value that is `Args` already is used as
    /// it is.
    @usableFromInline
    package init(_ args: Any?) {
      switch args {
      case let args as Args: values = args.values
      case let keyed as [String: Any?]: values = keyed
      case .none: values = [:]
      case .some(let single): values = ["": single]
      }
    }

    package init(values: [String: Any?]) { self.values = values }

    /// Returns the argument for a key, or without one the only argument.
    ///
    /// Traps with a diagnosis if it is missing or has another type, or if there are several and no
    /// key, even if the request was made with `try require`: only the `require` of these arguments
    /// can throw.
    ///
    /// - Parameter key: The key that the request passes it under; nil for the only argument.
    /// - Returns: The argument.
    public func callAsFunction<T>(
      _ key: String? = nil, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
      line: UInt = #line, column: UInt = #column
    ) -> T {
      do {
        return try value(
          key, CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column))
      } catch {
        // A call that does not throw cannot pass the error to a request made with `require`.
        trap(error.adding([.readWithoutTry]))
      }
    }

    /// Returns the argument for a key, or without one the only argument; nil if it is missing or
    /// has another type.
    ///
    /// Arguments have no order: if several were passed by key, this reads any one of them without a
    /// key.
    public func optional<T>(_ key: String? = nil) -> T? {
      given(key).flatMap { $0 as? T }
    }

    /// Returns the argument for a key, or the only one; an alias for calling `args(key)`.
    public func get<T>(
      _ key: String? = nil, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
      line: UInt = #line, column: UInt = #column
    ) -> T {
      callAsFunction(key, fileID: fileID, filePath: filePath, line: line, column: column)
    }

    /// Returns the only argument, or throws an error that a request made with `require` passes on.
    public func require<T>(
      _ type: T.Type = T.self, fileID: StaticString = #fileID,
      filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) throws(ResolutionError) -> T {
      try value(
        nil, CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column))
    }

    /// Returns the argument for a key, or throws an error that a request made with `require` passes
    /// on.
    public func require<T>(
      _ key: String, _ type: T.Type = T.self, fileID: StaticString = #fileID,
      filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) throws(ResolutionError) -> T {
      try value(key, CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column))
    }

    package static func isAny<T>(_ type: T.Type) -> Bool {
      type == Any.self || type == Any?.self
    }

    /// Returns the argument for a key, or without one the only argument; nil if it was not passed.
    private func given(_ key: String?) -> Any?? {
      if let key { values[key] } else { values.first?.value }
    }

    package func value<T>(
      _ key: String?, _ location: CodeLocation
    ) throws(ResolutionError) -> T {
      if key == nil, values.count > 1 {
        throw ResolutionError(.severalArguments(keys: values.keys.sorted()), readAt: location)
      }
      return try convert(given(key).flatMap { $0 }, key: key, location)
    }

    private func convert<T>(
      _ value: Any?, key: String?, _ location: CodeLocation
    ) throws(ResolutionError) -> T {
      guard let value else {
        if let optional = T.self as? any OptionalType.Type { return optional.none as! T }
        throw ResolutionError(
          .missingArgument(
            key: key, type: describe(T.self),
            given: values.filter { $0.value != nil }.keys.sorted()), readAt: location)
      }
      // A value that was passed as an optional is read as `Any` without the optional.
      if Self.isAny(T.self), let optional = value as? any OptionalType {
        return try convert(optional.content, key: key, location)
      }
      if let value = value as? T { return value }
      throw ResolutionError(
        .wrongArgument(key: key, type: describe(T.self), given: describe(Swift.type(of: value))),
        readAt: location)
    }
  }
}

extension Maker {
  /// Returns the maker of a factory that takes the request's arguments.
  @inlinable @inline(__always)
  package static func arguments<Service>(
    _ make: @escaping (Resolver, Resolver.Args) throws -> Service?
  ) -> Maker {
    Maker { resolver, args in
      guard let service = try make(resolver, Resolver.Args(args)) else { return nil }
      return Instance(service)
    }.takingArguments()
  }
}
