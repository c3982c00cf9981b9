public import Foundation

// Alerts and logs often know an error by its `localizedDescription` alone: that is the diagnosis,
// too, instead of Foundation's "The operation could not be completed".

extension ResolutionError: LocalizedError {
  /// The whole diagnosis.
  public var errorDescription: String? { description }
}

extension ValidationError: LocalizedError {
  /// All findings, and what could not be seen.
  public var errorDescription: String? { description }
}

extension PropertyError: LocalizedError {
  /// The whole diagnosis.
  public var errorDescription: String? { description }
}
