public import Foundation

// The formatter of all diagnoses. Every diagnosis has three parts: the failure in one sentence, its
// circumstances as an indented block, and how to fix it.

enum DiagnosisFormatter {
  /// The advice for a cycle.
  static let lazily =
    "Let one of them resolve later: make the dependency `@LazyInjected` or `@WeakLazyInjected`."

  static func text(for error: ResolutionError) -> String {
    if let diagnosis = error.diagnosis {
      return error.isFatal ? "\(diagnosis)\n\n\(endingProcess(error))" : diagnosis
    }
    return TypeNames.telling(apart: keys(in: error)) {
      var fixes = fixes(error)
      if !error.isFatal, case .factoryFailed = error.reason {
        fixes = ["Handle the error where the service is resolved, or in the factory."]
      }
      return Diagnosis(headline: headline(error), facts: facts(error), fixes: fixes).text
    }
  }

  /// Returns what ended the process with an error that explains itself.
  private static func endingProcess(_ error: ResolutionError) -> String {
    Diagnosis(
      headline: "It was requested without `try`, which ends the process.",
      facts: error.links.facts(requestedAt: error.requestedAt),
      fixes: ["Request it with `try` and `require`, which throws this."]
    ).text
  }

  /// Returns the keys that an error's text may name.
  static func keys(in error: ResolutionError) -> [ServiceKey] {
    error.chain + error.nearMisses.map(\.key) + (error.key.map { [$0] } ?? [])
  }

  static func headline(_ error: ResolutionError) -> String {
    let service = error.key.map(quoted) ?? "a service"
    switch error.reason {
    case .notRegistered:
      return "Nothing is registered for \(service)."
    case .cycle:
      return "\(service) needs itself."
    case .tooDeep:
      return "The dependency chain (\(error.chain.count) levels) exceeds this thread's stack."
    case .factoryReturnedNil:
      return "The factory for \(service) returned nil."
    case .factoryFailed(let description):
      return "The factory of \(service) threw: \(description)"
    case .notImplemented(let type, let concrete):
      return "`\(concrete)` was registered to implement `\(type)`, but does not conform to it."
    case .implementedOnActor(let type, let concrete):
      return
        "`\(concrete)` conforms to `\(type)` on its actor only, and was requested from elsewhere."
    case .missingArgument(let key?, let type, _):
      return
        "The factory of \(service) needs an argument \(quoted(key)) of type `\(type)`: "
        + "it is missing."
    case .missingArgument(nil, let type, _):
      return "The factory of \(service) needs an argument of type `\(type)`: none was passed."
    case .wrongArgument(let key, let type, let given):
      let argument = key.map { "the argument \(quoted($0))" } ?? "its argument"
      return
        "The factory of \(service) reads \(argument) as `\(type)`, but it is of type `\(given)`."
    case .severalArguments:
      return "The factory of \(service) reads its only argument, but several were passed."
    case .late(let test):
      return "\(service) was requested for a test that has ended: \(test)."
    case .boundary(let name):
      return "\(service) is live, and behind the boundary \(quoted(name)): this test refuses it."
    case .needsMainActor, .needsAwait, .cancelled:
      return error.isolationHeadline(service)
    case .containerCycle:
      return "A container cannot contain itself, directly or by way of others."
    case .other(let text):
      return text
    }
  }

  static func facts(_ error: ResolutionError) -> [(String, String)] {
    if case .containerCycle(let child) = error.reason {
      return [
        ("child:", child), ("into:", error.container ?? ""), ("added:", "\(error.requestedAt)"),
      ]
    }
    var facts = error.links.facts(requestedAt: error.requestedAt)
    if let location = error.registeredAt { facts.append((registeredLabel(error), "\(location)")) }
    if let container = error.container, error.key != nil { facts.append(("asked:", container)) }
    for miss in error.nearMisses { facts.append(("close:", close(miss))) }
    for note in error.notes { facts.append(("note:", note)) }
    return facts
  }

  private static func registeredLabel(_ error: ResolutionError) -> String {
    switch error.reason {
    case .missingArgument, .wrongArgument, .severalArguments: "read:"
    case .notRegistered: "decorated:"
    default: "registered:"
    }
  }

  static func close(_ miss: NearMiss) -> String {
    let place =
      if case .otherContainer(let container) = miss.mismatch { " in \(container)" } else { "" }
    return "\(quoted(miss.key)) is registered\(place) (\(miss.location))"
  }

  static func fixes(_ error: ResolutionError) -> [String] {
    let type = error.key.map { describe($0.type) } ?? ""
    switch error.reason {
    case .notRegistered where error.key?.property != nil:
      let name = error.key!.property!.name
      return error.fixes + [
        "Register it before it is requested: `container.\(name).register { … }`.",
        "If it is optional, resolve it as an optional: `let service = container.\(name)()`.",
      ] + error.lastFixes
    case .notRegistered:
      return error.fixes + error.nearMisses.map { fix($0, for: error.key!) } + [
        "Register it: `register\(error.key!.nameArgument) { … as \(type) }`.",
        "If it is optional, resolve it with `optional`, or declare the dependency as "
          + "`\(optionalName(of: type))`.",
      ] + error.throwingFixes + error.lastFixes
    case .cycle where !error.fixes.isEmpty:
      return error.fixes
    case .cycle:
      // A property's declaration sets nothing once both exist.
      if error.key?.property != nil { return [Self.lazily] }
      return [
        Self.lazily,
        "Or set it once both exist: `.resolveProperties { r, service in … }` with a shared scope, "
          + "for the one that is requested first.",
      ]
    case .tooDeep:
      return [
        "Look for a factory that requests its own service with other arguments endlessly.",
        "Resolve on a thread with a larger stack, or break the chain with `@LazyInjected`.",
      ]
    case .factoryReturnedNil:
      return [
        "Use `optional` if the factory may return nil, or make it return an instance."
      ]
    case .factoryFailed:
      return ["Handle the error with `try require`, or in the factory."]
    case .notImplemented(let protocolName, let concrete):
      return [fix(protocolName, notImplementedBy: concrete)]
    case .implementedOnActor(let type, let concrete):
      let name = withoutAny(type)
      return [
        "Declare the conformance `nonisolated`, with what it consists of: "
          + "`\(concrete): nonisolated \(name)`.",
        "Or request it on that actor; of the main actor: "
          + "`Resolver.resolve(\(metatypeText(error.key!.type)))`.",
      ]
    case .missingArgument(let key?, let type, let given):
      let passed =
        given.isEmpty
        ? "nothing"
        : given.map { $0.isEmpty ? "one without a key" : quoted($0) }.joined(separator: ", ")
      return [
        "Pass it: `args: [\(quoted(key)): …]` with a value of type `\(type)` (passed: \(passed)).",
        "If it may be absent, read it with `args.optional(\(quoted(key)))`.",
      ] + error.fixes
    case .missingArgument(nil, let type, _):
      return [
        "Pass it: `args: …` with a value of type `\(type)`.",
        "If it may be absent, read it with `args.optional()`.",
      ] + error.fixes
    case .wrongArgument(_, let type, let given):
      return ["Pass a value of type `\(type)`, or read it as `\(given)`."] + error.fixes
    case .severalArguments(let keys):
      let calls = keys.map { "`args(\(quoted($0)))`" }.joined(separator: ", ")
      return ["Read each by its key: \(calls)."]
    case .late:
      return ["Let the test wait for the work it starts: await it, or cancel it."]
    case .boundary:
      return ["Register a double in the test, or let it reach the boundary."]
    case .needsMainActor, .needsAwait, .cancelled:
      return error.isolationFixes
    case .containerCycle:
      return [
        "Nest containers in one direction only: `add(child:)` looks from the outer into the inner."
      ]
    case .other:
      return error.fixes
    }
  }

  static func fix(_ protocolName: String, notImplementedBy concrete: String) -> String {
    "Make `\(concrete)` conform to `\(withoutAny(protocolName))`, or remove the `.implements`."
  }

  /// Returns the name of a protocol as a type conforms to it.
  private static func withoutAny(_ type: String) -> String {
    type.hasPrefix("any ") ? String(type.dropFirst(4)) : type
  }

  private static func fix(_ miss: NearMiss, for key: ServiceKey) -> String {
    switch miss.mismatch {
    case .otherName:
      let requested = key.name.map { quoted($0.rawValue) } ?? "no name"
      let registered = miss.key.name.map { quoted($0.rawValue) } ?? "no name"
      return "It is registered under \(registered), and was requested under \(requested): use one."
    case .otherType:
      return
        "Add `.implements(\(metatypeText(key.type))\(nameSuffix(key)))` to the registration of "
        + "`\(describe(miss.key.type))`."
    case .otherContainer(let container) where miss.key == key:
      return "Ask \(container), or nest it: `add(child:)`."
    case .similarType, .otherContainer:
      return "If you meant \(quoted(miss.key)), request that."
    }
  }

  private static func quoted(_ key: ServiceKey) -> String { "`\(key)`" }

  // Escaped as in source code, so that no line break and no terminal command gets through.
  private static func quoted(_ text: String) -> String { text.debugDescription }

  private static func nameSuffix(_ key: ServiceKey) -> String {
    key.name.map { ", name: \(quoted($0.rawValue))" } ?? ""
  }
}

// MARK: - Requests

extension [ChainLink] {
  /// Returns what led to the last of these requests, as lines of a diagnosis: the services, the
  /// place that requested the first one, and the place that requested the last one.
  package func facts(requestedAt location: CodeLocation) -> [(String, String)] {
    var facts: [(String, String)] = []
    // Line 0 represents an unknown place.
    func add(_ label: String, _ place: CodeLocation) {
      if place.line != 0 { facts.append((label, "\(place)")) }
    }
    if let first, count > 1 {
      let all = map(\.key.description)
      let shown =
        count > 24 ? all.prefix(12) + ["… \(count - 24) more …"] + all.suffix(12) : all[...]
      facts.append(("chain:", shown.joined(separator: " → ")))
      if first.location != location { add("from:", first.location) }
    }
    add("requested:", location)
    return facts
  }
}

// MARK: - Descriptions

extension ResolutionError: CustomStringConvertible {
  /// The full diagnosis: the failure, its circumstances, and how to fix it.
  public var description: String { DiagnosisFormatter.text(for: self) }
}

extension ResolutionError: LocalizedError {
  /// The full diagnosis, also for alerts and logs that show only `localizedDescription`.
  public var errorDescription: String? { description }
}

extension RuntimeCopies: CustomStringConvertible {
  var description: String {
    Diagnosis(
      headline: "Two copies of DIContainer are loaded: what is registered in one is unknown to "
        + "the other.",
      facts: [("this copy:", own), ("other copy:", other)],
      fixes: [
        "Link DIContainer into one image only: into the app and not into its test bundle.",
        "Or make it a dynamic library that both link.",
      ]
    ).text
  }
}
