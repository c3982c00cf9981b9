internal import DIPrimitives

// Storing instances in a keeper and reading them, if the service's type is known or looked up.

extension Keeper {
  /// Returns the kept instance, if there is one, of a keeper for `Service`.
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

  /// A strong box with the kept instance, if there is one.
  var strongBox: AnyBox? { AnyBox.strong(of: type) { copy(di_thread_get(), to: $0) } }

  /// Keeps an instance that an async factory has made, unless there is one, or it was forgotten
  /// more than a number of times.
  func keep(
    _ box: AnyBox, unlessForgottenSince forgettings: Int, onRelease: OnRelease?,
    cycle: ([ChainLink]) -> ResolutionError
  ) {
    _ = try? AnyBox.strong(of: type) { memory in
      guard let turn = try begin(memory, di_thread_get(), cycle: cycle) else { return true }
      guard turn == forgettings, box.copy(to: memory) else {
        end(turn)
        return false
      }
      end(turn, keeping: memory, onRelease: onRelease)
      return true
    }
  }
}
