// What a registration does. Nothing here is generic over the service's type: the closures get the
// memory that holds an instance, or is to hold one, and are made where they are registered, in code
// that knows the type. So there is one class of registrations, not one generic class that the
// runtime instantiates for each service, which took most of the time of registering.

/// What a registration does to answer a request.
package struct Recipe {
  /// Makes an instance; properties are not set yet.
  let build: Build
  private var said: Said?

  /// The parts of a recipe that most registrations do without.
  struct Details {
    /// Run in order after each construction, before the instance is handed out.
    var properties: [PropertyBlock] = []
    /// Run when a kept instance is forgotten.
    var onRelease: Slot.OnRelease?
    /// For aliases: the service that it stands for.
    var alias: Alias?
    /// How many arguments of a request it takes by position, so far; see PassedArgument.swift.
    var argumentCount = 0
    /// Whether it stands for "taken away".
    var isRemoval = false
    /// Where `build` runs.
    var home = Home.anywhere
    /// For decorations: what stands for it over what it wraps.
    var wrappings: Wrappings?
    /// Makes an instance for requests that can wait, where `build` alone cannot: an `AsyncMaker`.
    var makeAsync: AnyObject?
    /// Whether the last waiter takes the build along when it is cancelled.
    var cancelsWithLastWaiter = false
  }

  private final class Said {
    let details: Details
    init(_ details: Details) { self.details = details }
  }

  init(_ build: @escaping Build) {
    self.build = build
  }

  init<Service>(_ make: Make<Service>) {
    build = make.build
  }

  var isPlain: Bool { said == nil }

  var details: Details {
    get { said?.details ?? Details() }
    set { said = Said(newValue) }
  }

  /// Sets properties of an instance in memory.
  struct PropertyBlock {
    /// Whether it may ask for a service that is being made: it waits for the end of the cycle.
    var isOfCircle = false
    let set:
      (
        _ resolver: Resolver, _ memory: UnsafeMutableRawPointer, _ args: UnsafePointer<Any>?
      ) throws -> Void
  }
}

/// Makes an instance in uninitialised memory; false if the factory answered nil.
///
/// The one form in which factories are kept. It is put together where they are registered, in
/// code that knows the service's type (`register` is inlinable), so that the kernel needs neither
/// an `Optional<Service>` nor anything else that costs a look-up of metadata (10–15 ns each), and
/// a factory that captures nothing needs no context to be retained.
@usableFromInline
package typealias Build = (
  _ memory: UnsafeMutableRawPointer, _ resolver: Resolver, _ args: UnsafePointer<Any>?
) throws -> Bool

/// A closure that makes an instance, in the forms that users write it.
@usableFromInline
@frozen
package struct Make<Service> {
  @usableFromInline let build: Build

  @inlinable @inline(__always)
  init(_ build: @escaping Build) {
    self.build = build
  }

  /// A factory that needs nothing.
  @inlinable @inline(__always)
  package static func plain(_ make: @escaping () throws -> Service?) -> Self {
    Self { memory, _, _ in
      guard let service = try make() else { return false }
      memory.initializeMemory(as: Service.self, to: service)
      return true
    }
  }

  /// A factory that asks a container for what it needs.
  @inlinable @inline(__always)
  package static func resolver(_ make: @escaping (Resolver) throws -> Service?) -> Self {
    Self { memory, resolver, _ in
      guard let service = try make(resolver) else { return false }
      memory.initializeMemory(as: Service.self, to: service)
      return true
    }
  }

  /// A factory that takes the request's arguments.
  @inlinable @inline(__always)
  package static func arguments(
    _ make: @escaping (Resolver, Resolver.Args) throws -> Service?
  ) -> Self {
    Self { memory, resolver, args in
      guard let service = try make(resolver, Resolver.Args(args?.pointee)) else { return false }
      memory.initializeMemory(as: Service.self, to: service)
      return true
    }
  }
}
