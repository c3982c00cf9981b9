import DICompatibility
import DIContainer
import Testing

private final class Quay: DefaultSharedContainer {
  let manager = ContainerManager()
  init() {}
  var shipment: ParameterFactory<(Int, String), Shipment> {
    self { number, customer in Shipment(number: number, customer: customer) }
  }
  var labelled: ParameterFactory<(number: Int, customer: String), Shipment> {
    self { Shipment(number: $0.number, customer: $0.customer) }
  }
  var note: ParameterFactory<(Int, String?, Bool, Weight), String> {
    self { "\($0) \($1 ?? "nobody") \($2) \($3.grams)" }
  }
  var promised: ParameterFactory<(Int, String), Shipment?> { promised() }
}

@Suite("Several parameters")
struct SeveralParametersTests {
  private let quay = Quay()

  @Test("Two are passed one by one, with every verb")
  func two() throws {
    #expect(quay.shipment(7, "Ada").customer == "Ada")
    #expect(quay.shipment.resolve(8, "Ada").number == 8)
    #expect(try quay.shipment.require(9, "Ada").number == 9)
  }

  @Test("They are passed as one tuple as well, labelled or not")
  func tuple() throws {
    let parameters = (7, "Ada")
    #expect(quay.shipment(parameters).number == 7)
    #expect(quay.shipment((7, "Ada")).customer == "Ada")
    #expect(quay.labelled((number: 7, customer: "Ada")).customer == "Ada")
    #expect(quay.labelled((7, "Ada")).number == 7)
    #expect(try quay.labelled.require((number: 7, customer: "Ada")).number == 7)
  }

  @Test("There may be more than two, nil among them")
  func four() {
    #expect(quay.note(7, nil, true, Weight(grams: 5)) == "7 nobody true 5")
    #expect(quay.note.resolve(7, "Ada", false, Weight(grams: 5)) == "7 Ada false 5")
  }

  @Test("What is registered gets them")
  func registered() {
    quay.shipment.register { Shipment(number: $0 * 10, customer: $1) }
    #expect(quay.shipment(7, "Ada").number == 70)
    quay.shipment { number, customer in Shipment(number: -number, customer: customer) }
    #expect(quay.shipment(7, "Ada").number == -7)
  }

  @Test("What cannot be had is an error, at the line that asked")
  func missing() {
    let line = #line + 1
    let error = #expect(throws: ResolutionError.self) { try quay.promised.require(7, "Ada") }
    #expect(error?.requestedAt.description == "\(#fileID):\(line)")
    #expect(quay.promised(7, "Ada") == nil)
  }

  @MainActor
  @Test("They are passed one by one on an actor, too")
  func onActors() {
    #expect(quay.shipment.resolveOnMainActor(7, "Ada").number == 7)
  }
}
