// DITranquillity's spelling for properties that close a circle. Every property is set once its
// instance counts as made, so that `cycle` says nothing more here.

extension ResolverOptions {
  /// Passes each new instance, with what it needs, in a circle; see `injection(_:)`.
  ///
  /// - Parameters:
  ///   - cycle: Whether what is set closes a circle. Any property may.
  ///   - fileID: The caller's file, for diagnoses.
  ///   - filePath: The caller's file, for diagnoses.
  ///   - line: The caller's line, for diagnoses.
  ///   - column: The caller's column, for diagnoses.
  ///   - block: Gets the instance and what it needs.
  /// - Returns: The registration, for further calls.
  @discardableResult
  public consuming func injection<each Needed>(
    cycle: Bool, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column,
    _ block: @escaping (_ service: Service, _ needed: repeat each Needed) throws -> Void
  ) -> ResolverOptions<Service> {
    injection(fileID: fileID, filePath: filePath, line: line, column: column, block)
  }

  /// Sets a property of each new instance, in a circle; see `injection(_:)`.
  ///
  /// - Parameters:
  ///   - cycle: Whether what is set closes a circle. Any property may.
  ///   - property: The property to set.
  ///   - fileID: The caller's file, for diagnoses.
  ///   - filePath: The caller's file, for diagnoses.
  ///   - line: The caller's line, for diagnoses.
  ///   - column: The caller's column, for diagnoses.
  /// - Returns: The registration, for further calls.
  @discardableResult
  public consuming func injection<Property>(
    cycle: Bool, _ property: ReferenceWritableKeyPath<Service, Property>,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> ResolverOptions<Service> {
    injection(property, fileID: fileID, filePath: filePath, line: line, column: column)
  }
}
