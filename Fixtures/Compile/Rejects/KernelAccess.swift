// expect: cannot find 'ContextFrame' in scope
// The kernel is not for users.
import DIContainer

func frame() { _ = ContextFrame.self }
