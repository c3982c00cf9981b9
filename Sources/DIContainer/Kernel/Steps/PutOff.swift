// Setters of a cycle (DICompatibility's `initCompleted` and `injection(cycle: true)`) may resolve a
// service whose factory requested their own. Which services they resolve is not known before they
// run. So while the factory of any other service is running, they are put off until the outermost
// service of the object graph is made, and run before that is returned. If one fails, what was kept
// meanwhile is forgotten, because it may hold an instance whose properties are not set.

/// The setters of an instance that run after the graph has made everything else.
final class PutOff {
  let registration: Registration
  let setters: ArraySlice<Maker.Setter>
  let instance: Instance
  let request: Request
  let args: Any?
  let container: Resolver
  let event: UInt64
  private let context = ContextFrame.bound

  init(
    _ registration: Registration, _ setters: ArraySlice<Maker.Setter>, of instance: Instance,
    _ request: Request, args: Any?, container: Resolver, event: UInt64
  ) {
    (self.registration, self.setters, self.instance) = (registration, setters, instance)
    (self.request, self.args, self.container) = (request, args, container)
    self.event = event
  }

  /// Runs the setters, as one more step of the graph, in the context in which the instance was
  /// made.
  func run(_ chain: Chain) throws {
    if setters.isEmpty { return }
    try ContextFrame.$bound.withValue(context) {
      let hasArguments = args != nil
      try chain.check(registration.subject, request, hasArguments: hasArguments)
      try chain.perform(
        registration.subject, request, hasArguments: hasArguments, event: event
      ) {
        // The outermost step of the graph is still under way.
        defer { chain.leave() }
        do {
          for setter in setters { try setter.set(container, instance, args) }
        } catch {
          throw Chain.described(error, request, registeredAt: registration.location)
        }
      }
    }
  }
}
