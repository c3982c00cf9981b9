/// The reason why the arguments of the command make no sense.
public enum UsageError: Error, Hashable, Sendable {
  /// No option has this name.
  case unknownArgument(String)

  /// The option `--orders` is followed by no file.
  case missingFile

  /// The option `--orders` stands there twice.
  case repeatedOrders

  /// The option `--graph` is followed by no format, or by one that is not known.
  case graphFormat(String?)
}

extension UsageError: CustomStringConvertible {
  /// The reason as a sentence for the user, without a full stop.
  public var description: String {
    switch self {
    case .unknownArgument(let argument): "unknown argument \(argument.quoted)"
    case .missingFile: "--orders needs the name of a file"
    case .repeatedOrders: "--orders was given twice"
    case .graphFormat(nil): "--graph needs a format: tree, mermaid or dot"
    case .graphFormat(let name?): "--graph knows tree, mermaid and dot, not \(name.quoted)"
    }
  }
}
