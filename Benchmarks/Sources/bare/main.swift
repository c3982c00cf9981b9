final class Service {}

print(Service() === nil)
