import DoubleGenerator
import Foundation
import Testing

@Suite("Doubles of a wiring") struct WiringTests {
  /// A test target's folder, with wirings on file.
  private final class World {
    private let package = FileManager.default.temporaryDirectory
      .appendingPathComponent("wirings-\(UUID().uuidString)")
    var url: URL { sibling("ShopTests") }
    var doubles: URL { url.appendingPathComponent("Doubles") }
    var graph = Graph()
    deinit { try? FileManager.default.removeItem(at: package) }

    init() throws {
      for name in ["Catalog", "Clock", "Mailer", "Payments"] {
        graph.add("protocol \(name)", ["func use()"])
      }
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    /// The folder of a target.
    func sibling(_ name: String) -> URL { package.appendingPathComponent(name) }

    func text(_ name: String) throws -> String {
      try String(contentsOf: doubles.appendingPathComponent(name), encoding: .utf8)
    }

    func write(_ wiring: String, to name: String = "Wirings/main.txt") throws {
      let file = url.appendingPathComponent(name)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(wiring.utf8).write(to: file)
    }

    func run(_ change: (inout Options) -> Void = { _ in }) throws -> Generator.Outcome {
      var options = Options()
      options.module = "Shop"
      options.output = doubles
      options.isOfWiring = true
      options.command = "swift package doubles --target Shop --registered"
      change(&options)
      return try Generator(options: options, symbols: Symbols([graph.graph])).run()
    }
  }

  @Test("A wiring names what is registered and what is asked for, in every form")
  func reads() {
    let wiring = Wiring(
      """
      Checkout  — graph, main
        payments: any Payments  — created live, shared, payments
        any Store<Int>  — graph, main
        lazy any Mailer "any Shop"  — missing
        optional (any Clock)?  — missing
        lazy optional any Shelf.Delegate  — double, unique, main …
        Report<any Printer>  — graph, main
        any Mailer & Logger  — graph, main

      any Catalogue
      """)
    #expect(wiring.protocols == ["Payments", "Store", "Mailer", "Clock", "Shelf.Delegate"])
    #expect(wiring.compositions == ["any Mailer & Logger"])
  }

  @Test("The protocols that the wirings beside the folder name are doubled, and no others")
  func registered() throws {
    let world = try World()
    try world.write("Checkout  — graph, main\n  any Payments  — graph, main\n")
    try world.write("any Mailer  — missing in main\n", to: "Wirings/checkout.txt")
    #expect(
      try world.run()
        == .init(lines: [
          "Wrote Doubles.swift", "Wrote MailerDouble.swift", "Wrote PaymentsDouble.swift",
        ]))
    #expect(
      try world.run { $0.checks = true } == .init(lines: ["All 2 doubles are up to date."]))
  }

  @Test("A protocol that the wiring names no more has a stale double, which a run removes")
  func unregistered() throws {
    let world = try World()
    try world.write("any Payments  — graph, main\nany Mailer  — graph, main\n")
    _ = try world.run()
    try world.write("any Payments  — graph, main\n")
    #expect(
      try world.run { $0.checks = true }
        == .init(
          lines: [
            "error: Doubles.swift is stale: a run would write it differently now, from the doubles "
              + "of this folder.",
            "error: MailerDouble.swift is stale: the protocol `Mailer` of Shop is not in the "
              + "wiring.",
            "To bring them up to date, run: swift package doubles --target Shop --registered",
          ], hasFailed: true))
    #expect(try world.run().lines == ["Wrote Doubles.swift", "Removed MailerDouble.swift"])
  }

  @Test(
    "A double in use stays, though no wiring names its protocol",
    arguments: [
      // In the tests, or in support code of another target.
      ("CheckoutTests.swift", "let mailer = double(MailerDouble())"),
      ("../Support/Presets.swift", "func preset() { double(MailerDouble()).lenient() }"),
      // An extension with what is written by hand.
      ("Doubles/MailerDouble+Hand.swift", "extension MailerDouble { func archive() {} }"),
      // Services that properties declare are in the wiring only once they were resolved.
      ("../App/Shop.swift", "var mailer: Factory<any Mailer> { self { Postbox() } }"),
      ("../App/Shop.swift", "var box: ParameterFactory<Int, (any Mailer)?> { self { _ in nil } }"),
      ("../App/Checkout.swift", "@LazyInjected private var mailer: any Mailer"),
    ])
  func inUse(file: String, line: String) throws {
    let world = try World()
    try world.write("any Payments  — graph, main\nany Mailer  — graph, main\n")
    _ = try world.run()
    try world.write("any Payments  — graph, main\n")
    try world.write(line + "\n", to: file)
    let note = "note: MailerDouble.swift stays: `Mailer` is in use, although no wiring names it."
    func run(checks: Bool) throws -> Generator.Outcome {
      try world.run {
        $0.checks = checks
        $0.users = [world.url] + ["App", "Support"].map(world.sibling)
      }
    }
    for checks in [true, false] {
      #expect(
        try run(checks: checks) == .init(lines: [note, "The double is up to date."]))
    }
    #expect(try world.text("Doubles.swift").contains("[MailerDouble.self, PaymentsDouble.self]"))
  }

  @Test("A double that only generated files and other words name is none in use")
  func unused() throws {
    let world = try World()
    try world.write("any Mailer  — graph, main\nany Clock  — graph, main\n")
    _ = try world.run()
    try world.write("any Clock  — graph, main\n")
    try world.write("// A Mailer, and AMailerDouble.\nlet mailer: any Mailer\n", to: "Shop.swift")
    #expect(try world.run().lines == ["Wrote Doubles.swift", "Removed MailerDouble.swift"])
  }

  @Test("Protocols that are named are doubled beside those of the wiring")
  func named() throws {
    let world = try World()
    try world.write("any Payments  — graph, main\n")
    #expect(
      try world.run { $0.protocols = ["Clock"] }.lines
        == ["Wrote ClockDouble.swift", "Wrote Doubles.swift", "Wrote PaymentsDouble.swift"])
  }

  @Test("A file is named where the wiring lies elsewhere")
  func elsewhere() throws {
    let world = try World()
    try world.write("any Clock  — graph, main\n", to: "app.txt")
    #expect(
      try world.run { $0.wirings = [world.url.appendingPathComponent("app.txt")] }.lines
        == ["Wrote ClockDouble.swift", "Wrote Doubles.swift"])
  }

  @Test("Names of nested protocols are matched by their ends")
  func nested() throws {
    let world = try World()
    world.graph.add(
      "protocol Delegate", ["func filled()"], extra: ["pathComponents": ["Shelf", "Delegate"]])
    for name in ["Delegate", "Shelf.Delegate", "Shop.Shelf.Delegate"] {
      try world.write("any \(name)  — graph, main\n")
      _ = try world.run()
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: world.doubles.path).sorted()
          == ["Doubles.swift", "ShelfDelegateDouble.swift"])
    }
  }

  @Test("What the wiring names and the target does not declare is said")
  func others() throws {
    let world = try World()
    try world.write(
      "any Clock  — graph, main\nany Logger  — graph, main\nany Clock & Mailer  — graph, main\n")
    #expect(
      try world.run().lines.prefix(2) == [
        """
        warning: `any Clock & Mailer` has no double: a double stands in for one protocol. \
        Write by hand:
          final class ClockMailerDouble: Clock & Mailer { … }
        """,
        "note: the wiring names protocols that are not of Shop: Logger.",
      ])
  }

  @Test("A wiring without a protocol of the target is told so")
  func nothing() throws {
    let world = try World()
    try world.write("Checkout  — graph, main\n  any Logger  — missing\n")
    #expect(
      try world.run().lines.prefix(2) == [
        "warning: the wiring names no protocol of Shop.",
        "note: the wiring names protocols that are not of Shop: Logger.",
      ])
  }

  @Test("Where there is no wiring, the line that writes one is said")
  func missing() throws {
    let world = try World()
    #expect(
      try world.run()
        == .init(
          lines: [
            "error: There is no wiring in \(world.url.path)/Wirings.",
            "A test writes `Resolver.main.graph.description` there. "
              + "Or name a file with --wiring.",
          ], hasFailed: true))
  }
}
