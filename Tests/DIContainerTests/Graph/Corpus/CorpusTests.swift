@testable import DIContainer
import Testing

@Suite struct CorpusTests {
  @Test(arguments: brokenGraphs)
  func `A broken graph is reported exactly`(_ graph: GraphCase) {
    let (text, hasThrown) = graph.run()
    #expect(hasThrown)
    #expect(text == graph.text)
  }

  @Test(arguments: Wired.sound)
  func `A sound graph passes`(_ graph: GraphCase) {
    let (text, hasThrown) = graph.run()
    #expect(!hasThrown, "\(text)")
    #expect(!text.contains("warning:"), "\(text)")
  }

  @Test func `The corpus is as large as it is meant to be`() {
    #expect(brokenGraphs.count >= 40)
    #expect(Wired.sound.count >= 20)
    #expect(Set(brokenGraphs.map(\.description)).count == brokenGraphs.count)
  }
}
