internal import DIPrimitives

// Files of the folder, each on those before it:
//
// - `Chain`: the steps of a thread, the object graph that they make, and its end;
// - `PutOff`: setters of properties that run later, as steps of their own;
// - `AsyncLink`: the same for a task, which puts its chain on the threads that work for it, and
//   builds by tasks, which requests wait for;
// - `Chain+Current`: where the calling code stands, on a thread or in a task;
// - `ContextFrame+Notes` and `ResolutionError+Reasons`: what recorders and errors say of that.
//
// `RequestCache` only saves time.

/// The requests under way on a thread, and the object graph that they make.
///
/// A graph is a thread's outermost request with all dependencies. Only the thread uses its chain;
/// one that closes a cycle of waits reads the steps of the others, which sleep until it goes on.
package final class Chain {
  /// The identity of what a factory makes.
  struct Subject: Hashable {
    /// The registration; 0 for a step that groups several requests.
    let registration: UInt64
    /// For a decoration, the registration that makes what it wraps, if there is one; else 0.
    var over: UInt64 = 0
  }

  /// A call of a factory that is under way.
  struct Step {
    let subject: Subject
    let hasArguments: Bool
    /// The request, on the stack below `perform`; nil for a step that groups several.
    ///
    /// To copy it into each step would nearly double the cost of a request.
    let request: UnsafePointer<Request>?
    /// The recorded event that it belongs to, or 0.
    let event: UInt64
    /// The build of a keeper's instance, if it is one.
    let build: Turn?
  }

  /// The identity of an instance that the graph shares.
  struct GraphKey: Hashable {
    let subject: Subject
    /// The number of the frame whose caches are in force, or 0: a graph may enter a layer of its
    /// own.
    let cacheFrame: UInt64

    func hash(into hasher: inout Hasher) { hasher.combine(subject.registration) }
  }

  let thread: ThreadRecord
  /// The stack address below which no factory is called, so that there is room for a diagnosis.
  private let stackLimit: UInt
  let cache = RequestCache()
  // No user code runs during an access to these.
  /// The steps, outermost first.
  @exclusivity(unchecked) var steps: [Step] = []
  /// The instances that the graph shares, and keepers of those by parameter.
  @exclusivity(unchecked) var graph: [GraphKey: AnyObject] = [:]
  /// The setters that run at the end of the graph; see PutOff.swift.
  @exclusivity(unchecked) private var deferred: [PutOff] = []
  /// The keepers that were filled meanwhile, which are emptied if one of those setters fails.
  @exclusivity(unchecked) private var filled: [Keeper] = []

  private init(_ thread: ThreadRecord) {
    self.thread = thread
    stackLimit = thread.pointee.stack_limit
  }

  deinit { cache.free() }

  /// The chain of the calling thread, made on first use.
  @inline(__always)
  static var current: Chain { ofCurrentThread.takeUnretainedValue() }

  /// Calls a function with the chain of the calling thread.
  ///
  /// The thread holds the chain until its end: counting a reference to it would take a tenth of a
  /// request's time.
  @inline(__always)
  static func withCurrent<Result>(_ body: (Chain) throws -> Result) rethrows -> Result {
    try ofCurrentThread._withUnsafeGuaranteedRef { try body($0) }
  }

  @inline(__always)
  private static var ofCurrentThread: Unmanaged<Chain> {
    let thread = di_thread_get()
    return .fromOpaque(thread.pointee.chain ?? make(thread))
  }

  @inline(__always)
  private static func of(_ thread: ThreadRecord) -> Chain? {
    thread.pointee.chain.map { Unmanaged.fromOpaque($0).takeUnretainedValue() }
  }

  @inline(never)
  private static func make(_ thread: ThreadRecord) -> UnsafeMutableRawPointer {
    let chain = Unmanaged.passRetained(Chain(thread)).toOpaque()
    thread.pointee.chain = chain
    thread.pointee.release = { Unmanaged<Chain>.fromOpaque($0).release() }
    return chain
  }
}

// MARK: - Steps

extension Chain {
  var isOutermost: Bool { steps.count == 1 }

  /// Throws if a factory cannot be called, for it would call itself or the stack is used up.
  @inline(__always)
  func check(_ subject: Subject, _ request: Request, hasArguments: Bool) throws {
    if di_stack_address() < stackLimit { throw ResolutionError(.tooDeep, request) }
    if !hasArguments, let index = index(of: subject) {
      throw ResolutionError.cycle(request, through: links(from: index))
    }
  }

  /// Begins a step, and calls a function that calls the factory and has to end the step.
  @inline(__always)
  func perform<Result>(
    _ subject: Subject, _ request: Request, hasArguments: Bool, build: Turn? = nil,
    event: UInt64 = 0, _ body: () throws -> Result
  ) rethrows -> Result {
    try withUnsafePointer(to: request) { request in
      steps.append(
        Step(
          subject: subject, hasArguments: hasArguments, request: request, event: event,
          build: build))
      return try body()
    }
  }

  /// The position of the innermost step of a subject whose request has no arguments.
  @inline(__always)
  func index(of subject: Subject) -> Int? {
    // `lastIndex` allocates for each step that it looks at, where nothing is optimised.
    var index = steps.count
    while index > 0 {
      index -= 1
      if steps[index].subject == subject, !steps[index].hasArguments { return index }
    }
    return nil
  }

  /// Ends the innermost step, and with the outermost one the graph.
  @inline(__always)
  func leave() {
    steps.removeLast()
    if steps.isEmpty, !graph.isEmpty { endGraph() }
  }

  /// Ends the innermost step, whose factory has returned; the outermost one first runs what was put
  /// off.
  @inline(__always)
  func leave(_ found: Registration, _ made: Instance?) throws {
    if !deferred.isEmpty, isOutermost { return try endGraph(found, made) }
    leave()
  }

  /// Returns the requests of the steps from a position on, outermost first.
  func links(from index: Int = 0) -> [ChainLink] {
    steps[index...].compactMap { $0.request?.pointee.chainLink }
  }

  /// Returns the chain of a cycle of turns, of which the calling thread owns the last.
  static func links(through turns: [Turn]) -> [ChainLink] {
    let parts = turns.map { turn -> [ChainLink] in
      guard let chain = of(turn.thread) else { return [] }
      return chain.links(from: chain.steps.lastIndex { $0.build === turn } ?? 0)
    }
    return parts.last! + parts.dropLast().flatMap { $0 }
  }

  /// Returns the error of a factory as one of the kernel's.
  @inline(never)
  static func described(
    _ error: any Error, _ request: Request, registeredAt location: CodeLocation?
  ) -> any Error {
    if error is ResolutionError { return error }
    let diagnosed = error as? any DiagnosedError
    return ResolutionError(
      .factoryFailed("\(error)"), request, isUnderWay: true, registeredAt: location,
      underlying: diagnosed?.cause ?? error, circumstances: diagnosed == nil ? [] : [.diagnosed])
  }
}

// MARK: - The end of the graph

extension Chain {
  @inline(never)
  private func endGraph() {
    // A deinit that runs here may resolve, which begins a graph of its own.
    var ended = exchange(&graph, with: [:])
    dropPutOff()
    ended.removeAll(keepingCapacity: true)
    if graph.isEmpty { graph = ended }
  }

  @inline(never)
  private func endGraph(_ found: Registration, _ made: Instance?) throws {
    defer { leave() }
    if let made, found.scope.keptBy == .objectGraph { found.share(made, self) }
    try runPutOff()
  }

  var hasPutOff: Bool { !deferred.isEmpty }

  /// Puts setters off; the graph shares their instance.
  func putOff(_ setters: PutOff) { deferred.append(setters) }

  /// Notes a keeper that is emptied if a setter fails that was put off.
  func noteFilled(_ keeper: Keeper) {
    if hasPutOff { filled.append(keeper) }
  }

  /// Runs the setters that were put off, and those that are put off meanwhile.
  func runPutOff() throws {
    var next = 0
    do {
      while next < deferred.count {
        let setters = deferred[next]
        try setters.run(self)
        next += 1
      }
    } catch {
      dropPutOff()
      throw error
    }
    // An instance that is released by this may resolve in its `deinit`.
    releaseUnlocked((exchange(&deferred, with: []), exchange(&filled, with: [])))
  }

  func dropPutOff() {
    let dropped = (exchange(&deferred, with: []), exchange(&filled, with: []))
    for keeper in dropped.1 { keeper.forget() }
  }

  /// Ends the builds of the thread, which is abandoned.
  func endBuilds() {
    for build in steps.compactMap(\.build) { build.end() }
    dropPutOff()
  }
}

// MARK: - Shared instances

extension Registration {
  /// Returns the instance that the graph shares for the registration, if there is one.
  ///
  /// `subject`: the identity of the instance, if that is not the registration's.
  func shared(
    as subject: Chain.Subject? = nil, in cacheFrame: UInt64 = 0, _ chain: Chain
  ) -> Instance? {
    let key = Chain.GraphKey(subject: subject ?? self.subject, cacheFrame: cacheFrame)
    return chain.graph[key].map { Instance(object: $0) }
  }

  var subject: Chain.Subject { Chain.Subject(registration: id) }

  /// Shares a new instance with the rest of the graph, if it is a class instance or `values` are
  /// shared too, as those of properties are.
  func share(
    _ instance: Instance, as subject: Chain.Subject? = nil, in cacheFrame: UInt64 = 0,
    _ chain: Chain, values: Bool? = nil
  ) {
    guard (values ?? sharesValues) || instance.classInstance != nil else { return }
    let key = Chain.GraphKey(subject: subject ?? self.subject, cacheFrame: cacheFrame)
    if chain.graph[key] == nil { chain.graph[key] = instance.object }
  }

  /// Whether an object graph shares an instance: a class instance, or any if values are shared.
  func shares(_ instance: Instance) -> Bool { sharesValues || instance.classInstance != nil }
}

extension Chain {
  /// Returns the keeper of the graph's instances of a subject by parameter.
  func keeperByParameter(
    of subject: Subject, _ type: Any.Type, in cacheFrame: UInt64
  ) -> Keeper {
    // No frame has this number.
    let key = GraphKey(subject: subject, cacheFrame: ~cacheFrame)
    let keeper =
      graph[key].map { $0 as! Keeper }
      ?? Keeper(.graph, type, isUnlisted: true)
    graph[key] = keeper
    return keeper
  }
}
