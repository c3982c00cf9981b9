#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Android)
internal import Android
#endif

/// The conditions that decide which contexts apply.
///
/// ```swift
/// FactoryContext.current.runtimeArguments["mode"] = "offline"
/// ```
///
/// Inside a sandbox, changes affect only the sandbox's view.
public struct FactoryContext: Sendable {
  /// The launch arguments of the process.
  public var arguments: [String]
  /// The arguments set at run time, by the keys that remove them.
  public var runtimeArguments: [String: String] = [:]
  /// Whether the code runs in a preview.
  public var isPreview: Bool
  /// Whether the code runs in a test.
  public var isTest: Bool
  /// Whether the code runs in a simulator.
  public var isSimulator: Bool
  /// Whether the package was compiled for debugging.
  public var isDebug: Bool

  /// Creates the conditions of the current process.
  public init() {
    arguments = CommandLine.arguments
    isPreview = Self.environment("XCODE_RUNNING_FOR_PREVIEWS") == "1"
    let program = CommandLine.arguments.first ?? ""
    isTest =
      Self.environment("XCTestConfigurationFilePath") != nil
      || ["xctest", "swiftpm-testing-helper"].contains { program.contains($0) }
    #if targetEnvironment(simulator)
    isSimulator = true
    #else
    isSimulator = false
    #endif
    #if DEBUG
    isDebug = true
    #else
    isDebug = false
    #endif
  }

  private static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  /// Returns the rank of a kind of context, or nil if it does not apply.
  ///
  /// The lowest rank takes precedence.
  func rank(of type: FactoryContextType) -> Int? {
    let (rank, holds) =
      switch type {
      case .arg(let argument): (0, has(argument))
      case .args(let arguments): (0, arguments.contains(where: has))
      case .preview: (1, isPreview)
      case .test: (2, isTest)
      case .simulator: (3, isSimulator)
      case .device: (4, !isSimulator)
      case .debug: (5, isDebug)
      }
    return holds ? rank : nil
  }

  private func has(_ argument: String) -> Bool {
    arguments.contains(argument) || runtimeArguments.values.contains(argument)
  }
}

/// A condition under which a service is made by a different factory.
public enum FactoryContextType: Hashable, Sendable {
  /// The process has a launch argument, or the argument was set at run time.
  case arg(String)
  /// The process has one of several launch arguments, or one was set at run time.
  case args([String])
  /// The code runs in a preview.
  case preview
  /// The code runs in a test.
  case test
  /// The package was compiled for debugging.
  case debug
  /// The code runs in a simulator.
  case simulator
  /// The code does not run in a simulator.
  case device
}
