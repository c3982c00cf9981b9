import Doors
import DIContainer

wireApp()
print(Resolver.resolve(Door.self).open(for: "Ada"))
