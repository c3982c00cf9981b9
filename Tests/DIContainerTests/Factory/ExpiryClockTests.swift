import DIContainer
import Testing

@Suite("When kept instances were last asked for")
struct ExpiryClockTests {
  @Test("is remembered for those alone that may be asked for again")
  func bounded() {
    let clock = ExpiryClock()
    let kept = Slot(.cached, Parcel.self)
    #expect(!clock.isExpired(kept, after: 60))
    for _ in 0..<1_000 {
      #expect(!clock.isExpired(Slot(.cached, Parcel.self), after: 0))
    }
    #expect(clock.count <= 64)
    let isExpired = ExpiryClock.$ahead.withValue(.seconds(61)) { clock.isExpired(kept, after: 60) }
    #expect(isExpired)
  }
}
