import DoubleGenerator
import Foundation

// The tool behind `swift package doubles`: the plugin gives it symbol graphs.
do {
  let options = try Options(arguments: Array(CommandLine.arguments.dropFirst()))
  if options.isOnlyRead { exit(0) }
  let outcome = try Generator(options: options).run()
  print(outcome.lines.joined(separator: "\n"), terminator: outcome.lines.isEmpty ? "" : "\n")
  exit(outcome.hasFailed ? 1 : 0)
} catch let mistake as Options.Mistake {
  print("error: \(mistake.description)")
  exit(2)
} catch {
  print("error: \(error)")
  exit(2)
}
