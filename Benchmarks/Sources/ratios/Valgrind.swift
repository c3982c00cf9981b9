import Foundation
import Synchronization
import Workloads

// Instructions and allocations per operation: the difference between a short and a long run of one
// workload under valgrind, so that starting the process and setting up count for nothing. The
// numbers are the same on a busy machine as on an idle one; what they do not show is waiting for
// memory and other threads.

func countInstructions(_ workloads: [Workload]) throws -> [Row] {
  let valgrind = try Valgrind(
    ["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"], says: "refs:")
  return rows(workloads, try valgrind.count(workloads))
}

/// Counts allocations, and says whether there are no more than promised.
func checkAllocations(_ workloads: [Workload]) throws -> Bool {
  let valgrind = try Valgrind(
    ["--tool=memcheck", "--leak-check=no", "--undef-value-errors=no"], says: "total heap usage:")
  var isKept = true
  for (workload, count) in zip(workloads, try valgrind.count(workloads)) {
    let promised = workload.allocations!
    let isMore = count > Double(promised) + 0.01
    if isMore { isKept = false }
    print(
      workload.name.padded(50), count.formatted2.padded(10),
      "at most \(promised)\(isMore ? ", missed" : "")")
  }
  return isKept
}

private final class Valgrind: Sendable {
  private let arguments: [String]
  private let marker: String
  private let folder: URL
  private var program: URL { folder.appending(path: "ratios") }

  // `marker` stands before the number in the tool's last words.
  init(_ arguments: [String], says marker: String) throws {
    self.arguments = arguments
    self.marker = marker
    folder = FileManager.default.temporaryDirectory.appending(path: "ratios-\(getpid())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // valgrind gives up on the debug information of Swift.
    _ = try run("strip", ["-o", program.path, CommandLine.arguments[0]])
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// The count for an operation of each workload; two are counted at a time.
  func count(_ workloads: [Workload]) throws -> [Double] {
    let jobs = workloads.flatMap { [($0.name, 100), ($0.name, 1_100)] }
    let counts = Mutex<[Int: Result<Int, any Error>]>([:])
    DispatchQueue.concurrentPerform(iterations: jobs.count) { index in
      let result = Result { try self.count(jobs[index].0, jobs[index].1) }
      counts.withLock { $0[index] = result }
    }
    let numbers = try counts.withLock { counts in try jobs.indices.map { try counts[$0]!.get() } }
    return workloads.indices.map { Double(numbers[2 * $0 + 1] - numbers[2 * $0]) / 1_000 }
  }

  private func count(_ name: String, _ count: Int) throws -> Int {
    let output = try run("valgrind", arguments + [program.path, "--only", name, "\(count)"])
    // ==123== I refs: 1,234,567
    // ==123==   total heap usage: 1,234 allocs, …
    guard let line = output.split(separator: "\n").last(where: { $0.contains(marker) }),
      let found = line.range(of: marker),
      let word = line[found.upperBound...].split(separator: " ").first,
      let number = Int(word.filter(\.isNumber))
    else { fail("valgrind counted nothing for \(name):\n\(output)") }
    return number
  }
}

/// Runs a command, and gives what it says on standard error.
private func run(_ command: String, _ arguments: [String]) throws -> String {
  let process = Process()
  process.executableURL = URL(filePath: "/usr/bin/env")
  process.arguments = [command] + arguments
  // Swift's hashes differ from process to process otherwise, and so do their collisions.
  process.environment = ProcessInfo.processInfo.environment.merging(
    ["SWIFT_DETERMINISTIC_HASHING": "1"]) { $1 }
  let pipe = Pipe()
  process.standardError = pipe
  try process.run()
  let data = pipe.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  let output = String(decoding: data, as: UTF8.self)
  if process.terminationStatus == 127 { fail("\(command) is not installed: \(output)") }
  if process.terminationStatus != 0 { fail("\(command) failed:\n\(output)") }
  return output
}
