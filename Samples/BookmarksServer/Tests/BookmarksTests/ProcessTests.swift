import AsyncHTTPClient
import BookmarksDoubles
import BookmarksKit
import DITesting
import Foundation
import NIOCore
import NIOHTTP1
import SandboxServer
import Testing

@Suite("A process of its own", .timeLimit(.minutes(10)))
struct ProcessTests {
  @Test("comes up with the doubles of the scenario in its environment, and ends in good order")
  func scenario() async throws {
    let server = try ServerProcess(OfflineWeb.environment)
    let line = try #require(await server.lines.first { $0.hasPrefix("Bookmarks at ") })
    let address = try #require(line.split(separator: " ").last)

    var request = HTTPClientRequest(url: "\(address)/bookmarks")
    request.method = .POST
    request.headers.add(name: "Authorization", value: "Bearer ada")
    request.body = .bytes(Data(#"{"url": "https://tea.example"}"#.utf8))
    let response = try await HTTPClient.shared.execute(request, timeout: .seconds(300))
    let body = String(buffer: try await response.body.collect(upTo: 1 << 16))

    #expect(body.contains(#""title":"Offline copy of https:\/\/tea.example""#))
    #expect(await server.end() == 0)
  }

  @Test("ends where it does not know the scenario, and says which it knows")
  func unknownScenario() async throws {
    let server = try ServerProcess([ScenarioStage.variable: "OfflineMail"])
    var output: [String] = []
    for await line in server.lines { output.append(line) }
    #expect(
      output.joined(separator: "\n") == """
        This process has no scenario "OfflineMail".

          known:  OfflineWeb

        To fix this:
          - Add the type to those that `ScenarioStage.open` gets in the process's `main`.
        """)
    #expect(await server.end() == 2)
  }

  @Test("of an exit test comes up with them, too, in every thread")
  func exitTest() async {
    await #expect(processExitsWith: .success) {
      try ScenarioStage.open(from: OfflineWeb.environment, among: [OfflineWeb.self])
      let page = try await Task.detached {
        try await Resolver.resolve((any WebClient).self).page(at: "https://tea.example")
      }.value
      #expect(page.title == "Offline copy of https://tea.example")
    }
  }
}

/// The server, started as a process.
private final class ServerProcess: Sendable {
  /// The lines that it writes to standard error, to its end.
  let lines: AsyncStream<String>
  private let process: Process
  private let exit: Task<Int32, Never>

  init(_ environment: [String: String]) throws {
    let process = Process()
    // It is built beside the tests.
    process.executableURL = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appending(path: "BookmarksTrial")
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let output = Pipe()
    process.standardError = output
    process.standardOutput = FileHandle.nullDevice
    let (lines, continuation) = AsyncStream<String>.makeStream()
    let (exits, hasEnded) = AsyncStream<Int32>.makeStream()
    process.terminationHandler = { process in
      hasEnded.yield(process.terminationStatus)
      hasEnded.finish()
    }
    try process.run()
    Thread.detachNewThread {
      var rest = Data()
      while case let data = output.fileHandleForReading.availableData, !data.isEmpty {
        rest += data
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
          continuation.yield(String(decoding: rest[rest.startIndex..<end], as: UTF8.self))
          rest = Data(rest[rest.index(after: end)...])
        }
      }
      continuation.finish()
    }
    self.lines = lines
    self.process = process
    exit = Task.detached { await exits.first { _ in true } ?? -1 }
  }

  /// Asks it to end, where it has not, and returns its exit status.
  func end() async -> Int32 {
    if process.isRunning { process.terminate() }
    return await exit.value
  }
}
