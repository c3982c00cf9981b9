import DIContainer
import Payments
import Stock

// Asks for what two modules register, of which the runtime finds one, and then for what both have
// registered in the form that any number of modules can use.

let missing = [askPayments(), askStock()].compactMap(\.self)
print(missing.joined(separator: "\n"))

// What start-up registered has nothing to do with a container that does not reach it.
let apart = askPayments(Resolver()) ?? ""
print(apart.contains("registerAllServices") ? "said where it does not belong" : "apart")

registerPayments()
registerStock()
print([askPayments(), askStock()].compactMap(\.self).first ?? "registered")
