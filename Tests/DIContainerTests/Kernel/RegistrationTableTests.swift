import Foundation
import TestSupport
import Testing

@testable import DIContainer

private enum GreenTea {}
private enum BlackTea {}
private enum WhiteTea {}

@Suite("The table of registrations")
struct RegistrationTableTests {
  private static let names = (0..<40).map { "tea \($0)" }

  private static func registration(
    _ number: Int, _ name: String?, _ living: Living
  ) -> Registration {
    switch number % 3 {
    case 0: teaRegistration(GreenTea.self, name, living)
    case 1: teaRegistration(BlackTea.self, name, living)
    default: teaRegistration(WhiteTea.self, name, living)
    }
  }

  @Test("answers as a dictionary under a lock does", arguments: 1...20)
  func sequential(seed: Int) {
    var numbers = SameNumbers(UInt64(seed))
    let living = Living()
    do {
      let table = Registry()
      let oracle = DictionaryStore()
      for _ in 0..<2_000 {
        let name = Bool.random(using: &numbers) ? Self.names.randomElement(using: &numbers) : nil
        let number = Int.random(in: 0..<3, using: &numbers)
        switch Int.random(in: 0..<1_000, using: &numbers) {
        case 0:
          table.removeAll()
          oracle.removeAll()
        case 1..<400:
          let registration = Self.registration(number, name, living)
          table.set(registration)
          oracle.set(registration)
        default:
          let key = Self.registration(number, name, living).key
          #expect(table.find(key) === oracle.find(key))
        }
      }
      #expect(table.foremost().map(\.id) == oracle.all().map(\.id))
      #expect(living.number == oracle.all().count)
    }
    #expect(living.number == 0)
  }

  @Test("is read by eight threads while they write")
  func parallel() {
    let living = Living()
    do {
      let table = Registry()
      let oracles = (0..<8).map { _ in DictionaryStore() }
      DispatchQueue.concurrentPerform(iterations: 8) { thread in
        var numbers = SameNumbers(UInt64(thread + 1))
        // Every thread writes its own names and knows what it must find there; it reads those of
        // the others too, which have to be what was asked for, whoever wrote them when.
        let own = (0..<30).map { "tea \($0) of \(thread)" }
        for _ in 0..<4_000 {
          let number = Int.random(in: 0..<3, using: &numbers)
          switch Int.random(in: 0..<10, using: &numbers) {
          case 0..<3:
            let name = own.randomElement(using: &numbers)
            let registration = Self.registration(number, name, living)
            table.set(registration)
            oracles[thread].set(registration)
          case 3..<7:
            let key = Self.registration(number, own.randomElement(using: &numbers), living).key
            #expect(table.find(key) === oracles[thread].find(key))
          default:
            let other = Int.random(in: 0..<8, using: &numbers)
            let name = "tea \(Int.random(in: 0..<30, using: &numbers)) of \(other)"
            let key = Self.registration(number, name, living).key
            if let found = table.find(key) { #expect(found.key == key) }
          }
        }
      }
      let expected = oracles.flatMap { $0.all() }.map(\.id).sorted()
      #expect(table.foremost().map(\.id) == expected)
      #expect(living.number == expected.count)
    }
    #expect(living.number == 0)
  }

  @Test("is emptied under the eyes of its readers")
  func emptied() {
    let living = Living()
    let table = Registry()
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for round in 0..<1_500 {
        switch thread {
        case 0: if round % 20 == 0 { table.removeAll() }
        case 1..<4:
          table.set(Self.registration(round, Self.names[round % 40], living))
        default:
          let key = Self.registration(round, Self.names[round % 40], living).key
          if let found = table.find(key) { #expect(found.key == key) }
        }
      }
    }
    table.removeAll()
    #expect(living.number == 0)
  }

  @Test("hands each displaced registration to the one that took its place")
  func displaced() {
    let living = Living()
    let table = Registry()
    let displaced = Lock([UInt64]())
    onOwnThreads(4) { _ in
      for _ in 0..<500 {
        let registration = teaRegistration(GreenTea.self, nil, living)
        if let old = table.set(registration).displaced { displaced.withLock { $0.append(old.id) } }
      }
    }
    let all = displaced.withLock { $0 }
    #expect(all.count == 1_999)
    #expect(Set(all).count == 1_999)
    #expect(!all.contains(table.foremost()[0].id))
    #expect(living.number == 1)
  }
}

@Suite("What containers find in those below")
struct InheritanceTests {
  private struct Label: Sendable { let text: String }

  @Test("follows every change below at once")
  func changes() {
    let shop = Resolver()
    shop.register { Label(text: "first") }
    let nest = Resolver(child: Resolver(child: shop))
    #expect(nest.resolve(Label.self).text == "first")
    shop.register { Label(text: "second") }
    #expect(nest.resolve(Label.self).text == "second")
    nest.register { Label(text: "own") }
    #expect(nest.resolve(Label.self).text == "own")
    nest.remove(Label.self)
    #expect(nest.resolve(Label.self).text == "second")
    shop.remove(Label.self)
    #expect(nest.optional(Label.self)?.text == nil)
  }

  @Test("is not kept alive by having been found")
  func release() {
    final class Token: Sendable {}
    weak var token: Token?
    let shop = Resolver()
    let nest = Resolver(child: shop)
    do {
      let captured = Token()
      token = captured
      shop.register { withExtendedLifetime(captured) { Label(text: "old") } }
      #expect(nest.resolve(Label.self).text == "old")
    }
    #expect(token != nil)
    shop.register { Label(text: "new") }
    #expect(token == nil)
    #expect(nest.resolve(Label.self).text == "new")
  }

  @Test("tells two names with equal types apart")
  func names() {
    let shop = Resolver()
    let nest = Resolver(child: shop)
    for number in 0..<100 {
      shop.register(name: .init("label \(number)")) { Label(text: "\(number)") }
    }
    for _ in 0..<2 {
      for number in 0..<100 {
        #expect(
          nest.resolve(Label.self, name: .init("label \(number)")).text == "\(number)")
      }
    }
  }

  @Test("is read by eight threads while what is below changes")
  func parallel() {
    let shop = Resolver()
    shop.register { Label(text: "0") }
    let nest = Resolver(child: Resolver(child: shop))
    onOwnThreads(8) { thread in
      var last = 0
      for round in 1...2_000 {
        if thread == 0 {
          shop.register { Label(text: "\(round)") }
        } else {
          // One writer counts up: no reader may see it count down.
          let seen = Int(nest.resolve(Label.self).text)!
          #expect(seen >= last)
          last = seen
        }
      }
    }
    #expect(nest.resolve(Label.self).text == "2000")
  }
}
