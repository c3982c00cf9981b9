/// Where a lazy wrapper gets its service from, and in which context.
struct LazySource<Service> {
  var name: Resolver.Name?
  var container: Resolver?
  var args: Any?
  /// Set for services that are asked for by key path.
  let factory: Unchecked<() -> Factory<Service>>?
  let location: CodeLocation
  private let remembered: ContextFrame?

  init(
    name: Resolver.Name? = nil, container: Resolver? = nil, args: Any? = nil,
    location: CodeLocation, factory: (() -> Factory<Service>)? = nil
  ) {
    self.name = name
    self.container = container
    self.args = args
    self.factory = factory.map { Unchecked($0) }
    self.location = location
    remembered = ContextFrame.current?.withoutCarrier
  }

  /// Runs in the current context if there is one, otherwise in the one remembered.
  func inContext<Result>(_ body: () -> Result) -> Result {
    guard let remembered, ContextFrame.bound == nil else { return body() }
    return ContextFrame.$bound.withValue(remembered.withCarrier, operation: body)
  }

  func resolve() -> Service {
    inContext {
      if let factory {
        return factory.value().resolve(
          fileID: location.staticFileID, filePath: location.staticFilePath, line: location.line,
          column: location.column)
      }
      let container = container ?? Resolver.started
      do {
        return try Engine.need(
          Request(Service.self, name: name, location: location), args: args, asked: container)
      } catch {
        trap(error)
      }
    }
  }
}
