import DIContainer
import Testing

// The examples of Resolver's page on named instances, in its order.

private protocol XYZServiceProtocol {}
private final class XYZServiceFred: XYZServiceProtocol {}
private final class XYZServiceBarney: XYZServiceProtocol {}

private struct XYZSessionService {
  let key: String
}

private protocol XYZServicing {}
private final class XYXService: XYZServicing {}
private final class XYXMockService: XYZServicing {}

private protocol XYZViewModelProtocol {
  var title: String { get }
  func load() -> String
}

private final class XYZViewModelAdding: XYZViewModelProtocol {
  let title = "add"
  func load() -> String { "empty" }
}

private final class XYZViewModelEditing: XYZViewModelProtocol {
  let title = "edit"
  func load() -> String { "loaded" }
}

extension Resolver.Name {
  fileprivate static let fred = Self("Fred")
  fileprivate static let barney = Self("Barney")
  fileprivate static let appKey = Self("appKey")
  fileprivate static let token = Self("token")
  fileprivate static let data = Self("data")
  fileprivate static let mock = Self("mock")
  fileprivate static let add = Self("add")
  fileprivate static let edit = Self("edit")
}

/// What `Bundle.main.infoDictionary` is on the page.
private let infoDictionary: [String: any Sendable]? = ["mode": "mock"]

extension Resolver {
  fileprivate static func registerNamedServices() {
    register(name: .fred) { XYZServiceFred() as any XYZServiceProtocol }
    register(name: .barney) { XYZServiceBarney() as any XYZServiceProtocol }
  }

  fileprivate static func resolveFred() -> any XYZServiceProtocol {
    let service: any XYZServiceProtocol = resolve(name: .fred)
    return service
  }

  fileprivate static func registerNamedValues() {
    register(name: .appKey) { "12345" }
    register(name: .token) { "123e4567-e89b-12d3-a456-426614174000" }
    register { XYZSessionService(key: resolve(name: .appKey)) }
  }

  fileprivate static func registerMockedData() {
    register(name: .data) { XYXService() as any XYZServicing }
    register(name: .mock) { XYXMockService() as any XYZServicing }

    register {
      resolve(name: .name(fromString: (infoDictionary!["mode"] as! String))) as any XYZServicing
    }
  }

  fileprivate static func registerViewModels() {
    register(name: .add) { XYZViewModelAdding() as any XYZViewModelProtocol }
    register(name: .edit) { XYZViewModelEditing() as any XYZViewModelProtocol }
  }
}

private class NamedClient {
  @Injected(name: .barney) var service: any XYZServiceProtocol
}

private class Client {
  @Injected var service: any XYZServicing
}

private class ViewController: Resolving {
  var editMode: Bool = true  // set, perhaps, by calling segue
  lazy var viewModel: any XYZViewModelProtocol = resolver.resolve(name: editMode ? .edit : .add)!
}

private class NamedInjectedViewController {
  var editMode: Bool  // set, perhaps, by calling segue
  @LazyInjected var viewModel: any XYZViewModelProtocol

  init(editMode: Bool) { self.editMode = editMode }

  func viewDidLoad() -> String {
    $viewModel.name = editMode ? .edit : .add
    return viewModel.load()
  }
}

@Suite("Resolver's page on named instances")
struct NamesPageTests {
  @Test("Two services of one protocol are told apart by their names")
  func registeringAName() {
    inSandbox {
      Resolver.registerNamedServices()
      #expect(Resolver.resolveFred() is XYZServiceFred)
      #expect(NamedClient().service is XYZServiceBarney)
    }
  }

  @Test("Strings are told apart by their names and passed to initialisers")
  func namedValueTypes() {
    inSandbox {
      Resolver.registerNamedValues()
      let session: XYZSessionService = Resolver.resolve()
      #expect(session.key == "12345")
      let token: String = Resolver.resolve(name: .token)
      #expect(token == "123e4567-e89b-12d3-a456-426614174000")
    }
  }

  @Test("An unnamed registration picks a named one by a string known at run time")
  func mockingData() {
    inSandbox {
      Resolver.registerMockedData()
      #expect(Client().service is XYXMockService)
    }
  }

  @Test("A lazy property resolves after its owner's mode was set", arguments: [true, false])
  func changingBehaviour(editMode: Bool) {
    inSandbox {
      Resolver.registerViewModels()
      let controller = ViewController()
      controller.editMode = editMode
      #expect(controller.viewModel.title == (editMode ? "edit" : "add"))
    }
  }

  @Test("The name of a lazy property can be set until it is first used", arguments: [true, false])
  func changingBehaviourOfAWrapper(editMode: Bool) {
    inSandbox {
      Resolver.registerViewModels()
      let controller = NamedInjectedViewController(editMode: editMode)
      #expect(controller.viewDidLoad() == (editMode ? "loaded" : "empty"))
      #expect(controller.$viewModel.name == (editMode ? .edit : .add))
    }
  }

  @Test("A literal is a name; a string variable becomes one on request")
  func literalsAndVariables() {
    inSandbox {
      Resolver.registerNamedServices()
      let literal: any XYZServiceProtocol = Resolver.resolve(name: "Fred")
      #expect(literal is XYZServiceFred)

      let myString = "Barney"
      let direct: any XYZServiceProtocol = Resolver.resolve(name: Resolver.Name(myString))
      #expect(direct is XYZServiceBarney)

      let resolver = Resolver.root
      var type = "Fred"
      var viewModel: (any XYZServiceProtocol)?
      viewModel = resolver.optional(name: .name(fromString: type))
      #expect(viewModel is XYZServiceFred)
      type = "Wilma"
      viewModel = resolver.optional(name: .name(fromString: type))
      #expect(viewModel == nil)
    }
  }

  @Test("No string is no name")
  func nilIsUnnamed() {
    #expect(Resolver.Name.name(fromString: nil) == nil)
    #expect(Resolver.Name.name(fromString: "") == Resolver.Name(""))
  }
}
