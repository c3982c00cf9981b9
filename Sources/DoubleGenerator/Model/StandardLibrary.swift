/// Facts about the standard library and Foundation, whose graphs are too large to read each time.
enum StandardLibrary {
  /// The members that a double has for a protocol of the standard library.
  enum Inherited {
    /// Nothing is asked for, or default implementations give it.
    case nothing
    case actor
    case equatable
    case hashable
    case comparable
    case identifiable
    /// Requirements with their titles.
    case requirements([(declaration: String, title: String)], associatedTypes: [String] = [])
  }

  static func inherited(_ id: String) -> Inherited? {
    switch id {
    case "s:s8SendableP", "s:s16SendableMetatypeP", "s:s8CopyableP", "s:s9EscapableP",
      "s:s9AnyObjectP", "s:s5ErrorP", "s:10Foundation14LocalizedErrorP",
      "s:20FoundationEssentials14LocalizedErrorP", "s:11Observation10ObservableP":
      return .nothing
    case "s:ScA", "s:12_Concurrency8AnyActorP": return .actor
    case "s:SQ": return .equatable
    case "s:SH": return .hashable
    case "s:SL": return .comparable
    case "s:s12IdentifiableP": return .identifiable
    case "s:s23CustomStringConvertibleP":
      return .requirements([("var description: String { get }", "description")])
    case "s:s25LosslessStringConvertibleP":
      return .requirements([
        ("init?(_ description: String)", "init(_:)"),
        ("var description: String { get }", "description"),
      ])
    case "s:s28CustomDebugStringConvertibleP":
      return .requirements([("var debugDescription: String { get }", "debugDescription")])
    case "s:s16TextOutputStreamP":
      return .requirements([("func write(_ string: String)", "write(_:)")])
    case "s:SE":
      return .requirements([("func encode(to encoder: any Encoder) throws", "encode(to:)")])
    case "s:Se":
      return .requirements([("init(from decoder: any Decoder) throws", "init(from:)")])
    case "s:SY":
      return .requirements(
        [
          ("init?(rawValue: RawValue)", "init(rawValue:)"),
          ("var rawValue: RawValue { get }", "rawValue"),
        ], associatedTypes: ["RawValue"])
    case "s:St":
      return .requirements([("func next() -> Element?", "next()")], associatedTypes: ["Element"])
    default: return nil
    }
  }

  /// Names of types that are not `Sendable`.
  static let nonSendable: Set<String> = [
    "Any", "AnyObject", "AnyHashable", "Mirror", "KeyPath", "AnyKeyPath", "PartialKeyPath",
    "WritableKeyPath", "ReferenceWritableKeyPath", "UnsafePointer", "UnsafeMutablePointer",
    "UnsafeRawPointer", "UnsafeMutableRawPointer", "UnsafeBufferPointer", "OpaquePointer",
    "UnsafeMutableBufferPointer", "UnsafeRawBufferPointer", "UnsafeMutableRawBufferPointer",
    "AutoreleasingUnsafeMutablePointer", "Unmanaged", "ManagedBuffer", "AnySequence",
    "AnyCollection", "AnyBidirectionalCollection", "AnyRandomAccessCollection", "AnyIterator",
    "CVaListPointer", "Regex", "Notification",
  ]
  /// Names of existing protocols whose values are `Sendable`.
  static let sendableProtocols: Set<String> = [
    "Sendable", "Error", "LocalizedError", "CustomNSError", "Actor", "CodingKey", "Executor",
    "SerialExecutor", "TaskExecutor", "Clock", "InstantProtocol", "GlobalActor",
  ]
  /// Names of types that cannot be copied, or not be kept.
  static let unkept: Set<String> = [
    "Span", "RawSpan", "MutableSpan", "MutableRawSpan", "OutputSpan", "OutputRawSpan", "UTF8Span",
    "Mutex", "Atomic", "UniqueArray", "UniqueBox",
  ]
}
