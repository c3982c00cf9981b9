// mode: 6
// expect: main actor-isolated default value in a nonisolated context
import DIContainer

@MainActor final class Window {}

extension Container {
  var window: MainActorFactory<Window> { self { Window() } }
}

final class Model {
  @LazyInjected(\.window) var window
}
