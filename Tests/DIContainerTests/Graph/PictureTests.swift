@testable import DIContainer
import DITesting
import Foundation
import Testing

private protocol Mailer {}
private struct SMTPMailer: Mailer {}
private struct SpyMailer: Mailer {}
private struct Clock {}
private struct Ledger {}
private struct Receipts {}
private struct Shop {}
private struct Shelf<Article> {}

private func shop() -> Resolver {
  let shop = Resolver(named: "shop")
  shop.register { (_: Receipts, _: LazyInjected<Ledger>) in Shop() }
  shop.register { (_: any Mailer, _: Clock?) in Receipts() }.scope(.cached)
  shop.add(
    child: Resolver(named: "mail \"out\"") { mail in
      mail.register(SMTPMailer.init).implements((any Mailer).self).scope(.shared)
    })
  shop.register { (_: Int) in Ledger() }
  return shop
}

@Suite struct PictureTests {
  @Test func `As a tree`() {
    #expect(
      shop().graph.description == """
        Shop  — graph, shop
          Receipts  — cached, shop
            any Mailer  — alias, mail "out"
              SMTPMailer  — shared, mail "out"
            optional Clock  — missing
          lazy Ledger  — graph, shop
            Int  — missing
        """)
  }

  @Test func `What was shown is not shown again, and circles are`() {
    let shop = Resolver(named: "shop")
    shop.register { (_: Clock, _: Ledger) in Shop() }
    shop.register { (_: Clock) in Ledger() }
    shop.register { (_: Receipts) in Clock() }
    shop.register { (_: Clock) in Receipts() }
    #expect(
      shop.graph.description == """
        Shop  — graph, shop
          Clock  — graph, shop
            Receipts  — graph, shop
              Clock  — graph, shop …
          Ledger  — graph, shop
            Clock  — graph, shop …
        """)
  }

  @Test func `As a Mermaid chart`() {
    #expect(
      shop().graph.mermaid == """
        flowchart TD
          subgraph c0["mail #quot;out#quot;"]
            n2["SMTPMailer<br/>shared"]
            n4[/"any Mailer<br/>alias"/]
          end
          subgraph c1["shop"]
            n0["Ledger<br/>graph"]
            n1["Receipts<br/>cached"]
            n3["Shop<br/>graph"]
          end
          m0{{"Clock<br/>missing"}}
          m1{{"Int<br/>missing"}}
          n0 --> m1
          n1 --> n4
          n1 -.->|optional| m0
          n3 --> n1
          n3 -.->|lazy| n0
          n4 ==> n2
        """)
  }

  @Test func `A Mermaid chart shows generic arguments and what else reads as markup`() {
    let shop = Resolver(named: "tea & more")
    shop.register { (_: Shelf<Clock>) in Shelf<Ledger>() }
    #expect(
      shop.graph.mermaid == """
        flowchart TD
          subgraph c0["tea #amp; more"]
            n0["Shelf#lt;Ledger#gt;<br/>graph"]
          end
          m0{{"Shelf#lt;Clock#gt;<br/>missing"}}
          n0 --> m0
        """)
  }

  @Test func `In Graphviz's language`() {
    #expect(
      shop().graph.dot == #"""
        digraph wiring {
          node [shape=box];
          subgraph cluster_0 {
            label="mail \"out\"";
            n2 [label="SMTPMailer\nshared"];
            n4 [label="any Mailer\nalias", shape=parallelogram];
          }
          subgraph cluster_1 {
            label="shop";
            n0 [label="Ledger\ngraph"];
            n1 [label="Receipts\ncached"];
            n3 [label="Shop\ngraph"];
          }
          m0 [label="Clock\nmissing", shape=hexagon];
          m1 [label="Int\nmissing", shape=hexagon];
          n0 -> m1;
          n1 -> n4;
          n1 -> m0 [style=dashed, label="optional"];
          n3 -> n1;
          n3 -> n0 [style=dashed, label="lazy"];
          n4 -> n2 [style=bold];
        }
        """#)
  }

  @Test func `Doubles are told apart`() {
    let shop = Resolver(named: "shop")
    shop.register(Clock.init)
    ContextFrame.$bound.withValue(ContextFrame(.sandbox, parent: nil, caches: .all)) {
      shop.register(Clock.init)
      #expect(shop.graph.description == "Clock  — double, graph, shop")
      #expect(shop.graph.mermaid.contains(#"n0(["Clock<br/>graph · double"])"#))
      #expect(shop.graph.dot.contains(#"n0 [label="Clock\ngraph · double", style=rounded];"#))
    }
  }

  @Test func `A recorded run in Graphviz's language`() {
    let shop = Resolver(named: "shop")
    shop.register(Clock.init)
    shop.register { (_: Clock, _: Clock) in Ledger() }.scope(.cached)
    let recorder = ResolutionRecorder()
    withRecorder(recorder) { _ = shop.resolve(Ledger.self) as Ledger }
    #expect(
      recorder.dot == #"""
        digraph resolutions {
          node [shape=box];
          n0 [label="Ledger\ncached · shop"];
          n1 [label="Clock\ngraph · shop"];
          n0 -> n1;
        }
        """#)
  }

  @Test func `Pictures are the same every time`() {
    let first = shop().graph
    for _ in 1...20 {
      let next = shop().graph
      #expect(next.description == first.description)
      #expect(next.mermaid == first.mermaid)
      #expect(next.dot == first.dot)
    }
  }

  private static let dotPath = ["/usr/bin/dot", "/usr/local/bin/dot", "/opt/homebrew/bin/dot"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  @Test(.enabled(if: dotPath != nil, "Graphviz is not installed"))
  func `Graphviz accepts what is written in its language`() throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(Self.dotPath))
    process.arguments = ["-Tpng"]
    let (input, output, errors) = (Pipe(), Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    input.fileHandleForWriting.write(Data(shop().graph.dot.utf8))
    try input.fileHandleForWriting.close()
    let picture = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(Array(picture.prefix(4)) == [0x89, 0x50, 0x4E, 0x47])
    #expect(errors.fileHandleForReading.readDataToEndOfFile().isEmpty)
  }
}
