#if canImport(Testing) && canImport(XCTest)
import DIContainer
import Foundation

// The parts of diagnoses about a request.

extension ContextFrame {
  /// Returns a text that names the requests that led to a request.
  static func text(about request: Request, _ diagnosis: () -> Diagnosis) -> String {
    TypeNames.telling(apart: Chain.currentLinks.map(\.key) + [request.key]) {
      diagnosis().text
    }
  }

  static func chainFacts(_ request: Request) -> [(String, String)] {
    (Chain.currentLinks + [request.chainLink]).facts(requestedAt: request.location)
  }

  static var threadText: String { Thread.isMainThread ? "main" : "another than main" }
}

extension ContextFrame.Opener {
  /// The test and the place as lines of a diagnosis.
  var facts: [(String, String)] {
    [("test:", name)] + (location.line == 0 ? [] : [("opened:", "\(location)")])
  }
}
#endif
