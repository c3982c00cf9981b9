@testable import DIContainer
@testable import DITesting
import Foundation
import Testing

private final class Catalog {}
private final class Clerk {
  @Injected var catalog: Catalog
}

/// Stored properties of XCTest's test cases ask before any test runs.
@Suite struct TestListingTests {
  @Test func `What ends the listing of tests says when test cases are made`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await MainActor.run {
        Tests.install(Findings())
        TestListing.begin()
        _ = Clerk()
      }
    }
    let text = try #require(
      result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) })
    let expected = """
      Nothing is registered for `Catalog`.

        requested:  DITestingTests/TestListingTests.swift:8
        asked:      main

      To fix this:
        - If a stored property of a test case resolves it: XCTest makes every test case before the \
      first test runs. Set the property in `setUp`, make it `lazy`, or declare it `@LazyInjected`.
        - Register it: `register { … as Catalog }`.
        - If it is optional, resolve it with `optional`, or declare the dependency as `Catalog?`.
      """
    #expect(text.contains(expected), "\(text)")
  }

  @Test func `Once tests run, nothing is said of test cases`() async {
    await #expect(processExitsWith: .success) {
      await MainActor.run {
        Tests.install(Findings())
        TestListing.begin()
        TestListing.end()
        TestListing.begin()
        let error = #expect(throws: ResolutionError.self) { try Resolver.require(Catalog.self) }
        #expect(error?.fixes == [])
        Resolver.register { Catalog() }
        _ = Clerk()
        #expect(TestListing.take().isEmpty)
      }
    }
  }

  @Test func `A place is noted once, and what is set up or nested is not`() async {
    await #expect(processExitsWith: .success) {
      await MainActor.run {
        Tests.install(Findings())
        TestListing.begin()
        let shop = Resolver { r in
          r.register { Catalog() }
          _ = r.resolve(Catalog.self)
          r.register(name: "outer") { r -> Catalog in r.resolve() }
        }
        for _ in 0..<2 { _ = shop.resolve(Catalog.self, name: "outer") }
        let taken = TestListing.take()
        #expect(taken.count == 1)
        #expect(taken.first?.service.key == ServiceKey(Catalog.self, name: "outer"))
        #expect(TestListing.take().isEmpty)
      }
    }
  }
}
