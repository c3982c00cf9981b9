extension Resolver {
  /// The arguments that a request passes to a factory.
  ///
  /// A request passes one value (`resolve(args: 3)`) or several by key
  /// (`resolve(args: ["id": 3, "title": "Fred"])`); the factory reads them with the type that it
  /// wants:
  ///
  /// ```swift
  /// register { _, args in Order(id: args("id"), title: args.optional("title")) }
  /// ```
  ///
  /// Scopes that keep an instance use the arguments of the request that builds it.
  public struct Args {
    private let values: [String: Any?]

    /// Wraps the value passed as `args:`; a value that is `Args` already is used as it is.
    public init(_ args: Any?) {
      switch args {
      case let args as Args: values = args.values
      case let keyed as [String: Any?]: values = keyed
      case .none: values = [:]
      case .some(let single): values = ["": single]
      }
    }

    /// Wraps one argument, which stays one even if it is a dictionary.
    init(single: Any?) { values = ["": single] }

    var isEmpty: Bool { values.isEmpty }

    /// The only argument.
    ///
    /// Traps with a diagnosis if there is none, several, or one of another type, also under
    /// `try require`: only `require(_:)` can throw.
    public func callAsFunction<T>(
      fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
      column: UInt = #column
    ) -> T {
      orTrap(at: CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column)) {
        (location: CodeLocation) throws(ResolutionError) -> T in try value(location)
      }
    }

    /// The argument for a key.
    ///
    /// Traps with a diagnosis if it is missing or of another type, also under `try require`: only
    /// `require(_:_:)` can throw.
    public func callAsFunction<T>(
      _ key: String, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
      line: UInt = #line, column: UInt = #column
    ) -> T {
      orTrap(at: CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column)) {
        (location: CodeLocation) throws(ResolutionError) -> T in try value(key, location)
      }
    }

    /// The first argument, or nil if there is none or it is of another type.
    public func optional<T>() -> T? { values.first?.value as? T }

    /// The argument for a key, or nil if it is missing or of another type.
    public func optional<T>(_ key: String) -> T? { values[key].flatMap { $0 as? T } }

    /// The only argument; the same as calling `args()`.
    public func get<T>(
      fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
      column: UInt = #column
    ) -> T {
      callAsFunction(fileID: fileID, filePath: filePath, line: line, column: column)
    }

    /// The argument for a key; the same as calling `args(key)`.
    public func get<T>(
      _ key: String, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
      line: UInt = #line, column: UInt = #column
    ) -> T {
      callAsFunction(key, fileID: fileID, filePath: filePath, line: line, column: column)
    }

    /// The only argument, or an error that the request throws if it was made with `require`.
    public func require<T>(
      _ type: T.Type = T.self, fileID: StaticString = #fileID,
      filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) throws(ResolutionError) -> T {
      try value(CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column))
    }

    /// The argument for a key, or an error that the request throws if it was made with `require`.
    public func require<T>(
      _ key: String, _ type: T.Type = T.self, fileID: StaticString = #fileID,
      filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) throws(ResolutionError) -> T {
      try value(key, CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column))
    }

    /// The argument at a position, from 1; an optional one is nil if it is missing.
    func require<T>(position: Int, at location: CodeLocation) throws(ResolutionError) -> T {
      // The only argument has no key.
      let key = position == 1 && values.keys.elementsEqual([""]) ? "" : "\(position)"
      let value = values[key].flatMap { $0 }
      if value == nil, let optional = T.self as? any OptionalType.Type {
        return optional.none as! T
      }
      return try convert(value, key: key.isEmpty ? nil : key, location)
    }

    private func value<T>(_ location: CodeLocation) throws(ResolutionError) -> T {
      guard values.count < 2 else {
        throw .argument(.severalArguments(keys: values.keys.sorted()), location)
      }
      return try convert(values.first.flatMap { $0.value }, key: nil, location)
    }

    private func value<T>(_ key: String, _ location: CodeLocation) throws(ResolutionError) -> T {
      try convert(values[key].flatMap { $0 }, key: key, location)
    }

    private func convert<T>(
      _ value: Any?, key: String?, _ location: CodeLocation
    ) throws(ResolutionError) -> T {
      if let value = value as? T { return value }
      guard let value else {
        throw .argument(
          .missingArgument(key: key, type: describe(T.self), given: values.keys.sorted()),
          location)
      }
      throw .argument(
        .wrongArgument(key: key, type: describe(T.self), given: describe(Swift.type(of: value))),
        location)
    }

    private static func throwingCall(_ reason: ResolutionError.Reason) -> String? {
      switch reason {
      case .missingArgument(let key, _, _), .wrongArgument(let key, _, _):
        "try args.require(\(key?.debugDescription ?? ""))"
      default: nil
      }
    }

    private func orTrap<T>(
      at location: CodeLocation, _ body: (CodeLocation) throws(ResolutionError) -> T
    ) -> T {
      do { return try body(location) } catch {
        // A call that does not throw cannot hand the error to whoever asked with `require`.
        trap(
          error.advising(
            Self.throwingCall(error.reason).map {
              ["To have `try require` throw this, read it with `\($0)`."]
            } ?? []))
      }
    }
  }
}
