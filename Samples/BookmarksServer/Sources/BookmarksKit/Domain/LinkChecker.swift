import DIContainer
import GRDB
import Logging
import NIOCore
import ServiceLifecycle

/// Links that wait to be checked.
final class LinkQueue: Sendable {
  /// One check; whoever asked for it takes its context along.
  struct Job: Sendable {
    let bookmark: Int64
    var attempt = 1
    let context = ResolutionContext.current
  }

  let jobs: AsyncStream<Job>
  private let waiting: AsyncStream<Job>.Continuation

  init() {
    (jobs, waiting) = AsyncStream.makeStream()
  }

  func add(_ job: Job) { waiting.yield(job) }
}

/// The background job: checks links, one task each, and tries once more what fails.
struct LinkChecker: Service {
  let queue: LinkQueue

  func run() async throws {
    await withDiscardingTaskGroup { group in
      for await job in queue.jobs.cancelOnGracefulShutdown() {
        // The task belongs to the server; the job, in a test, to whoever sent the request.
        group.addTask { await job.context.run { await check(job) } }
      }
    }
  }

  private func check(_ job: LinkQueue.Job) async {
    let logger = Resolver.root.resolve(Logger.self)
    do {
      let store = try await Resolver.root.requireAsync(Store.self)
      let found = try await store.pool.read { try Bookmark.fetchOne($0, key: job.bookmark) }
      guard let bookmark = found else { return }
      let page = try? await Resolver.root.resolve((any WebClient).self).page(at: bookmark.url)
      if page?.isFound != true, job.attempt == 1 { return retry(job) }
      let now = Resolver.root.resolve((any WallClock).self).now
      try await store.pool.write { db in
        _ = try Bookmark.filter(key: job.bookmark).updateAll(
          db, Column("checkedAt").set(to: now),
          Column("isBroken").set(to: page?.isFound != true))
      }
      logger.info("checked", metadata: ["bookmark": "\(job.bookmark)"])
    } catch {
      logger.error("not checked", metadata: ["bookmark": "\(job.bookmark)", "error": "\(error)"])
    }
  }

  /// Waits on an event loop, which knows nothing of the task: the closure carries the context.
  private func retry(_ job: LinkQueue.Job) {
    let settings = Resolver.root.resolve(Settings.self)
    let again: @Sendable () -> Void = ResolutionContext.carrying {
      queue.add(LinkQueue.Job(bookmark: job.bookmark, attempt: job.attempt + 1))
    }
    Resolver.root.resolve((any EventLoopGroup).self).any()
      .scheduleTask(in: .nanoseconds(Int64(settings.retryDelay / .nanoseconds(1))), again)
  }
}
