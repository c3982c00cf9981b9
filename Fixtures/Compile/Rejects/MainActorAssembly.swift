// expect: conformance of 'MailAssembly' to protocol 'Assembly' crosses into main actor
// expect: conformance of 'MailPart' to protocol 'DIPart' crosses into main actor
// expect: conformance of 'Mails' to protocol 'DIFramework' crosses into main actor
// expect: conformance of 'Loader' to protocol 'PropertyLoader' crosses into main actor
// mode: 6; defaults: MainActor
// Where a type of the main actor conforms in an extension, the compiler asks whose the code is.
import DICompatibility
import DIContainer

struct MailAssembly {}
extension MailAssembly: Assembly {
  func assemble(container: Container) {}
}

enum MailPart {}
extension MailPart: DIPart {
  static func load(container: Container) {}
}

enum Mails {}
extension Mails: DIFramework {
  static func load(container: Container) {}
}

struct Loader {}
extension Loader: PropertyLoader {
  var source: String { "here" }
  func load() throws -> [String: PropertyValue] { [:] }
}
