@testable import DIContainer
import Testing

@Suite("When kept instances were last asked for")
struct ExpiryClockTests {
  @Test("is remembered for those alone that may be asked for again")
  func bounded() {
    let clock = ExpiryClock()
    let kept = Keeper(.cached, Parcel.self)
    #expect(!clock.isExpired(kept, after: 60))
    for _ in 0..<1_000 {
      #expect(!clock.isExpired(Keeper(.cached, Parcel.self), after: 0))
    }
    #expect(clock.count <= 64)
    let isExpired = ExpiryClock.$ahead.withValue(.seconds(61)) { clock.isExpired(kept, after: 60) }
    #expect(isExpired)
  }

  @Test("is remembered for the same of what is pushed and popped again and again")
  func boundedByPush() {
    let clock = ExpiryClock()
    let kept = Keeper(.cached, Parcel.self)
    #expect(!clock.isExpired(kept, after: 60))
    // Each takes the place in memory of the one before, so that the next is at another.
    var others: [Keeper] = []
    for _ in 0..<1_000 {
      clock.note(Keeper(.cached, Parcel.self), askedLikeThat: kept)
      others.append(Keeper(.cached, Parcel.self))
    }
    withExtendedLifetime(others) { #expect(clock.count <= 64) }
    let copy = Keeper(.cached, Parcel.self)
    clock.note(copy, askedLikeThat: kept)
    let isExpired = ExpiryClock.$ahead.withValue(.seconds(61)) { clock.isExpired(copy, after: 60) }
    #expect(isExpired)
  }
}
