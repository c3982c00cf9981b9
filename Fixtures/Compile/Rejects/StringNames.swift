// expect: cannot convert value of type 'String' to expected argument type 'Resolver.Name'
// A name is a literal or a `Resolver.Name`; a string at run time says so.
import DIContainer

func ask(_ resolver: Resolver, _ name: String) -> Int {
  resolver.resolve(Int.self, name: name)
}
