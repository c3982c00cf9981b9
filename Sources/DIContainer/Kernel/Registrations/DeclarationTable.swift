internal import DIPrimitives

// Services declared as properties are identified by the place of their declaration. A declaration
// is found by four addresses that the compiler put into the code (file, function, the service's
// type and the container's class) in a table that is read without a lock and only grows; a miss is
// confirmed by content, once. Nothing in it is ever freed, so readers need no read section either.
//
// The line is not part of the key: for one name and type, a class has one property in a file. If it
// is declared at several lines, the one seen first represents all of them.

/// A place that declares a service as a property of a container.
@usableFromInline
final class Declaration: Sendable {
  @usableFromInline let property: PropertyKey
  let location: CodeLocation
  /// The name of the property that declares the service, which may differ from the service's name.
  let function: String
  /// Whether the service's type is optional, so that nil is a valid result of its factory.
  let isOptional: Bool

  fileprivate init(
    property: PropertyKey, function: String, location: CodeLocation, type: Any.Type
  ) {
    self.property = property
    self.function = function
    self.location = location
    isOptional = type is any OptionalType.Type
  }

  /// Returns the declaration made by the code at a place.
  ///
  /// - Parameters:
  ///   - location: The place of the declaration.
  ///   - type: The service's type.
  ///   - name: The name of the service: that of the property, unless specified otherwise.
  ///   - container: The container's class.
  ///   - function: The property's name if it differs from the service's name.
  /// - Returns: The declaration; it is never freed.
  @inline(__always)
  static func at(
    _ location: CodeLocation, _ type: Any.Type, _ name: StaticString, in container: AnyClass,
    function: StaticString? = nil
  ) -> Unmanaged<Declaration> {
    if let key = Key(location, type, name, container), let found = Block.current?.find(key) {
      return found
    }
    return make(location, type, name, container, function ?? name)
  }

  // Not an empty value: ThreadSanitizer mistakes an empty one for the field beside it.
  private static let writing = Lock(false)

  @inline(never)
  private static func make(
    _ location: CodeLocation, _ type: Any.Type, _ name: StaticString, _ container: AnyClass,
    _ function: StaticString
  ) -> Unmanaged<Declaration> {
    let property = PropertyKey.of(
      name: name.description, location, type: type, container: container)
    let made = Declaration(
      property: property, function: function.description, location: location, type: type)
    guard let key = Key(location, type, name, container) else { return .passRetained(made) }
    return writing.withLock { _ in
      if let found = Block.current?.find(key) { return found }
      let kept = Unmanaged.passRetained(made)
      Block.roomy().insert(key, kept)
      return kept
    }
  }

  private struct Key {
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
  /// An entry is the four words of a key and the declaration's address, which is stored last and
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
          block.insert(words: old.entry(index))
        }
      }
      di_declarations_store(block.raw)
      return block
    }

    @inline(__always)
    func find(_ key: Key) -> Unmanaged<Declaration>? {
      var index = key.hash & mask
      while true {
        let entry = entry(index)
        let found = di_load_word(entry + 4)
        if found == 0 { return nil }
        if entry[1] == key.name, entry[0] == key.file, entry[2] == key.type,
          entry[3] == key.container
        {
          return Unmanaged.fromOpaque(UnsafeRawPointer(bitPattern: found).unsafelyUnwrapped)
        }
        index = (index &+ 1) & mask
      }
    }

    func insert(_ key: Key, _ declaration: Unmanaged<Declaration>) {
      let words = [
        key.file, key.name, key.type, key.container,
        UInt(bitPattern: declaration.toOpaque()),
      ]
      words.withUnsafeBufferPointer {
        insert(words: UnsafeMutablePointer(mutating: $0.baseAddress!))
      }
    }

    private func insert(words: UnsafeMutablePointer<UInt>) {
      var index = Key(words: words).hash & mask
      while entry(index)[4] != 0 { index = (index + 1) & mask }
      let entry = entry(index)
      for word in 0..<4 { entry[word] = words[word] }
      di_store_word(entry + 4, words[4])
      count += 1
    }
  }
}
