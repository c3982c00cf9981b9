package import Foundation

/// The arguments of one run.
package struct Options: Equatable {
  package var graphs: [URL] = []
  package var module = ""
  package var protocols: [String] = []
  /// Doubles the protocols that a wiring names, beside those of `protocols`.
  package var isOfWiring = false
  /// The files of the wiring; none stands for those of the folder `Wirings` beside the output.
  package var wirings: [URL] = []
  package var output = URL(fileURLWithPath: ".")
  package var isPublic = false
  package var checks = false
  package var isForced = false
  package var includesDefaults = false
  /// Whether the arguments are those that a user typed, which are read, and nothing else is done.
  package var isOnlyRead = false
  /// Prints the modules whose graphs are missing, and does nothing else.
  package var asksForModules = false
  /// The compiler, and its arguments; without one, nothing is asked or checked.
  package var compiler: URL?
  package var compilerArguments: [String] = []
  /// Folders with the sources of `DITesting` and `DIContainer`.
  package var toolkit: [URL] = []
  /// Folders whose sources may use doubles or their protocols; none stands for the one that holds
  /// the output.
  package var users: [URL] = []
  /// The command as the user typed it, for advice.
  package var command = "swift package doubles"

  /// An argument that is wrong.
  package struct Mistake: Error, Equatable {
    package var description: String

    package init(description: String) { self.description = description }
  }

  package init() {}

  var wiringFolder: URL {
    output.deletingLastPathComponent().appendingPathComponent("Wirings", isDirectory: true)
  }

  package init(arguments: [String]) throws(Mistake) {
    isOnlyRead = arguments.first == "--typed"
    var rest = arguments[(isOnlyRead ? 1 : 0)...]
    while let word = rest.popFirst() {
      // A value is the next word, or stands behind a "=".
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let argument = String(parts[0])
      if isOnlyRead, !Self.typed.contains(argument) { throw Self.unknown(word, argument) }
      func value(_ name: String) throws(Mistake) -> String {
        let value = parts.count > 1 ? String(parts[1]) : rest.popFirst() ?? ""
        if value.isEmpty || value.hasPrefix("--") {
          throw Mistake(description: "\(name) needs a value.")
        }
        return value
      }
      switch argument {
      case "--graphs": graphs.append(URL(fileURLWithPath: try value(argument)))
      case "--module": module = try value(argument)
      case "--protocol": protocols.append(try value(argument))
      case "--wiring":
        isOfWiring = true
        wirings.append(try Self.wiring(value(argument)))
      case "--output": output = URL(fileURLWithPath: try value(argument))
      case "--access":
        let access = try value(argument)
        guard access == "public" || access == "internal" else {
          throw Mistake(description: "--access is `internal` or `public`, not `\(access)`.")
        }
        isPublic = access == "public"
      case "--compiler": compiler = URL(fileURLWithPath: try value(argument))
      case "--compile-with": compilerArguments.append(try value(argument))
      case "--toolkit": toolkit.append(URL(fileURLWithPath: try value(argument)))
      case "--used-in": users.append(URL(fileURLWithPath: try value(argument)))
      case "--command": command = try value(argument)
      // The plugin takes the target.
      case "--target": _ = try value(argument)
      case _ where parts.count > 1: throw Self.unknown(word, argument)
      case "--registered": isOfWiring = true
      case "--check": checks = true
      case "--force": isForced = true
      case "--defaults": includesDefaults = true
      case "--modules-needed": asksForModules = true
      default: throw Self.unknown(word, argument)
      }
    }
  }

  /// The options that users type.
  private static let typed = [
    "--target", "--protocol", "--registered", "--wiring", "--output", "--access", "--defaults",
    "--check", "--force", "--help",
  ]

  private static func unknown(_ word: String, _ argument: String) -> Mistake {
    let meant = typed.min { $0.distance(to: argument) < $1.distance(to: argument) } ?? ""
    let isNear = meant.distance(to: argument) <= 2
    return Mistake(
      description: "`\(word)` is no option. "
        + (isNear ? "Did you mean \(meant)?" : "--help lists them."))
  }

  private static func wiring(_ path: String) throws(Mistake) -> URL {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue
    else {
      throw Mistake(
        description: "There is no file \(path). A test writes "
          + "`Resolver.main.graph.description` there.")
    }
    return URL(fileURLWithPath: path)
  }
}

extension String {
  /// The number of characters to insert, remove or replace until this is another word.
  fileprivate func distance(to other: String) -> Int {
    var row = Array(0...other.count)
    for (index, character) in enumerated() {
      var corner = row[0]
      row[0] = index + 1
      for (column, otherCharacter) in other.enumerated() {
        let replaced = corner + (character == otherCharacter ? 0 : 1)
        corner = row[column + 1]
        row[column + 1] = Swift.min(replaced, corner + 1, row[column] + 1)
      }
    }
    return row[other.count]
  }
}
