/// An object that tells of changes.
public protocol ObservableObject: AnyObject {}
