import Foundation

final class Service {}

// What the property loaders need of Foundation, once.
print(Bundle.main.bundlePath.isEmpty, Service() === nil)
