// mode: 6
// What is recorded and depended on can be made, to compare with.
import DIContainer
import DITesting

func payments() -> ServiceKey { ServiceKey((any Error).self, name: "card") }

func expected() -> ResolutionEvent {
  ResolutionEvent(kind: .created, key: payments(), container: "main", scope: "cached")
}

func dependency() -> Dependency { Dependency(payments()) }
