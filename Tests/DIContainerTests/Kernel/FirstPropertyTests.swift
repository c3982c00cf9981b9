import Testing

@testable import DIContainer

@Suite("What is reached by the address of an object's first property")
struct FirstPropertyTests {
  private static func registration() -> Registration {
    Resolver().register { 1 }.registration
  }

  @Test("is the first property of a class that has no superclass")
  func order() {
    let objects: [(AnyObject, String)] = [
      (Self.registration(), "use"), (UseMark(isUsed: false), "use"),
      (ContextFrame(.sandbox, parent: nil), "scope"),
    ]
    for (object, name) in objects {
      let mirror = Mirror(reflecting: object)
      #expect(mirror.children.first?.label == name)
      #expect(mirror.superclassMirror == nil)
    }
  }

  @Test("is what the object was made with")
  func values() {
    for (isUsed, word) in [(true, 1), (false, 0)] as [(Bool, UInt)] {
      let mark = UseMark(isUsed: isUsed)
      withExtendedLifetime(mark) {
        #expect(firstProperty(of: mark).load(as: UInt.self) == word)
      }
    }
    #expect(!Self.registration().isUsed)
  }
}
