import Base
import DITesting
import Foundation
import Panel
import Shapes
import Staying
import Testing

/// The generated doubles of the folder beside this file behave; that they compile without a warning
/// in each mode is the other half of the test.
@Suite(.sandbox) nonisolated struct ShapesTests {
  @Test("Functions note their arguments and return what they were told")
  func functions() async throws {
    let double = FunctionsDouble()
    double.several.returns("ref-1")
    #expect(try double.several(650, for: "Ann") == "ref-1")
    #expect(double.several.calls.first?.cents == 650)
    #expect(double.several.calls.first?.customer == "Ann")

    double.one.returns("one")
    #expect(double.one(1) == "one")
    double.typed.throws(Declined())
    #expect(throws: Declined.self) { try double.typed(1) }
    double.laterThrowing.returns(3)
    #expect(try await double.laterThrowing(1, and: 2) == 3)
    double.variadic.runs { $0.reduce(0, +) }
    #expect(double.variadic(1, 2, 3) == 6)
    double.lazily(2, "two")
    #expect(double.lazily.calls.first?.value == 2)
    #expect(double.lazily.calls.first?.other == "two")
    double.default.returns(4)
    #expect(double.default(1, for: "x") == 4)
    #expect(double.default.calls.first?.where == "x")
    double.nothing()
    expectCalled(double.nothingStub, times: 1)
  }

  @Test("Overloads that differ in little have stubs of their own")
  func apart() async throws {
    let double = ApartDouble()
    double.save(1)
    double.save([1, 2])
    double.save(3, 4)
    #expect(double.saveInt.calls == [1])
    #expect(double.saveArrayInt.calls == [[1, 2]])
    #expect(double.saveVariadicInt.calls == [[3, 4]])
    double.load.returns("now")
    double.loadAsync.returns("later")
    let load: (Int) throws -> String = double.load
    #expect(try load(1) == "now")
    #expect(try await double.load(1) == "later")
    double.volume = 5
    double.setVolume(6)
    #expect(double.setVolumeInt.calls == [5])
    #expect(double.setVolume.calls == [6])
  }

  @Test("A protocol that is called as a type of the toolkit is doubled under its module's name")
  func qualified() {
    let layer = LayerDouble<String>()
    layer.wrap.returns(Stamp(number: 1))
    #expect(layer.wrap(.init(), in: .init(), layer) == Stamp(number: 1))
    #expect(layer.wrap.calls.first?.other == Base.Parcel())
  }

  @Test("A closure is called elsewhere with what is not Sendable")
  func passesOnElsewhere() async throws {
    let double = StorageDouble()
    double.change.returns((Ledger(lines: ["one"]), 1))
    #expect(try await double.change { ledger, number in ledger.lines.count + number } == 2)
  }

  @Test("What is inout stays as it is, or becomes what the stub returns")
  func inoutParameters() {
    let double = FunctionsDouble()
    var (left, right) = (1, "a")
    double.change(&left)
    #expect(left == 1)
    double.change.returns(5)
    double.change(&left)
    #expect(left == 5)
    double.changeBoth.returns((left: 7, right: "b"))
    double.changeBoth(&left, &right)
    #expect(left == 7)
    #expect(right == "b")
    double.changeAndReturn.returns((result: true, value: 9))
    #expect(double.changeAndReturn(&left, by: 1))
    #expect(left == 9)
  }

  @Test("Generic functions take existentials, and call the closure that makes their result")
  func generics() async throws {
    let double = GenericsDouble()
    double.coded.runs { $0 }
    #expect(double.coded("x") == "x")
    #expect(double.span("work") { 5 } == 5)
    #expect(double.span.calls == ["work"])
    double.with.returns(20)
    #expect(double.with { "\($0)" } == "20")
    double.transaction.returns(1)
    let changed = await double.transaction { value in
      value += 1
      return value
    }
    #expect(changed == 2)
    #expect(double.opaque.calls.isEmpty)
  }

  @Test("Overloads have stubs of their own")
  func overloads() {
    let double = OverloadsDouble()
    double.getCharge.returns(1)
    double.chargeInt.returns(2)
    double.chargeFor.returns(3)
    double.chargeDouble.returns(4)
    #expect(double.charge == 1)
    #expect(double.charge(10) == 2)
    #expect(double.charge(10, for: "Ann") == 3)
    #expect(double.charge(1.5) == 4)
    double.refresh()
    double.refresh(force: true)
    expectCalled(double.refreshStub, times: 1)
    expectCalled(double.refreshForce, times: 1) { $0 }
  }

  @Test("Properties and subscripts have a stub for each accessor")
  func accessors() async throws {
    let properties = PropertiesDouble()
    properties.getTitle.returns("a")
    #expect(properties.title == "a")
    properties.title = "b"
    #expect(properties.setTitle.calls == ["b"])
    properties.getSum.throws(Declined())
    await #expect(throws: Declined.self) { try await properties.sum }
    let subscripts = SubscriptsDouble()
    subscripts.getSubscript.returns("x")
    #expect(subscripts[3] == "x")
    subscripts[4] = "y"
    #expect(subscripts.setSubscript.calls.first?.index == 4)
    #expect(subscripts.setSubscript.calls.first?.newValue == "y")
    subscripts.getSubscriptNameDefault.returns(1)
    #expect(subscripts[name: "n", default: 0] == 1)
  }

  @Test("Initializers are noted, and `Self` is the double")
  func initializers() throws {
    #expect(InitializersDouble(limit: 3).initLimit.calls == [3])
    #expect(try InitializersDouble(name: "x")?.initName.calls == ["x"])
    let double = SelvesDouble()
    double.compare.returns(true)
    #expect(double.compare(double))
    #expect(double.compare.calls.first === double)
  }

  @Test("Inherited requirements are there, default implementations stay")
  func inherited() {
    let double = VaultDouble()
    double.getName.returns("safe")
    #expect(double.name == "safe")
    double.rename(to: "box")
    #expect(double.rename.calls == ["box"])
    #expect(double.description == "VaultDouble")
    #expect(double == double)
    #expect(Set([double, VaultDouble()]).count == 2)
    double.forget()
    #expect(DefaultedDouble().defaulted() == 1)
  }

  @Test("A Sendable double describes what is not, and is told how to make it")
  func sendability() async throws {
    let double = GatewayDouble()
    double.mix.returns(2)
    #expect(double.mix(Ledger(lines: ["a"]), number: 1) == 2)
    #expect(double.mix.calls.first?.number == 1)
    double.ledgerStub.returns { Ledger(lines: ["b"]) }
    #expect(double.ledger().lines == ["b"])
    double.charge.returns("ref")
    let charged = await Task.detached { try? await double.charge(1, for: "Ann") }.value
    #expect(charged == "ref")
    let sender = SenderDouble()
    sender.nextStub.returns { Ledger(lines: ["c"]) }
    #expect(sender.next().lines == ["c"])
  }

  @Test("Actors and global actors keep their isolation")
  func isolation() async throws {
    let store = StoreDouble()
    store.put.returns(1)
    store.getLabel.returns("store")
    store.load.returns("value")
    let service: any Store = store
    #expect(await service.put("tea") == 1)
    #expect(store.label == "store")
    #expect(try await store.load("key") == "value")
    let mixed = MixedDouble()
    mixed.nonsendingStub.returns(2)
    #expect(await mixed.nonsending() == 2)
    let isolating = IsolatingDouble()
    isolating.run.returns(3)
    #expect(await isolating.run(nil, value: 1) == 3)
    let oven = OvenDouble()
    oven.bake.returns(4)
    let kitchen: any Oven & Sendable = oven
    #expect(await kitchen.bake("rye") == 4)
    await onMain()
  }
  @MainActor private func onMain() async {
    let panel = PanelDouble()
    panel.show.runs { $0 }
    let ledger = Ledger()
    #expect(panel.show(ledger) === ledger)
    panel.log("line")
    #expect(panel.log.calls == ["line"])
    let screen: any Screen = ScreenDouble()
    screen.log("x")
  }

  @Test("The double of an actor is told from outside what is not Sendable")
  func actors() async {
    let archive = ArchiveDouble()
    archive.file.returns(2)
    archive.latestStub.returns { Ledger(lines: ["a"]) }
    archive.pass.returns { Ledger(lines: ["b"]) }
    #expect(await archive.file(Ledger()) == 2)
    #expect(archive.file.calls.count == 1)
    #expect(await lines(of: archive) == ["a"])
    #expect(await archive.pass(Ledger()).lines == ["b"])
  }
  private func lines(of archive: isolated ArchiveDouble) -> [String] { archive.latest().lines }

  @Test("A closure runs on the actor that the stub passes it")
  func crews() async throws {
    let crew = CrewDouble()
    crew.bake.returns(Kitchen.shared)
    #expect(try await crew.bake { _ in 2 } == 2)
    crew.visit.runs { body in try await body(Kitchen.shared) }
    #expect(try await crew.visit { _ in 3 } == 3)
  }

  @Test("Associated types are generic parameters")
  func associatedTypes() async throws {
    let cache = CacheDouble<String, Int>()
    cache.value.returns(1)
    #expect(cache.value(for: "a") == 1)
    let any: any Cache<String, Int> = CacheDouble.asDoubled(cache)
    #expect(any.value(for: "b") == 1)
    #expect(cache.value.calls == ["a", "b"])
    let strings = StringCacheDouble<Int>()
    strings.store(3, for: "c")
    #expect(strings.store.calls.first?.key == "c")
    let loader = LoaderDouble<Int, Declined>()
    loader.loadStub.throws(Declined())
    await #expect(throws: Declined.self) { try await loader.load() }
    let feed = FeedDouble<[Int]>()
    feed.itemsStub.returns([1, 2])
    #expect(feed.items() == [1, 2])
  }

  @Test("Static requirements have stubs of their own in each sandbox", arguments: 0..<200)
  func statics(number: Int) async throws {
    StaticsDouble.loadStub.returns(number)
    await Task.yield()
    #expect(try await StaticsDouble.load() == number)
    #expect(StaticsDouble.loadStub.calls.count == 1)
    StaticsDouble.getShared.returns(number)
    #expect(StaticsDouble.shared == number)
    StaticsDouble.plusOperator.returns(number)
    #expect(StaticsDouble() + StaticsDouble() == number)
  }

  @Test("Overloaded static requirements have stubs of their own")
  func staticOverloads() {
    StaticOverloadsDouble.findInt.returns("id")
    StaticOverloadsDouble.findString.returns("name")
    StaticOverloadsDouble.putLedger.returns(1)
    StaticOverloadsDouble.putArrayLedger.returns(2)
    #expect(StaticOverloadsDouble.find(1) == "id")
    #expect(StaticOverloadsDouble.find("a") == "name")
    #expect(StaticOverloadsDouble.put(Ledger()) == 1)
    #expect(StaticOverloadsDouble.put([Ledger()]) == 2)
    #expect(StaticOverloadsDouble.putLedger.calls.count == 1)
  }

  @Test("Shapes that other packages' protocols have")
  func others() async throws {
    let responder = ResponderDouble()
    responder.respond.returns(1)
    #expect(try await responder.respond(to: "tea") == 1)
    let walk = WalkDouble()
    walk.stepsStub.returns(2)
    #expect(walk.steps() == 2)
    #expect(LongWalkDouble().steps() == 10)
    let writer = WriterDouble()
    writer.set.returns("on")
    #expect((writer as any Writer).set(1) == "on")
    var target: any Writer = writer
    try await target.write(contentsOf: ["a", "b"])
    try await target.finish(nil)
    #expect(writer.write.calls == ["a", "b"])
    expectCalls(inOrder: writer.write, writer.finish)
    let outlet = OutletDouble()
    outlet.joinName.returns(3)
    #expect(outlet.join(name: "lamp") == 3)
    let (trace, span) = (TraceDouble<SpanDouble>(), SpanDouble())
    trace.startStub.returns(span)
    trace.start().end()
    expectCalled(span.endStub, times: 1)
    let filter = TextFilterDouble()
    filter.run.returns(["tea": 1])
    #expect(filter.run("tea") == ["tea": 1])
    #expect(filter.run.calls == ["tea"])
    let page = PageDouble()
    page.getLines.returns(["head", "body"])
    page.footer.runs { ["page \($0)"] }
    #expect(page.lines == ["head", "body"])
    #expect(page.footer(4) == ["page 4"])
    let timer = TimerDouble()
    timer.start.returns(5)
    #expect(timer.start(ClockDouble()) == 5)
  }

  @Test("Closures, names and generic parameters of every kind")
  func more() async throws {
    let closures = ClosuresDouble()
    closures.makerStub.returns { 3 }
    #expect(closures.maker()() == 3)
    closures.several({}, then: { _ in })
    closures.several.calls.first?.second(.success(Data()))
    closures.getHandler.returns(nil)
    closures.handler = nil
    #expect(closures.handler == nil)
    expectCalled(closures.setHandler, times: 1) { $0 == nil }

    let names = NamesDouble()
    names.value.returns(2)
    #expect(names.value(1) { $0 + 1 } == 3)
    var (changed, returned) = (1, "a")
    names.change.returns((changed: 2, returned: "b"))
    names.change(&changed, &returned)
    #expect(changed == 2)
    #expect(returned == "b")
    names.swap.returns((result: 5, returned: 6))
    #expect(names.swap(&changed, 1) == 5)
    #expect(changed == 6)
    names.call.returns("x")
    #expect(names.call("y") == "x")
    names.callAsFunctionStub.returns(7)
    #expect(names(1) == 7)

    let generics = MoreGenericsDouble()
    var number = 4
    generics.change(&number)
    #expect(number == 4)
    generics.change.returns(5)
    generics.change(&number)
    #expect(number == 5)
    generics.keyed.returns(["a": 1])
    #expect(generics.keyed(["b": 2], []) == ["a": 1])
    generics.constrained.returns([1, 2])
    #expect(generics.constrained([3]) == [1, 2])
    generics["k"] = 1
    #expect(generics.setSubscript.calls.first?.newValue == 1)
  }

  @Test("`Self`, actors, and what the standard library's protocols ask for")
  func moreOwners() async throws {
    let node = NodeDouble()
    NodeDouble.rootStub.returns { NodeDouble() }
    #expect(NodeDouble.root() !== node)
    node.getParent.returns(node)
    #expect(node.parent === node)
    let till = TillDouble(float: 5)
    #expect(till.initFloat.calls == [5])
    till.getTotal.returns(8)
    #expect(await till.total == 8)
    till.name.returns("till")
    #expect(till.name("a", "b") == "till")
    #expect(till.name.calls == [["a", "b"]])
    let lock = LockDouble()
    lock.open.returns(true)
    #expect(lock.open(1))
    #expect("\(CodeDouble("7")?.initStub.calls.first ?? "none")" == "7")
    #expect(CodeDouble().description == "CodeDouble")
    await inWindow()
  }
  @MainActor private func inWindow() async {
    let window = WindowDouble(title: "shop")
    #expect(window.initTitle.calls == ["shop"])
    window.getSize.returns((width: 1, height: 2))
    #expect(window.size.height == 2)
    window.closeStub.throws(Declined())
    await #expect(throws: Declined.self) { try await window.close() }
  }

  @Test("Functions that stay with their caller, and types of C")
  func staying() async throws {
    let reader = ReaderDouble()
    let ledger = Ledger(lines: ["a"])
    reader.read.runs { $0 }
    #expect(await reader.read(ledger) === ledger)
    let watcher = WatcherDouble()
    watcher.watch.returns(3)
    #expect(try await watcher.watch { $0 + 1 } == 4)
    await watcher.note(ledger)
    expectCalled(watcher.note, times: 1)
    let family = FamilyDouble()
    family.getFamily.returns(1)
    #expect(family.family == 1)
  }

  @Test("A generated double registers itself for its protocol")
  func registration() throws {
    let double = double(FunctionsDouble())
    double.resultStub.returns(5)
    #expect((Resolver.resolve() as any Functions).result() == 5)
    #expect(Doubles.all.count == 60)
  }

  @Test("A closure that a requirement only calls is run by the stub")
  func lentClosures() async {
    let functions = FunctionsDouble()
    functions.lent.runs { body in for number in 1...3 { body(number) } }
    var seen: [Int] = []
    (functions as any Functions).lent { seen.append($0) }
    #expect(seen == [1, 2, 3])
  }

  @Test("A closure that a requirement only calls may throw an error of its type")
  func lentTypedClosures() throws {
    let functions = FunctionsDouble()
    functions.lentTyped.runs { body throws(Declined) in try body(1) + body(2) }
    #expect(try (functions as any Functions).lentTyped { $0 * 10 } == 30)
  }

  @Test("A closure that stays with its caller's isolation is not run")
  func unlentClosures() async {
    let closures = ClosuresDouble()
    closures.inherited.returns()
    var isRun = false
    await (closures as any Closures).inherited { isRun = true }
    expectCalled(closures.inherited, times: 1)
    #expect(!isRun)
  }
}
