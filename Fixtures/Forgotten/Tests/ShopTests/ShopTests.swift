import DITesting
import Shop
import Testing

// `check.sh` knows what each of them hears.

@Suite(.serialized) struct Forgetful {
  @Test func registers() {
    let own = Resolver(child: .main)
    own.register { FakeMailer() as any Mailer }
    for _ in 0..<2 { Resolver.register { FakeMailer() as any Mailer } }
  }

  @Test(.recorded) func registersRecorded() {
    Resolver.register(name: "recorded") { FakeMailer() as any Mailer }
  }

  @Test(.strict) func registersStrictly() {
    Resolver.register(name: "strict") { FakeMailer() as any Mailer }
  }

  @Test func removes() {
    Resolver.main.remove((any Mailer).self, name: "strict")
  }

  @Test func swapsTheRoot() {
    Resolver.root = Resolver(child: .main)
  }

  @Test func resets() {
    Resolver.reset()
  }

  @Test func runsTheAppsWiring() {
    Wiring.registered
  }

  @Test(.processChanges(.off)) func meansIt() {
    Resolver.register(name: "meant") { FakeMailer() as any Mailer }
  }

  @Test(.sandbox) func sandboxed() {
    Resolver.register(name: "sandboxed") { FakeMailer() as any Mailer }
    _ = Resolver.resolve((any Mailer).self, name: "sandboxed")
    Resolver.root = Resolver()
  }
}
