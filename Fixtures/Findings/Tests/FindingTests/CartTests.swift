import App
import DITesting
import Testing

// Warnings about unused doubles in a suite of Swift Testing. Each line that warns says when.

struct Spy: Mailer, Audit, Scales {}

/// Set-up that tests share: of all cases one resolves it.
private func registerScales() {
  Resolver.register { Spy() as any Scales }
}

@Suite(.sandbox)
struct CartTests {
  init() {
    Resolver.register { Spy() as any Mailer }  // with the suite: no test resolves it
  }

  @Test(arguments: 1...20) func weighs(number: Int) {
    registerScales()
    if number == 7 { _ = Resolver.resolve((any Scales).self) }
  }

  @Test(arguments: 1...20) func audits(number: Int) {
    Resolver.register { Spy() as any Audit }  // once: of 20 cases none resolves it
  }

  @Test func boots() {
    AppWiring.register()
  }

  @Suite struct Inner {
    @Test func waits() {
      registerScales()
    }
  }
}
