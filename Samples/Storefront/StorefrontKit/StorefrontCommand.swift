public import DIContainer

/// The command `Storefront`: it reads its arguments, opens the shop and says how that went.
public struct StorefrontCommand: Resolving {
  /// The arguments that follow the name of the program.
  private let arguments: [String]

  /// Creates a command with the arguments that follow the name of the program.
  public init(arguments: [String]) {
    self.arguments = arguments
  }

  /// Runs the command, and answers how it ended.
  public func run() -> Outcome {
    let terminal = resolver.resolve((any Terminal).self)
    do throws(UsageError) {
      let options = try CommandOptions(arguments: arguments)
      if options.help {
        terminal.write(CommandOptions.usage)
        return .success
      }
      if let graph = options.graph { return drawWiring(graph, options, on: terminal) }
      return options.doubles ? runWithDoubles(options, on: terminal) : run(options, on: terminal)
    } catch {
      terminal.writeError("Storefront: \(error)")
      terminal.writeError(CommandOptions.usage)
      return .unusable
    }
  }

  /// Draws who needs whom, with the doubles if they are asked for, and says what is wrong.
  private func drawWiring(
    _ format: GraphFormat, _ options: CommandOptions, on terminal: any Terminal
  ) -> Outcome {
    func draw() -> Outcome {
      terminal.write(format.draw())
      do {
        try Resolver.root.validate(dryRun: true)
        return .success
      } catch {
        terminal.writeError("Storefront: \(error)")
        return .incomplete
      }
    }
    return options.doubles ? StorefrontDoubles().whileRoot(draw) : draw()
  }

  /// Runs the same shop with the doubles on top, and tells what they saw.
  private func runWithDoubles(_ options: CommandOptions, on terminal: any Terminal) -> Outcome {
    let doubles = StorefrontDoubles()
    let outcome = doubles.whileRoot { run(options, on: terminal) }
    for message in doubles.mailer.messages {
      terminal.write("Not sent to \(message.recipient): \(message.subject)")
    }
    return outcome
  }

  /// Opens the shop, and shows the wiring if that was asked for.
  private func run(_ options: CommandOptions, on terminal: any Terminal) -> Outcome {
    guard options.wiring else { return openShop(options, on: terminal) }
    return printingWiring(on: terminal) { openShop(options, on: terminal) }
  }

  /// Opens the shop for the orders that the options name.
  private func openShop(_ options: CommandOptions, on terminal: any Terminal) -> Outcome {
    let shop = resolver.resolve(Shop.self)
    let source = resolver.resolve((any OrderSource).self, args: options.ordersFile)
    do throws(OrderSourceError) {
      let report = try shop.run(source)
      terminal.write(report.description)
      return report.outcome
    } catch {
      terminal.writeError("Storefront: \(error)")
      return .unusable
    }
  }
}
