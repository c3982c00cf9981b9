// mode: 6
// Plain `register` called from isolated code, with a factory that uses what is isolated there.
import DIContainer

@MainActor final class Window {
  let title: String
  init(title: String) { self.title = title }
}

@MainActor final class Scene {
  var title = "Storefront"

  func wire(_ resolver: Resolver) {
    resolver.register { Window(title: self.title) }
    let window: Window = resolver.resolve()
    title = window.title
  }
}
