// expect: A scope has no storage of its own here: write `ObjectScope(Scope.cache("name"))`
// expect: 'PermanentStorage' is unavailable: Write `ObjectScope(Scope.cache("name"))`.
import DICompatibility
import DIContainer

let night = ObjectScope(storageFactory: { () }, description: "night")
let day = ObjectScope(storageFactory: PermanentStorage.init)
