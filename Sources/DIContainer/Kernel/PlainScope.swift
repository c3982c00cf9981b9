internal import DIPrimitives

// The short way for requests inside scopes. What most tests have around them is plain: sandboxes
// and scoped roots, with nothing pushed, no layer, recorder, policy or decoration. Then a request
// is answered by the sandboxes' overlays, from the inside out, or by the container's own table,
// and what is kept is kept by the innermost scope; `Engine.deliver` would find the same, at twenty
// times the price (770 to 1,900 ns). Anything else goes there.

/// What a plain request needs to know of a frame, where it can be read without locks.
struct PlainScope {
  // Not at offset 0: ThreadSanitizer attributes Swift's reads of any field to it.
  private let reserved = 0
  /// The overlays of a sandbox: a list that only grows, in front.
  private var overlays: UnsafeMutableRawPointer?
  /// Not zero once something came up in the frame that a plain request has to look at.
  private var oddities: UInt = 0
  /// The frame outside, which outlives this one.
  private let parent: UnsafeMutablePointer<PlainScope>?
  private var frame: Unmanaged<ContextFrame>?
  /// Whether this frame and all outside are of plain kinds.
  private let isPlain: Bool
  private let bringsCaches: Bool

  private struct Node {
    let reserved = 0
    let next: UnsafeMutableRawPointer?
    let core: UnsafeMutableRawPointer
    let reader: RegistrationTable.Reader
    /// Set once the container below was masked as a whole.
    let masksAll: Unmanaged<Atomic>
  }

  private init(
    isPlain: Bool, bringsCaches: Bool, parent: UnsafeMutablePointer<PlainScope>?
  ) {
    self.parent = parent
    self.isPlain = isPlain
    self.bringsCaches = bringsCaches
  }

  static func make(
    isPlain: Bool, bringsCaches: Bool, parent: UnsafeMutablePointer<PlainScope>?
  ) -> UnsafeMutablePointer<PlainScope> {
    let scope = UnsafeMutablePointer<PlainScope>.allocate(capacity: 1)
    scope.initialize(
      to: PlainScope(
        isPlain: isPlain && parent?.pointee.isPlain ?? true, bringsCaches: bringsCaches,
        parent: parent))
    return scope
  }

  /// Says which frame the scope belongs to, which could not be known before.
  static func attach(_ frame: ContextFrame, to scope: UnsafeMutablePointer<PlainScope>) {
    scope.pointee.frame = .passUnretained(frame)
  }

  static func free(_ scope: UnsafeMutablePointer<PlainScope>) {
    var next = di_load(&scope.pointee.overlays)
    while let node = next?.assumingMemoryBound(to: Node.self) {
      next = node.pointee.next
      node.deallocate()
    }
    scope.deallocate()
  }

  /// Notes that requests have to take the long way from now on.
  static func becomeOdd(_ scope: UnsafeMutablePointer<PlainScope>) {
    di_store_word(&scope.pointee.oddities, 1)
  }

  /// Adds an overlay; the caller holds the frame's lock, and the frame keeps the overlay.
  static func add(
    _ overlay: Overlay, for core: ContainerCore, to scope: UnsafeMutablePointer<PlainScope>
  ) {
    let node = UnsafeMutablePointer<Node>.allocate(capacity: 1)
    node.initialize(
      to: Node(
        next: di_load(&scope.pointee.overlays), core: Unmanaged.passUnretained(core).toOpaque(),
        reader: overlay.registry.reader, masksAll: .passUnretained(overlay.isMasking)))
    di_store(&scope.pointee.overlays, node)
  }

  /// What a walk over the frames comes to.
  struct Answer {
    let found: Unmanaged<AnyRegistration>
    /// The innermost frame that brings caches, which has to be alive as long as the answer.
    let caches: Unmanaged<ContextFrame>?
  }

  /// The registration that answers for a key without a name; nil to take the long way.
  ///
  /// To be called, and the answer used, inside a read section.
  @inline(__always)
  static func find(
    first: UInt, second: UInt, in core: ContainerCore, _ scope: UnsafeMutablePointer<PlainScope>
  ) -> Answer? {
    guard scope.pointee.isPlain else { return nil }
    let address = Unmanaged.passUnretained(core).toOpaque()
    var found: Unmanaged<AnyRegistration>?
    var caches: Unmanaged<ContextFrame>?
    var next: UnsafeMutablePointer<PlainScope>? = scope
    while let scope = next {
      if di_load_word(&scope.pointee.oddities) != 0 { return nil }
      if caches == nil, scope.pointee.bringsCaches { caches = scope.pointee.frame }
      var list = found == nil ? di_load(&scope.pointee.overlays) : nil
      while let node = list?.assumingMemoryBound(to: Node.self) {
        if node.pointee.core == address {
          found = node.pointee.reader.find(first: first, second: second)
          if found == nil, node.pointee.masksAll._withUnsafeGuaranteedRef({ $0.isSet }) {
            return nil
          }
          break
        }
        list = node.pointee.next
      }
      next = scope.pointee.parent
    }
    return (found ?? core.findOwn(first: first, second: second)).map {
      Answer(found: $0, caches: caches)
    }
  }
}

extension Engine {
  /// Puts the instance for a request in a plain scope into memory; nil to take the long way.
  @inline(never)
  static func deliverInPlainScope(
    _ request: UnsafePointer<Request>, _ args: UnsafePointer<Any>?, asked: Resolver,
    to out: UnsafeMutableRawPointer
  ) throws -> Bool? {
    guard request.pointee.name == nil, request.pointee.propertyReference == nil,
      !di_scopes_are_odd(), let frame = ContextFrame.bound
    else { return nil }
    let key = RawKey(request)
    let thread = di_thread_get()
    di_pin(thread)
    guard
      let answer = PlainScope.find(
        first: key.first, second: key.second, in: asked.core, frame.plain)
    else {
      di_unpin(thread)
      return nil
    }
    let registration = answer.found.takeUnretainedValue()
    di_unpin(thread)
    registration.usage?.set(true)
    switch registration.path {
    case .unique:
      return try construct(thread, registration.id, request, hasArguments: args != nil) {
        try registration.build(out, asked, args)
      }
    case .graph:
      return try share(
        thread, GraphStep(registration), request, args, asked: asked,
        scope: answer.caches?.toOpaque(), to: out)
    case .kept:
      let base = registration.slot.unsafelyUnwrapped
      let slot = answer.caches?._withUnsafeGuaranteedRef { $0.slot(for: base) } ?? base
      return slot.copy(thread, to: out) ? true : nil
    case .alias, .other:
      return nil
    }
  }
}
