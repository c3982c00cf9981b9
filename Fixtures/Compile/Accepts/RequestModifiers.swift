// mode: 6
// DITranquillity's words among parameters, and how they are told from a container's own.
import DICompatibility
import DIContainer

protocol Mailer: Sendable {}
enum Night {}
final class Desk {
  let mailers: [any Mailer]
  let night: any Mailer
  var day: (any Mailer)?
  init(mailers: [any Mailer], night: any Mailer) { (self.mailers, self.night) = (mailers, night) }
}

enum DeskPart: DIPart {
  static func load(container: Container) {
    container.register { Desk(mailers: many($0), night: by(tag: Night.self, on: $1)) }
      .injection(\.day) { by(tag: Night.self, on: $0) }
      .injection { $0.day = by(tag: Night.self, on: $1) }
      .injection(\.day) { arg($0) }
      .postInit { desk in _ = desk.day }
      .lifetime(.single)
    let all: [any Mailer] = many(container.resolve())
    let ofTag: [any Mailer] = many(by(tag: Night.self, on: container.resolve()))
    let optional: (any Mailer)? = by(tag: Night.self, on: container.resolve())
    _ = (all, ofTag, optional)
  }
}

extension Resolver {
  static func registerDesk() {
    register { (mailers: AllServices<any Mailer>, night: any Mailer) in
      Desk(mailers: many(mailers), night: night)
    }
    let listed: [any Mailer] = main.resolveMany()
    _ = listed
  }
}
