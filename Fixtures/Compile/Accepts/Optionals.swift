// mode: 6
// An optional asked for is an optional answer.
import DIContainer

protocol Mailer { var sender: String { get } }

func ask(_ resolver: Resolver) throws(ResolutionError) -> String {
  let inferred: (any Mailer)? = resolver.resolve()
  let typed = resolver.resolve((any Mailer).self) as (any Mailer)?
  let forced: any Mailer = resolver.resolve((any Mailer).self)!
  if let bound = resolver.resolve((any Mailer).self) { _ = bound.sender }
  guard let guarded: any Mailer = resolver.optional() else { return "" }
  let required: any Mailer = try resolver.require()
  return (inferred ?? typed ?? forced).sender + guarded.sender + required.sender
}
