import DICompatibility
import DIContainer
import Testing

private final class Mall: DefaultSharedContainer {
  let manager = ContainerManager()
  init() {}
}

extension Container {
  fileprivate var display: MainActorFactory<ShopWindow> { self { ShopWindow(title: "Mall") } }
  fileprivate var extra: MainActorFactory<ShopWindow?> { self { nil } }
}

extension Mall {
  fileprivate var window: MainActorFactory<ShopWindow> { self { ShopWindow() }.cached }
  fileprivate var poster: MainActorFactory<ShopWindow> { self { ShopWindow(title: "Poster") } }
  fileprivate var spare: MainActorFactory<ShopWindow?> { self { ShopWindow(title: "Spare") } }
  @MainActor fileprivate var own: Factory<ShopWindow> { self { ShopWindow(title: "Own") } }
}

/// A view model, with every wrapper there is.
@MainActor
private final class MallModel {
  @Injected(\Mall.poster) var poster
  @LazyInjected(\Mall.window) var window
  @LazyInjected(\.display) var display
  @WeakLazyInjected(\Mall.window) var weakWindow
  @WeakLazyInjected(\.display) var weakDisplay
  @OptionalInjected(\Mall.poster) var optional
  @OptionalInjected(\Mall.spare) var spare
  @OptionalInjected(\.display) var optionalDisplay
  @OptionalInjected(\.extra) var extra
  @DynamicInjected(\Mall.poster) var dynamic
  @DynamicInjected(\.display) var dynamicDisplay

}

/// The same for properties that are declared for the main actor.
@MainActor
private final class OwnModel {
  @Injected(\Mall.own) var eager
  @LazyInjected(\Mall.own) var lazy
  @WeakLazyInjected(\Mall.own) var weak
  @OptionalInjected(\Mall.own) var optional
  @DynamicInjected(\Mall.own) var dynamic
}

@MainActor
@Suite("Isolation: property wrappers of a main-actor type")
struct IsolationWrapperTests {
  @Test("A lazy one asks when it is first used, and keeps what it got")
  func lazy() {
    let mall = Mall.shared
    inSandbox {
      let model = MallModel()
      mall.window.register { ShopWindow(title: "Later") }
      #expect(model.$window.isEmpty)
      #expect(model.window.title == "Later")
      #expect(model.window === model.window)
      #expect(model.display.title == "Mall")
    }
  }

  @Test("A weak one holds nothing")
  func weak() {
    inSandbox {
      let model = MallModel()
      #expect(model.weakDisplay?.title == "Mall")
      #expect(model.weakDisplay == nil)
      let window = Mall.shared.window()
      #expect(model.weakWindow === window)
    }
  }

  @Test("An optional one takes services that may be nil, and those that may not")
  func optional() {
    inSandbox {
      let model = MallModel()
      #expect(model.optional?.title == "Poster")
      #expect(model.optionalDisplay?.title == "Mall")
      #expect(model.spare?.title == "Spare")
      #expect(model.extra == nil)
    }
  }

  @Test("A dynamic one asks at every access")
  func dynamic() {
    inSandbox {
      let model = MallModel()
      #expect(model.dynamic !== model.dynamic)
      Mall.shared.poster.register { ShopWindow(title: "Sale") }
      #expect(model.dynamic.title == "Sale")
      #expect(model.$dynamic().title == "Sale")
      #expect(model.dynamicDisplay.title == "Mall")
    }
  }

  @Test("What an eager one holds can be resolved anew")
  func anew() {
    inSandbox {
      let model = MallModel()
      let poster = model.poster
      model.$poster.resolve()
      #expect(model.poster !== poster)
      #expect(model.$poster.factory?().title == "Poster")
    }
  }

  @Test("So can what a lazy one holds, and its factory takes a double")
  func factory() {
    inSandbox {
      let model = MallModel()
      let window = model.window
      model.$window.resolve()
      #expect(model.window === window)
      model.$window.resolve(reset: .scope)
      #expect(model.window !== window)
      Mall.shared.window.register { ShopWindow(title: "Double") }
      model.$window.resolve()
      #expect(model.window.title == "Double")
    }
  }

  @Test("Every one takes a property that is declared for the main actor")
  func declaredForMain() {
    let model = OwnModel()
    let titles = [
      model.eager.title, model.lazy.title, model.weak?.title, model.optional?.title,
      model.dynamic.title,
    ]
    #expect(titles == Array(repeating: "Own", count: 5))
  }

  @Test("One that is carried elsewhere has an error say where the service belongs")
  func elsewhere() async {
    let line = #line + 4
    let wrapper = MallModel().$window
    let error = await Task { @concurrent in
      // The wrapper itself would trap with the same text.
      #expect(throws: ResolutionError.self) {
        try wrapper.factory?.require()
      }
    }.value
    #expect(
      error?.description == """
        The factory of `window: ShopWindow` runs on the main actor, and was requested from elsewhere \
        without `await`.

          requested:  \(#fileID):\(line)

        To fix this:
          - Request it from its factory, with `await`: `try await container.window()`.
        """)
  }
}
