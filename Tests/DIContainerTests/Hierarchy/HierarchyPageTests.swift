import DIContainer
import Testing

// The examples of DITranquillity's page on hierarchies of containers, as they stand there but for
// the name of the class.

private final class A {}
private final class B {}
private final class C {}
private final class Type {}
private final class OtherType {}

@Suite struct HierarchyPageTests {
  @Test func `A chain of parents gives exactly the identities that the page gives`() {
    let container1 = Container()
    let container2 = Container(parent: container1)
    let container3 = Container(parent: container2)

    container1.register(A.init)
      .lifetime(.perContainer(.strong))

    container2.register(B.init)
      .lifetime(.prototype)

    container3.register(A.init)
      .lifetime(.perContainer(.strong))
    container3.register(C.init)
      .lifetime(.prototype)

    let a1: A? = container1.resolve()
    let a2: A? = container2.resolve()
    let a3: A? = container3.resolve()
    #expect(a1 != nil)
    #expect(a2 != nil && a2 === a1)
    #expect(a3 != nil && a3 !== a2 && a3 !== a1)

    let b1: B? = container1.resolve()
    let b2: B? = container2.resolve()
    let b3: B? = container3.resolve()
    #expect(b1 == nil)
    #expect(b2 != nil)
    #expect(b3 != nil && b3 !== b2)

    let c1: C? = container1.resolve()
    let c2: C? = container2.resolve()
    let c3: C? = container3.resolve()
    #expect(c1 == nil)
    #expect(c2 == nil)
    #expect(c3 != nil)
  }

  @Test func `The identities are the same when the last container is asked first`() {
    let container1 = Container()
    let container2 = Container(parent: container1)
    let container3 = Container(parent: container2)
    container1.register(A.init).lifetime(.perContainer(.strong))
    container3.register(A.init).lifetime(.perContainer(.strong))

    let a3: A? = container3.resolve()
    let a2: A? = container2.resolve()
    let a1: A? = container1.resolve()

    #expect(a2 != nil && a2 === a1)
    #expect(a3 != nil && a3 !== a1)
  }

  @Test func `One site that runs against two containers is one component, two sites are two`() {
    func singleComponent(container: Container) {
      container.register(OtherType.init)
        .lifetime(.perRun(.strong))
    }

    let container1 = Container()
    let container2 = Container()
    container1.register(Type.init)
      .lifetime(.perRun(.strong))
    container2.register(Type.init)
      .lifetime(.perRun(.strong))

    singleComponent(container: container1)
    singleComponent(container: container2)

    let type1: Type = container1.resolve()
    let type2: Type = container2.resolve()
    #expect(type1 !== type2)

    let other1: OtherType = container1.resolve()
    let other2: OtherType = container2.resolve()
    #expect(other1 === other2)
  }

  @Test func `Containers that are not nested answer for themselves only`() {
    let container1 = Container()
    let container2 = Container()
    let container3 = Container()

    container1.register(A.init)
      .lifetime(.perContainer(.strong))

    container2.register(B.init)
      .lifetime(.prototype)

    container3.register(A.init)
      .lifetime(.perContainer(.strong))
    container3.register(C.init)
      .lifetime(.prototype)

    let a1: A? = container1.resolve()
    let again: A? = container1.resolve()
    let a2: A? = container2.resolve()
    let a3: A? = container3.resolve()
    #expect(a1 != nil && a1 === again)
    #expect(a2 == nil)
    #expect(a3 != nil && a3 !== a1)

    let b1: B? = container1.resolve()
    let b2: B? = container2.resolve()
    let c1: C? = container1.resolve()
    let c3: C? = container3.resolve()
    #expect(b1 == nil && b2 != nil)
    #expect(c1 == nil && c3 != nil)
  }
}
