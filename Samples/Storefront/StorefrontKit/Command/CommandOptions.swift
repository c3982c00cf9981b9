// What the command line asks for, and what the program answers: `CommandOptions` or a `UsageError`
// on the way in, a `RunReport` and an `Outcome` on the way out.

/// The options of the command `Storefront`.
public struct CommandOptions: Hashable, Sendable {
  /// What `--help` prints.
  public static let usage: String = """
    Usage: Storefront [--orders FILE] [--doubles] [--wiring] [--graph FORMAT] [--help]

      --orders FILE  take the orders from FILE instead of those that come with the program
      --doubles      put doubles in place of the clock, the payment gateways and the mailer
      --wiring       print how the services were wired
      --graph FORMAT draw who needs whom as tree, mermaid or dot, check it, and sell nothing
      --help         print this text

    Each line of FILE is an order: id, email, card or invoice, sku x quantity; sku x quantity
    Exits with 0 when all orders were charged, with 1 when some were not, and with 2 when the
    arguments are wrong or FILE cannot be read.
    """

  /// The user's own file of orders, or nil for the one that comes with the program.
  public private(set) var ordersFile: String?

  /// Whether doubles take the place of the live services.
  public private(set) var doubles: Bool = false

  /// Whether to print the wiring.
  public private(set) var wiring: Bool = false

  /// How to draw the graph of the services, or nil for not at all.
  public private(set) var graph: GraphFormat?

  /// Whether to print the usage and nothing else.
  public private(set) var help: Bool = false

  /// Reads the arguments that follow the name of the program.
  public init(arguments: [String]) throws(UsageError) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--doubles": doubles = true
      case "--wiring": wiring = true
      case "--help", "-h": help = true
      case "--graph": try takeGraph(rest.popFirst())
      case _ where argument.hasPrefix("--graph="):
        try takeGraph(String(argument.dropFirst("--graph=".count)))
      case "--orders":
        guard let file = rest.popFirst(), !file.hasPrefix("--") else { throw .missingFile }
        try takeOrders(from: file)
      case _ where argument.hasPrefix("--orders="):
        try takeOrders(from: String(argument.dropFirst("--orders=".count)))
      default:
        throw .unknownArgument(argument)
      }
    }
  }

  /// Keeps the format that `--graph` names.
  private mutating func takeGraph(_ name: String?) throws(UsageError) {
    guard let format = name.flatMap(GraphFormat.init) else { throw .graphFormat(name) }
    graph = format
  }

  /// Keeps the file that `--orders` names.
  private mutating func takeOrders(from file: String) throws(UsageError) {
    guard !file.isEmpty else { throw .missingFile }
    guard ordersFile == nil else { throw .repeatedOrders }
    ordersFile = file
  }
}
