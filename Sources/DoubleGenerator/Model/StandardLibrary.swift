/// Protocols of the standard library and Foundation, whose graphs are too large to read each time.
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
    /// A double that inherits `NSObject`.
    case object
    /// No double should answer what is asked for; the words say why.
    case unmet(String)
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
    case "s:10Foundation16NSObjectProtocolP", "c:objc(pl)NSObject": return .object
    case "s:12_Concurrency5ClockP": return .unmet("for which tests have `TestClock`")
    case "s:SG":
      return .unmet("and the standard library draws for ever from zeros, which a stub returns")
    case "s:ScF", "s:Scf", "s:Sch":
      return .unmet("and its double would not run what it is handed")
    case "s:10Foundation15ContiguousBytesP", "s:20FoundationEssentials15ContiguousBytesP":
      return .requirements([
        (
          "func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R",
          "withUnsafeBytes(_:)"
        )
      ])
    case "s:s12CaseIterableP":
      return .requirements([("static var allCases: [Self] { get }", "allCases")])
    case "s:ST":
      return .requirements(
        [("func makeIterator() -> AnyIterator<Element>", "makeIterator()")],
        associatedTypes: ["Element"])
    case "s:Sci":
      return .requirements(
        [
          (
            "func makeAsyncIterator() -> AsyncThrowingStream<Element, any Error>.Iterator",
            "makeAsyncIterator()"
          )
        ], associatedTypes: ["Element"])
    case "s:ScI":
      return .requirements(
        [("func next() async throws -> Element?", "next()")], associatedTypes: ["Element"])
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
}
