internal import DIPrimitives

/// The state that a thread keeps between resolutions, which is never freed (di_thread.h).
typealias ThreadRecord = UnsafeMutablePointer<di_thread>
