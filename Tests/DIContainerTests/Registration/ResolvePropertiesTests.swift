import DIContainer
import Testing

private final class Editor {
  var printer: Printer?
  var title = ""
  var log: [String] = []
}

private final class Printer {
  weak var editor: Editor?
}

/// `.resolveProperties`, in both forms.
@Suite("Resolving properties")
struct ResolvePropertiesTests {
  private let resolver: Resolver = Resolver()

  @Test("Properties are set on each new instance, with the container that was asked")
  func setsProperties() {
    resolver.register { Printer() }
    resolver.register { Editor() }.resolveProperties { r, editor in
      #expect(r === resolver)
      editor.printer = r.resolve()
    }
    #expect(resolver.resolve(Editor.self).printer != nil)
  }

  @Test("Properties can be set from the request's arguments")
  func arguments() {
    resolver.register { Editor() }.resolveProperties { _, editor, args in
      editor.title = args("title")
    }
    #expect(resolver.resolve(Editor.self, args: ["title": "Orders"]).title == "Orders")
  }

  @Test("Several calls apply in order")
  func severalInOrder() {
    resolver.register { Editor() }
      .resolveProperties { _, editor in editor.log.append("first") }
      .scope(.unique)
      .resolveProperties { _, editor, _ in editor.log.append("second") }
    #expect(resolver.resolve(Editor.self).log == ["first", "second"])
  }

  @Test("A kept instance is not touched again")
  func keptInstance() {
    resolver.register { Editor() }
      .resolveProperties { _, editor in editor.log.append("set") }
      .scope(.cached)
    _ = resolver.resolve(Editor.self)
    #expect(resolver.resolve(Editor.self).log == ["set"])
  }

  @Test(
    "Two services can refer to each other by way of properties",
    arguments: [Scope.graph, .shared, .cached, .container, .application])
  func mutualReferences(scope: Scope) {
    resolver.register { Editor() }.scope(scope).resolveProperties { r, editor in
      editor.printer = r.resolve()
    }
    resolver.register { Printer() }.scope(scope).resolveProperties { r, printer in
      printer.editor = r.resolve()
    }
    let editor: Editor = resolver.resolve()
    #expect(editor.printer?.editor === editor)
    let printer: Printer = resolver.resolve()
    if scope !== Scope.graph { #expect(printer === editor.printer) }
  }

  @Test("What a reset in a resolution cycle forgets is not handed out again in that cycle")
  func resetInCycle() {
    inSandbox {
      resolver.register { Editor() }.scope(.cached).resolveProperties { _, editor in
        editor.title = "Orders"
      }
      resolver.register([Editor].self) { r in
        let before: Editor = r.resolve()
        #expect(r.resolve(Editor.self) === before)
        Scope.cached.reset()
        return [before, r.resolve(), r.resolve()]
      }
      let editors: [Editor] = resolver.resolve()
      #expect(editors[0] !== editors[1])
      #expect(editors[1] === editors[2])
      #expect(resolver.resolve(Editor.self) === editors[1])
    }
  }

  @Test("A reset while properties are set leaves the instance to those who take part in that")
  func resetBySetter() {
    inSandbox {
      resolver.register { Editor() }.scope(.cached).resolveProperties { r, editor in
        Scope.cached.reset()
        editor.printer = r.resolve()
      }
      resolver.register { Printer() }.scope(.cached).resolveProperties { r, printer in
        printer.editor = r.resolve()
      }
      let editor: Editor = resolver.resolve()
      #expect(editor.printer?.editor === editor)
      #expect(resolver.resolve(Editor.self) !== editor)
    }
  }

  @Test("What a property needs is thrown by require")
  func throwing() {
    resolver.register { Editor() }.resolveProperties { r, editor in
      editor.printer = try r.require(Printer.self)
    }
    let error = #expect(throws: ResolutionError.self) { try resolver.require(Editor.self) }
    #expect(error?.chain == [ServiceKey(Editor.self), ServiceKey(Printer.self)])
  }

  @Test("An optional property that is required is required, although its type is optional")
  func requiringIntoAnOptional() throws {
    resolver.register { Editor() }.resolveProperties { r, editor in
      editor.printer = try r.require()
    }
    let error = #expect(throws: ResolutionError.self) { try resolver.require(Editor.self) }
    #expect(error?.chain == [ServiceKey(Editor.self), ServiceKey(Printer.self)])
    resolver.register { Printer() }
    #expect(try resolver.require(Editor.self).printer != nil)
  }

  @Test("An instance whose properties could not be set is not kept")
  func failureIsNotKept() throws {
    resolver.register { Editor() }.scope(.cached).resolveProperties { r, editor in
      editor.printer = try r.require()
    }
    #expect(throws: ResolutionError.self) { try resolver.require(Editor.self) }
    resolver.register { Printer() }
    #expect(try resolver.require(Editor.self).printer != nil)
  }
}
