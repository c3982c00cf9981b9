// expect: cannot convert value of type 'String' to expected argument type 'Resolver.Name'
// Where a property is declared, a name is a literal or a `Resolver.Name`; a string at run time is
// for requests and registrations.
import DIContainer

let name = "night".uppercased()

struct Shop {
  @Injected(name: name) var hours: Int
}
