import DITesting
import Testing

private protocol Postmark: Sendable { var text: String { get } }
private struct LivePostmark: Postmark { let text = "live" }
private struct FakePostmark: Postmark { let text: String }

private final class Letter: Sendable {
  let stamp: any Postmark
  init(_ stamp: any Postmark) { self.stamp = stamp }
}

private final class Post: Sendable {
  let stamps: [String]
  init(_ stamps: [String]) { self.stamps = stamps }
}

/// One resolution cycle that goes through several scopes: what it shares in one is not for others.
@Suite("Layers that a factory opens")
struct LayersInFactoriesTests {
  private static func office(_ scope: Scope) -> Resolver {
    let office = Resolver()
    office.register { LivePostmark() as any Postmark }
    office.register { r in Letter(r.resolve()) }.scope(scope)
    return office
  }

  @Test(
    "Each of many layers, opened one after another, is answered by itself",
    arguments: [Scope.graph, .cached, .unique])
  func layers(scope: Scope) {
    let office = Self.office(scope)
    office.register { r in
      Post(
        (0..<8).map { number in
          withLayer {
            $0.register { FakePostmark(text: "fake \(number)") as any Postmark }
          } operation: {
            Resolver.resolve(Letter.self).stamp.text
          }
        })
    }
    let post = withRoot(office) { Resolver.resolve(Post.self) }
    #expect(post.stamps == (0..<8).map { "fake \($0)" })
  }

  @Test("So is each of many sandboxes", arguments: [Scope.graph, .cached, .unique])
  func sandboxes(scope: Scope) {
    let office = Self.office(scope)
    office.register { r in
      Post(
        (0..<8).map { number in
          withSandbox {
            r.register { FakePostmark(text: "fake \(number)") as any Postmark }
            return r.resolve(Letter.self).stamp.text
          }
        })
    }
    #expect(office.resolve(Post.self).stamps == (0..<8).map { "fake \($0)" })
  }
}
