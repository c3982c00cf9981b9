import Foundation
import StorefrontKit

let command = StorefrontCommand(arguments: Array(CommandLine.arguments.dropFirst()))
exit(command.run().rawValue)
