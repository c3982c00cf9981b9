import Foundation
import Workloads

// Instructions per operation: the difference between a short and a long run of one workload under
// valgrind, so that starting the process and setting up count for nothing. The numbers are the
// same on a busy machine as on an idle one; what they do not show is waiting for memory and other
// threads.

func countInstructions(_ workloads: [Workload]) throws -> [Row] {
  let folder = FileManager.default.temporaryDirectory.appending(path: "ratios-\(getpid())")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  // valgrind gives up on the debug information of Swift.
  let program = folder.appending(path: "ratios")
  _ = try run("/usr/bin/env", ["strip", "-o", program.path, CommandLine.arguments[0]])
  let costs = try workloads.map { workload in
    let few = try instructions(program, workload.name, 100)
    let many = try instructions(program, workload.name, 1_100)
    return Double(many - few) / 1_000
  }
  return rows(workloads, costs)
}

private struct Unreadable: Error {
  let output: String
}

private func instructions(_ program: URL, _ name: String, _ count: Int) throws -> Int {
  let output = try run(
    "/usr/bin/env",
    [
      "valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null",
      program.path, "--only", name, "\(count)",
    ])
  // ==123== I refs: 1,234,567
  guard let line = output.split(separator: "\n").last(where: { $0.contains("refs:") }),
    let number = line.split(separator: " ").last,
    let instructions = Int(number.filter(\.isNumber))
  else { throw Unreadable(output: output) }
  return instructions
}

private func run(_ program: String, _ arguments: [String]) throws -> String {
  let process = Process()
  process.executableURL = URL(filePath: program)
  process.arguments = arguments
  let pipe = Pipe()
  process.standardError = pipe
  try process.run()
  let data = pipe.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  return String(decoding: data, as: UTF8.self)
}
