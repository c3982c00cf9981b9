// A container has one entry for each of its properties, under the property's key in its registry;
// a sandbox's view has another one, for what was changed there. An entry is stored as one
// registration, so that requests find all of it at once and changes exchange it as a whole.

/// The state of a property in one container.
struct PropertyEntry {
  /// The registration made for the property, or a removal marker.
  var registered: Registration?
  /// The registration that stands for the property's declaration, made at its first use; it keeps
  /// the instances of the declared factory.
  ///
  /// That factory is not stored, for it would hold the container: each request brings it along.
  var implicit: Registration?
  /// The contexts that were set outside the declaration.
  var contexts: OuterContexts?

  init(_ stored: Registration? = nil) {
    if let stored { readThrough(to: stored) }
  }

  /// Adds the parts of an entry further out that this one lacks.
  mutating func readThrough(to stored: Registration) {
    registered = registered ?? stored.part(.registered)
    implicit = implicit ?? stored.part(.implicit)
    contexts = contexts ?? stored.contexts
  }

  /// Takes over the parts in which an entry differs from another one; returns whether any does.
  mutating func take(_ new: PropertyEntry, over old: PropertyEntry) -> Bool {
    let before = self
    if new.registered !== old.registered { registered = new.registered }
    if new.implicit !== old.implicit { implicit = new.implicit }
    if new.contexts !== old.contexts { contexts = new.contexts }
    return registered !== before.registered || implicit !== before.implicit
      || contexts !== before.contexts
  }

  /// Returns the form that registries store: what was registered or else the implicit
  /// registration, with the rest as its details.
  func stored(for key: ServiceKey) -> Registration {
    let first = registered ?? implicit ?? .holdingContexts(of: key)
    let present = PropertyEntry(first)
    if present.contexts === contexts, registered == nil || present.implicit === implicit {
      return first
    }
    return first.otherForm {
      var details = $0.entry ?? Registration.EntryDetails()
      details.contexts = contexts
      details.implicit = registered == nil ? nil : implicit?.withoutContexts
      $0.entry = details
    }
  }
}

extension Registration {
  var contexts: OuterContexts? { options.entry?.contexts }

  /// Returns the registration that is, or holds, a part of the entry; nil if the entry lacks it.
  ///
  /// For a key that is no property's, it is the registration itself.
  func part(_ part: Part) -> Registration? {
    switch part {
    case .registered: options.part == .registered ? self : nil
    case .implicit: options.part == .implicit ? self : options.entry?.implicit
    case .contexts: contexts == nil ? nil : self
    }
  }

  /// The registration and, for a property, the implicit one that is kept beside it.
  var withImplicit: [Registration] { [self] + (options.entry?.implicit.map { [$0] } ?? []) }

  fileprivate static func holdingContexts(of key: ServiceKey) -> Registration {
    var options = Options()
    options.part = .contexts
    return Registration(
      key: key, scope: .unique, location: key.property!.location, maker: .nothing,
      options: options)
  }
}
