import App
import DITesting
import Testing

// Warnings about unused doubles in a suite of Swift Testing: one in all, at the line that says so.

struct Spy: Mailer, Audit, Scales {}

@Suite(.sandbox)
struct CartTests {
  init() {
    // Set-up for all tests.
    Resolver.register { Spy() as any Mailer }
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

private func registerScales() {
  Resolver.register { Spy() as any Scales }
}
