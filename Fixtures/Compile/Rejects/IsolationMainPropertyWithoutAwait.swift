// expect: call to main actor-isolated instance method
// A main-actor property is asked on the main actor, or with `await`.
import DIContainer

@MainActor final class Window {}

extension Container {
  var window: MainActorFactory<Window> { self { Window() } }
}

func ask(_ container: Container) -> Window {
  container.window()
}
