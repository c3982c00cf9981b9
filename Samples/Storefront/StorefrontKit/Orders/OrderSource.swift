/// A place that orders come from.
public protocol OrderSource {
  /// The name of the source, as reports about its lines begin.
  var label: String { get }

  /// Reads all of the source.
  ///
  /// Bytes that are not UTF-8 arrive as U+FFFD, so that one bad line does not take the rest along.
  func text() throws(OrderSourceError) -> String
}
