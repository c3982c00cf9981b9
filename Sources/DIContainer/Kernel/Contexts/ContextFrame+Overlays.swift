internal import DIPrimitives

// A sandbox's view of the containers: its overlays for them.

extension ContextFrame {
  /// The sandbox's overlays, the latest first.
  package var overlays: [Overlay] {
    withLock { Overlay.List(plain).map { Overlay(registry: Registry($0)) } }
  }

  func overlay(for core: ContainerCore) -> Overlay? {
    let thread = di_thread_get()
    di_pin(thread)
    defer { di_unpin(thread) }
    return table(over: core).map { Overlay(registry: Registry($0)) }
  }

  // Called while walking the list, so in a read section or under the lock.
  private func table(over core: ContainerCore) -> UnsafeMutablePointer<di_table>? {
    let address = Unmanaged.passUnretained(core).toOpaque()
    for table in Overlay.List(plain) where table.pointee.over == address { return table }
    return nil
  }

  /// Releases the sandbox's doubles, once no request can reach them.
  package func forgetDoubles() {
    for overlay in overlays { overlay.registry.removeAll() }
  }

  /// Returns the overlay for a container, made on first use.
  package func makeOverlay(for core: ContainerCore) -> Overlay {
    Overlay(registry: heldRegistry(over: core))
  }

  /// Returns the sandbox's registry over a container, retained: for containers that may be released
  /// at any moment.
  func heldRegistry(over core: ContainerCore) -> Registry {
    while true {
      _ = makeTable(over: core)
      if let overlay = overlay(for: core) { return overlay.registry }
    }
  }

  /// Returns the table of the overlay for a container, made on first use.
  ///
  /// It stays as long as the frame and the container do.
  func makeTable(over core: ContainerCore) -> UnsafeMutablePointer<di_table> {
    if di_load(di_scope_overlays(plain)) != nil {
      let thread = di_thread_get()
      di_pin(thread)
      let present = table(over: core)
      di_unpin(thread)
      if let present { return present }
    }
    let (made, isNew) = withLock { () -> (UnsafeMutablePointer<di_table>, Bool) in
      if let present = table(over: core) { return (present, false) }
      let word = di_scope_overlays(plain)
      let last = di_load(word)
      let made = makeTable(over: core, next: last)
      if last == nil { di_publish(word, made) } else { di_store(word, made) }
      if core.wasMadeInSandbox { di_store_word(di_scope_has_losses(plain), 1) }
      return (made, true)
    }
    if isNew, core.wasMadeInScope { core.add(scope: self) }
    return made
  }

  // The caller holds the lock.
  private func makeTable(
    over core: ContainerCore, next: UnsafeMutableRawPointer?
  ) -> UnsafeMutablePointer<di_table> {
    let own = di_scope_overlay(plain)
    // An overlay that is released before the sandbox cannot be part of it.
    if core.wasMadeInScope || own.pointee.over != nil {
      return Registry(over: core, next: next).held
    }
    Registry.put(own, over: core, next: next, owner: self)
    return own
  }

  /// Releases the sandbox's overlay for a deallocated container, which can no longer be requested.
  func letGo(of core: ContainerCore) {
    extra(FactoryViews.self)?.forget(core)
    guard let overlay = overlay(for: core) else { return }
    // At the sandbox's end there is nothing left to check.
    if !hasEnded { noteUnused(overlay.registry.all(), in: core) }
    let address = Unmanaged.passUnretained(core).toOpaque()
    let gone = withLock { () -> UnsafeMutablePointer<di_table>? in
      var before = di_scope_overlays(plain)
      for table in Overlay.List(plain) {
        if table.pointee.over == address {
          di_store(before, di_load(di_table_next(table)))
          return table
        }
        before = di_table_next(table)
      }
      return nil
    }
    guard let gone else { return }
    di_quiesce()
    Registry.release(gone)
  }

  /// The registrations that this scope holds: those of a sandbox in all containers, or of a layer.
  var ownRegistrations: [(core: ContainerCore, registration: Registration)] {
    registries.flatMap { core, registry in
      registry.all().map { (core: core, registration: $0) }
    }.sorted { $0.registration.id < $1.registration.id }
  }

  private var registries: [(ContainerCore, Registry)] {
    var registries = overlays.map { ($0.core, $0.registry) }
    if kind == .layer, let core = installed?.core { registries.append((core, core.registry)) }
    return registries
  }

  /// Whether one of the scope's registrations satisfies a predicate; counts no references to them.
  @inline(__always)
  func holdsRegistration(where fits: (Registration) -> Bool) -> Bool {
    let thread = di_thread_get()
    di_pin(thread)
    defer { di_unpin(thread) }
    if kind == .layer, installed?.core.registry.reader.contains(where: fits) ?? false {
      return true
    }
    for table in Overlay.List(plain) where RegistrationTable.Reader(table).contains(where: fits) {
      return true
    }
    return false
  }
}
