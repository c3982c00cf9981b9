@testable import DIContainer
import DICompatibility
import Testing

private final class Archive: DefaultSharedContainer {
  let manager = ContainerManager()
  init() {}

  var parcel: Factory<Parcel> { self(key: "parcel of old") { Parcel() }.timeToLive(600).cached }
  var courier: Factory<any Courier> {
    self(key: "k") { VanCourier() }.onArg("archived") { FakeCourier(self.parcelName) }
  }
  var shipment: ParameterFactory<Int, Shipment> {
    makes(key: "shipment of old") { Shipment(number: $0) }.scopeOnParameters.cached
  }
  var early: Factory<any Courier> { self(key: "shift") { VanCourier() } }
  var late: Factory<any Courier> {
    self(key: "shift") { VanCourier() }
      .onArg("archived") { FakeCourier(self.parcelName) }
      .decorator { _ in self.journal.withLock { $0.append("late") } }
  }
  let journal = Lock<[String]>([])
  let parcelName = "archived"
  /// A modifier of one's own says for whom it speaks.
  var traced: Factory<Parcel> { self { Parcel() }.traced().cached }
}

extension Factory {
  fileprivate func traced(
    fileID: StaticString = #fileID, function: StaticString = #function
  ) -> Self {
    onArg("never", fileID: fileID, function: function) { fatalError() }
  }
}

extension Archive {
  fileprivate var list: AsyncFactory<String> {
    self(key: "list of old") { "declared" }.onArg("archived") { "context" }
  }
}

@Suite("A declaration with a key of its own")
struct FactoryExplicitKeyTests {
  @Test("is described by its modifiers, as one without")
  func modifiers() {
    let archive = Archive()
    #expect(archive.parcel() === archive.parcel())
    #expect(archive.shipment(1) === archive.shipment(1))
  }

  @Test("is described by them if it is async, too: nothing is set from outside")
  func asyncModifiers() async throws {
    let archive = Archive()
    archive.list.register { "registered" }
    #expect(try await archive.list() == "registered")
    #expect(archive.manager.core.registry.foremost().count == 1)
  }

  @Test("does not have its container hold it")
  func leak() {
    weak var archive: Archive?
    do {
      let made = Archive()
      archive = made
      _ = made.courier()
    }
    #expect(archive == nil)
  }

  @Test("has the modifiers of each property that names it in that property alone")
  func severalProperties() {
    let archive = Archive()
    _ = archive.early()
    _ = archive.late()
    _ = archive.early()
    #expect(archive.journal.withLock { $0 } == ["late"])
  }

  @Test("does not have its container hold it where several properties name it")
  func leakOfSeveral() {
    weak var archive: Archive?
    do {
      let made = Archive()
      archive = made
      _ = made.early()
      _ = made.late()
    }
    #expect(archive == nil)
  }

  @Test("keeps its instance where a modifier of one's own comes before the scope")
  func ownModifier() {
    let archive = Archive()
    #expect(archive.traced() === archive.traced())
  }
}
