// mode: 5
// A context carried to queues, threads and timers.
import DIContainer
import Dispatch
import Foundation

final class Till { var sum = 0 }
func pay() throws {}
func later(_ callback: @escaping (Int) -> Void) {}
func elsewhere(_ callback: @escaping @Sendable (Result<Int, any Error>) -> Void) {}

func queues() {
  DispatchQueue.global().async(execute: ResolutionContext.carrying { print(1) })
  DispatchQueue.global().async(execute: ResolutionContext.carrying { try? pay() })
  DispatchQueue.main.asyncAfter(deadline: .now(), execute: ResolutionContext.carrying { print(1) })
  OperationQueue().addOperation(ResolutionContext.carrying { print(1) })
  Thread(block: ResolutionContext.carrying { print(1) }).start()
  Timer(timeInterval: 1, repeats: false, block: ResolutionContext.carrying { _ in print(1) }).fire()
}

func closures() throws {
  let till = Till()
  let plain: () -> Void = ResolutionContext.carrying { till.sum += 1 }
  let price: (Int) -> Int = ResolutionContext.carrying { till.sum + $0 }
  let payment: () throws -> Void = ResolutionContext.carrying { try pay() }
  let sendable: @Sendable (Int, Int) -> Bool = ResolutionContext.carrying { $0 > $1 }
  plain()
  try payment()
  print(price(1), sendable(1, 2))
  later(ResolutionContext.carrying { till.sum = $0 })
  elsewhere(ResolutionContext.carrying { result in print(result) })
  Task(operation: ResolutionContext.carrying { try await Task.sleep(nanoseconds: 1) })
}
