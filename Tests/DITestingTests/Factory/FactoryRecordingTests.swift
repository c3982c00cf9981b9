import DICompatibility
import DIContainer
import DITesting
import Testing

@Suite("Recordings by key path")
struct FactoryRecordingTests {
  @Test("Requests by key path are events, live and double, created and kept")
  func events() {
    let recorder = ResolutionRecorder()
    withSandbox {
      let depot = CourierDepot()
      withRecorder(recorder) {
        _ = depot.courier()
        _ = depot.kept()
        _ = depot.kept()
        depot.courier.register { FakeCourier("double") }
        _ = depot.courier()
        _ = Container.shared.dispatch()
      }
    }
    #expect(
      recorder.events.map(\.description) == [
        "courier: any Courier: created live in CourierDepot (unique)",
        "kept: any Courier: created live in CourierDepot (cached)",
        "kept: any Courier: kept live in CourierDepot (cached)",
        "courier: any Courier: registered double in CourierDepot (unique)",
        "courier: any Courier: created double in CourierDepot (unique)",
        "dispatch: Dispatch: created live in main (unique)",
        "courier: any Courier: created live in main (unique)",
      ])
    #expect(recorder.events.last?.parent == 5)
    #expect(recorder.resolutions(of: (any Courier).self).count == 5)
  }

  @Test("What a test's context makes from a parameter is recorded as a double")
  func contextWithParameter() {
    let recorder = ResolutionRecorder()
    withSandbox {
      FactoryContext.setArg("offline", forKey: "mode")
      withRecorder(recorder) {
        _ = Container.shared.label(7)
        Container.shared.label.onArg("offline") { "outside \($0)" }
        _ = Container.shared.label(7)
      }
    }
    #expect(
      recorder.events.map(\.description) == [
        "label: String: created live in main (unique)",
        "label: String: created double in main (unique)",
      ])
  }

  @Test("A layer's double is recorded where it stands")
  func layer() {
    let recorder = ResolutionRecorder()
    withLayer {
      $0.double(\CourierDepot.courier) { FakeCourier("named") }
    } operation: {
      withRecorder(recorder) { _ = CourierDepot.shared.courier() }
    }
    #expect(recorder.events.map(\.isDouble) == [true])
    #expect(recorder.events.map(\.key.description) == ["courier: any Courier"])
  }
}
