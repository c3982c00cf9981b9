// expect: call to main actor-isolated instance method
// `resolveOnMain` is sync on the main actor only.
import DIContainer

@MainActor final class Window {}

func ask(_ resolver: Resolver) -> Window {
  resolver.resolveOnMain(Window.self)
}
