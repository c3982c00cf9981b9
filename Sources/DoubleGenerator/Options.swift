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
  /// Prints the modules whose graphs are missing, and does nothing else.
  package var asksForModules = false
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
    var rest = arguments[...]
    func value(_ name: String) throws(Mistake) -> String {
      guard let value = rest.popFirst() else {
        throw Mistake(description: "\(name) needs a value.")
      }
      return value
    }
    while let argument = rest.popFirst() {
      switch argument {
      case "--graphs": graphs.append(URL(fileURLWithPath: try value(argument)))
      case "--module": module = try value(argument)
      case "--protocol": protocols.append(try value(argument))
      case "--registered": isOfWiring = true
      case "--wiring":
        isOfWiring = true
        wirings.append(URL(fileURLWithPath: try value(argument)))
      case "--output": output = URL(fileURLWithPath: try value(argument))
      case "--access":
        let access = try value(argument)
        guard access == "public" || access == "internal" else {
          throw Mistake(description: "--access is `internal` or `public`, not `\(access)`.")
        }
        isPublic = access == "public"
      case "--check": checks = true
      case "--force": isForced = true
      case "--defaults": includesDefaults = true
      case "--modules-needed": asksForModules = true
      case "--command": command = try value(argument)
      default: throw Mistake(description: "`\(argument)` is no option.")
      }
    }
  }
}
