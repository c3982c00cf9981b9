internal import DIPrimitives

// Storing instances in a slot and reading them, if the service's type is known or looked up.

extension Keeper {
  /// Returns the kept instance, if there is one, of a slot for `Service`.
  func kept<Service>(as type: Service.Type = Service.self) -> Service? {
    withUnsafeTemporaryAllocation(of: Service.self, capacity: 1) { memory in
      let out = memory.baseAddress!
      return copy(di_thread_get(), to: UnsafeMutableRawPointer(out)) ? out.move() : nil
    }
  }

  /// Returns the kept instance, or the one that `build` makes while other requests wait.
  func value<Service>(
    _ thread: UnsafeMutablePointer<di_thread>, onRelease: OnRelease? = nil,
    cycle: ([ChainLink]) -> ResolutionError, build: () throws -> Service?
  ) throws -> Service? {
    try withUnsafeTemporaryAllocation(of: Service.self, capacity: 1) { memory in
      let out = memory.baseAddress!
      let raw = UnsafeMutableRawPointer(out)
      guard let turn = try begin(raw, thread, cycle: cycle) else { return out.move() }
      do {
        guard let service = try build() else {
          end(turn)
          return nil
        }
        out.initialize(to: service)
      } catch {
        end(turn)
        throw error
      }
      end(turn, keeping: raw, onRelease: onRelease)
      return out.move()
    }
  }

  /// Returns a box for the new instance in `memory`, independent of how it will be kept.
  func makeStrongBox(_ memory: UnsafeMutableRawPointer) -> AnyBox {
    func box<Service>(_ type: Service.Type) -> AnyBox {
      StrongBox(memory.assumingMemoryBound(to: type).pointee, onRelease: nil)
    }
    return box(self.type)
  }

  /// Returns what is to be kept of the new instance in `memory`; nil if it cannot be kept.
  func toKeep(
    _ memory: UnsafeMutableRawPointer, _ onRelease: OnRelease?
  ) -> Kept.Instance? {
    func box<Service>(_ type: Service.Type) -> AnyBox? {
      let service = memory.assumingMemoryBound(to: type)
      return isWeak
        ? WeakBox.make(service.pointee) : StrongBox(service.pointee, onRelease: onRelease)
    }
    let (form, size) = InstanceForm.formAndSize(type)
    guard !isWeak, let object = form.object(in: memory) else {
      return box(self.type).map { .box($0) }
    }
    if size == 8, onRelease == nil, Kept.canHold(object) { return .object(object) }
    return .box(ObjectBox(object, from: memory, size: size, onRelease: onRelease))
  }
}
