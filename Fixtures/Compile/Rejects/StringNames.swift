// expect: cannot convert value of type 'String' to expected argument type 'Resolver.Name'
// A name is a literal or a `Resolver.Name`; `DICompatibility` takes strings in requests and
// registrations, not where a property is declared.
import DIContainer

let name = "night".uppercased()

struct Shop {
  @Injected(name: name) var hours: Int
}
