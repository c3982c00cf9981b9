// mode: 6
// A test captures a spy that is not Sendable, and goes on using it.
import DIContainer

protocol Mailer { func send(_ text: String) }
final class SpyMailer: Mailer {
  var sent: [String] = []
  func send(_ text: String) { sent.append(text) }
}

func nonisolatedTest() {
  let resolver = Resolver()
  let spy = SpyMailer()
  resolver.register { spy as any Mailer }
  resolver.register(name: "r") { _ in spy as any Mailer }
  resolver.register(name: "args") { _, _ in spy as any Mailer }
  let mailer: any Mailer = resolver.resolve()
  mailer.send("a")
  spy.send("b")
}

func asyncTest() async {
  let resolver = Resolver()
  let spy = SpyMailer()
  resolver.register { spy as any Mailer }
  await Task.yield()
  let mailer: any Mailer = resolver.resolve()
  mailer.send("a")
  _ = spy.sent
}

@MainActor func mainActorTest() async {
  let resolver = Resolver()
  let spy = SpyMailer()
  resolver.register { spy as any Mailer }
  resolver.register { spy }.implements((any Mailer).self, name: "spy")
  await Task.yield()
  let mailer: any Mailer = resolver.resolve()
  mailer.send("a")
  _ = spy.sent
}
