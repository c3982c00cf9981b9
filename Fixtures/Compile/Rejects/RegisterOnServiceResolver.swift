// expect: value of type 'any ServiceResolver' has no member 'register'
// The resolve-only view of an assembler cannot register.
import DIContainer

func change(_ resolver: any ServiceResolver) {
  resolver.register { "a" }
}
