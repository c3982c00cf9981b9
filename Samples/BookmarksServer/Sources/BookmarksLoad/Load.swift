import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

/// The same request again and again, from a number of connections, for a while.
struct Load {
  static let connections = 64

  let client: HTTPClient
  let url: String

  /// The requests that one connection made, by how long each took.
  ///
  /// Its size does not depend on their number: the process's memory is measured, too.
  struct Times {
    private static let width = Duration.microseconds(20)
    private var counts = [UInt32](repeating: 0, count: 50_000)

    mutating func add(_ time: Duration) {
      counts[min(Int(time / Self.width), counts.count - 1)] += 1
    }

    mutating func add(_ others: Times) {
      for (bucket, count) in others.counts.enumerated() { counts[bucket] += count }
    }

    var total: Int { counts.reduce(0) { $0 + Int($1) } }

    /// The time that 99 of 100 requests do not exceed.
    var percentile99: Duration {
      var left = total * 99 / 100
      let bucket = counts.firstIndex { count in
        left -= Int(count)
        return left <= 0
      }
      return Self.width * ((bucket ?? 0) + 1)
    }
  }

  func run(for length: Duration) async throws -> Times {
    let clock = ContinuousClock()
    let end = clock.now + length
    return try await withThrowingTaskGroup { group in
      for _ in 0..<Self.connections {
        group.addTask {
          var times = Times()
          var request = HTTPClientRequest(url: url)
          request.headers.add(name: "Authorization", value: "Bearer ada")
          while clock.now < end {
            let start = clock.now
            let response = try await client.execute(request, timeout: .seconds(10))
            guard response.status == .ok else { throw Refused(status: "\(response.status)") }
            _ = try await response.body.collect(upTo: 1 << 20)
            times.add(clock.now - start)
          }
          return times
        }
      }
      var all = Times()
      for try await times in group { all.add(times) }
      return all
    }
  }

  struct Refused: Error {
    let status: String
  }
}

/// The process's memory, in KiB: what the system holds for it.
func residentKilobytes() -> Int {
  let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
  let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
  return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
}
