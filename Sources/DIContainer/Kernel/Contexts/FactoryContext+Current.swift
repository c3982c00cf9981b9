// The conditions that apply to a task, and their changes.

extension FactoryContext {
  private static let process = Lock(FactoryContext())

  /// The conditions that apply to the calling task: those of its sandbox if set there, otherwise
  /// those of the process.
  public static var current: FactoryContext {
    get {
      ContextFrame.current?.setting(\.conditions) ?? process.withLock { $0 }
    }
    set { change { $0 = newValue } }
  }

  package static func change(_ change: (inout FactoryContext) -> Void) {
    guard let sandbox = ContextFrame.writableSandbox else { return process.withLock(change) }
    // A sandbox begins with what applied to it, which is read before the frame is locked.
    let present = current
    sandbox.set { settings in
      var own = settings.conditions ?? present
      change(&own)
      settings.conditions = own
    }
  }
}
