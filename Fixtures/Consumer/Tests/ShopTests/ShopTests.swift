import DITesting
import Shop
import Testing

extension Warehouse {
  var shelf: Factory<String> { self { "A1" }.cached }
  var label: ParameterFactory<Int, String> { self { "Box \($0)" } }
}

/// A container that another module declares, with properties of that module and of this one.
@Suite struct WarehouseTests {
  @Test(
    .layer {
      $0.double(\Warehouse.stock) { FakeStock() }
      $0.double(\Warehouse.shelf, "B2")
      $0.double(\Warehouse.label) { "Fake \($0)" }
    })
  func aLayerNamesItsProperties() {
    #expect(Warehouse.shared.stock() is FakeStock)
    #expect(Warehouse.shared.shelf() == "B2")
    #expect(Warehouse.shared.label(7) == "Fake 7")
  }

  @Test(.sandbox)
  func aSandboxRegistersInIt() {
    Warehouse.shared.stock.register { FakeStock() }
    Warehouse.shared.shelf.register { "C3" }
    #expect(Warehouse.shared.stock() is FakeStock)
    #expect(Warehouse.shared.shelf() == "C3")
    Warehouse.shared = Warehouse()
    #expect(Warehouse.shared.stock() is StoreStock)
  }

  @Test
  func nothingIsLeftOfThem() {
    #expect(Warehouse.shared.stock() is StoreStock)
    #expect(Warehouse.shared.shelf() == "A1")
    #expect(Warehouse.shared.label(7) == "Box 7")
  }
}

@Suite(.sandbox { _ in wireShop() }, .recorded) struct ShopTests {
  @Test(.layer { $0.decorate((any Mailer).self) { live in SpyMailer(live) } })
  func aSpyWrapsTheLiveMailer() throws {
    let writer: ReceiptWriter = Resolver.resolve()
    #expect(writer.mailer is SpyMailer)
  }

  @Test(arguments: ["TEA-GREEN", "NOTHING"])
  func mailsForWhatTheCatalogKnows(_ sku: String) {
    do {
      try Checkout().buy(sku)
      #expect(sku == "TEA-GREEN")
      expectResolved((any Mailer).self, times: 1)
    } catch {
      #expect(sku == "NOTHING")
      expectNotResolved((any Mailer).self)
    }
  }
}
