public import Foundation

// Alerts and logs often show only an error's `localizedDescription`: that is the diagnosis too,
// instead of Foundation's "The operation could not be completed".

extension ResolutionError: LocalizedError {
  /// The full diagnosis.
  public var errorDescription: String? { description }
}

extension ValidationError: LocalizedError {
  /// All findings, and the parts of the graph that could not be checked.
  public var errorDescription: String? { description }
}

extension PropertyError: LocalizedError {
  /// The full diagnosis.
  public var errorDescription: String? { description }
}
