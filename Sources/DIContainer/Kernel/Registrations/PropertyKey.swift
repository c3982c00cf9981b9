internal import DIPrimitives

// A property is found by four addresses that the compiler put into the declaring code (file, name,
// the service's type and the container's class), in a table that is read without a lock and only
// grows; a miss is confirmed by content, once. Nothing in it is ever freed, so readers need no read
// section either.

/// A property that declares a service, with one object per property: compared by identity.
///
/// Properties of one name in two files, of two types, or of two container types, are different. The
/// line is no part of it: for one name and type, a container type has one property in a file, even
/// if it is declared at several places (`if … { return self { … } }`). What one place declares
/// by one name and type is one property, even for several container types, in an extension of a
/// protocol.
@usableFromInline
package final class PropertyKey: Sendable {
  /// The name of the service: that of the property, unless the declaration specifies another one.
  package let name: String
  /// The type of the service.
  let type: Any.Type
  /// The type of container that it was first seen in.
  let container: Any.Type
  /// The place of the declaration that was seen first.
  let location: CodeLocation
  /// The name of the property itself, if several share an explicit key the first one's.
  let function: StaticString
  /// The names of the others.
  private let otherFunctions = Lock<[StaticString]>([])
  /// Whether the service's type is optional, so that nil is a valid result of its factory.
  let isOptional: Bool
  /// Registrations and settings for the property, besides its declarations.
  let changes = RareFeature()

  private init(
    name: String, type: Any.Type, container: Any.Type, location: CodeLocation,
    function: StaticString
  ) {
    self.name = name
    self.type = type
    self.container = container
    self.location = location
    self.function = function
    isOptional = type is any OptionalType.Type
  }

  /// Whether the code of a name, in the property's file, declares it.
  func isDeclared(by function: StaticString) -> Bool {
    function.isSame(as: self.function)
      || otherFunctions.withLock { $0.contains(where: function.isSame) }
  }

  /// Notes the name of a property that declares it by an explicit key.
  func noteDeclaration(by function: StaticString) {
    if function.isSame(as: self.function) { return }
    otherFunctions.withLock { others in
      if !others.contains(where: function.isSame) { others.append(function) }
    }
  }

  /// Returns the key for this property as registered by a layer whose container is of another type.
  func qualified(by container: Any.Type?) -> PropertyReference {
    let container = container ?? self.container
    return Self.known.withLock { known in
      PropertyReference(
        known.key(
          for: .qualified(ObjectIdentifier(container), property: ObjectIdentifier(self))
        ) {
          PropertyKey(
            name: name, type: type, container: container, location: location, function: function)
        })
    }
  }
}

/// A reference to a property that is never freed, so that copying it counts nothing.
@frozen @usableFromInline
struct PropertyReference: Hashable, Sendable {
  @usableFromInline let reference: Unmanaged<PropertyKey>

  @inlinable @inline(__always)
  init(_ property: PropertyKey) { reference = .passUnretained(property) }

  @usableFromInline
  var property: PropertyKey {
    @inline(__always) get { reference.takeUnretainedValue() }
  }

  fileprivate init(at word: UInt) {
    reference = .fromOpaque(UnsafeRawPointer(bitPattern: word).unsafelyUnwrapped)
  }

  /// The property's address, by which tables find it.
  @inline(__always)
  var word: UInt { UInt(bitPattern: reference.toOpaque()) }

  @usableFromInline
  static func == (left: Self, right: Self) -> Bool { left.word == right.word }

  @usableFromInline
  func hash(into hasher: inout Hasher) { hasher.combine(word) }
}

// MARK: - Finding the property of a declaration

extension PropertyKey {
  /// Returns the property that the code at a place declares; it is never freed.
  ///
  /// `function`: the property's name if it differs from the service's name.
  @inline(__always)
  static func at(
    _ location: CodeLocation, _ type: Any.Type, _ name: StaticString, in container: AnyClass,
    function: StaticString? = nil
  ) -> PropertyReference {
    if let code = Code(location, type, name, container), let found = Block.current?.find(code) {
      return found
    }
    return find(location, type, name, container, function ?? name)
  }

  @inline(never)
  private static func find(
    _ location: CodeLocation, _ type: Any.Type, _ name: StaticString, _ container: AnyClass,
    _ function: StaticString
  ) -> PropertyReference {
    known.withLock { known in
      let spelling = Known.Spelling(
        name: name.description, fileID: location.fileID, type: ObjectIdentifier(type))
      let key = known.key(
        for: .inContainer(ObjectIdentifier(container), spelling),
        or: .atPlace(line: location.line, column: location.column, spelling)
      ) {
        PropertyKey(
          name: spelling.name, type: type, container: container, location: location,
          function: function)
      }
      let reference = PropertyReference(key)
      if let code = Code(location, type, name, container), Block.current?.find(code) == nil {
        Block.roomy().insert(code, reference.word)
      }
      return reference
    }
  }

  private static let known = Lock(Known())

  /// All properties, by the features by which one is recognised.
  private struct Known {
    enum Sighting: Hashable {
      case inContainer(ObjectIdentifier, Spelling)
      case atPlace(line: UInt, column: UInt, Spelling)
      case qualified(ObjectIdentifier, property: ObjectIdentifier)
    }

    struct Spelling: Hashable {
      let name: String
      let fileID: String
      let type: ObjectIdentifier
    }

    private var keys: [Sighting: PropertyKey] = [:]

    /// Returns the key seen before by one feature or the other, or a new one.
    mutating func key(
      for sighting: Sighting, or other: Sighting? = nil, orMake make: () -> PropertyKey
    ) -> PropertyKey {
      let key = keys[sighting] ?? other.flatMap { keys[$0] } ?? make()
      keys[sighting] = key
      if let other, keys[other] == nil { keys[other] = key }
      return key
    }
  }

  /// The addresses by which the declaring code is recognised.
  private struct Code {
    let file: UInt
    let name: UInt
    let type: UInt
    let container: UInt

    /// Fails if the compiler emitted no address for a text, as for single characters.
    @inline(__always)
    init?(
      _ location: CodeLocation, _ type: Any.Type, _ name: StaticString, _ container: AnyClass
    ) {
      let fileID = location.fileIDText
      guard fileID.hasPointerRepresentation, name.hasPointerRepresentation else { return nil }
      file = UInt(bitPattern: fileID.utf8Start)
      self.name = UInt(bitPattern: name.utf8Start)
      self.type = UInt(bitPattern: ObjectIdentifier(type))
      self.container = UInt(bitPattern: ObjectIdentifier(container))
    }

    init(words: UnsafeMutablePointer<UInt>) {
      file = words[0]
      name = words[1]
      type = words[2]
      container = words[3]
    }

    @inline(__always)
    var hash: UInt {
      ((name ^ (file &* 3) ^ (type &* 5) ^ container) &* 0x9E37_79B9_7F4A_7C15) >> 32
    }
  }

  /// A hash table that is at most half full.
  ///
  /// An entry is the four addresses of the code and that of the property, which is stored last and
  /// makes the entry visible.
  private struct Block: ProbedBlock {
    static var entryWords: Int { 5 }
    let raw: UnsafeMutableRawPointer

    @inline(__always)
    static var current: Block? { di_declarations_load().map(Block.init) }

    static func roomy() -> Block {
      let old = current
      if let old, (old.count + 1) * 2 <= old.mask + 1 { return old }
      let block = make(capacity: old.map { ($0.mask + 1) * 2 } ?? 64)
      if let old {
        for index in 0...old.mask where old.entry(index)[4] != 0 {
          block.insert(Code(words: old.entry(index)), old.entry(index)[4])
        }
      }
      di_declarations_store(block.raw)
      return block
    }

    @inline(__always)
    func find(_ code: Code) -> PropertyReference? {
      var index = code.hash & mask
      while true {
        let entry = entry(index)
        let found = di_load_word(entry + 4)
        if found == 0 { return nil }
        if entry[1] == code.name, entry[0] == code.file, entry[2] == code.type,
          entry[3] == code.container
        {
          return PropertyReference(at: found)
        }
        index = (index &+ 1) & mask
      }
    }

    func insert(_ code: Code, _ property: UInt) {
      var index = code.hash & mask
      while entry(index)[4] != 0 { index = (index + 1) & mask }
      let entry = entry(index)
      entry[0] = code.file
      entry[1] = code.name
      entry[2] = code.type
      entry[3] = code.container
      di_store_word(entry + 4, property)
      count += 1
    }
  }
}

extension StaticString {
  /// Returns whether it is the same literal, or one of the same characters at the same address.
  @inlinable @inline(__always)
  func isSameLiteral(as other: StaticString) -> Bool {
    hasPointerRepresentation && other.hasPointerRepresentation && utf8Start == other.utf8Start
  }

  func isSame(as other: StaticString) -> Bool {
    if isSameLiteral(as: other) { return true }
    guard hasPointerRepresentation, other.hasPointerRepresentation else {
      return description == other.description
    }
    return utf8CodeUnitCount == other.utf8CodeUnitCount
      && di_same_bytes(utf8Start, other.utf8Start, utf8CodeUnitCount)
  }
}
