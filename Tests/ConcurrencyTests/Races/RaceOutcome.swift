/// What all heard in one round of a race.
struct Outcome {
  private let heard: [(who: String, what: Hand.Heard)]
  /// Those of the threads, which may be answers.
  private let ofThreads: Range<Int>
  /// How often each factory ran.
  private let runs: [String]

  init(setUp: Hand, threads: [Hand], observer: Hand, runs: [String]) {
    let before = setUp.heard.map { ("set-up", $0) }
    let during = threads.enumerated().flatMap { number, hand in
      hand.heard.map { ("thread \(number)", $0) }
    }
    heard = before + during + observer.heard.map { ("in the end", $0) }
    ofThreads = before.count..<before.count + during.count
    self.runs = runs
  }

  /// As text, where instances are numbered in the order in which they are heard of.
  ///
  /// Of answers that are `alone` only the maker counts, and not how often that ran.
  func lines(alone: Set<Int> = []) -> [String] {
    var numbers: [ObjectIdentifier: Int] = [:]
    func describe(_ trinket: Trinket?) -> String {
      guard let trinket else { return "nil" }
      let number = numbers[ObjectIdentifier(trinket)] ?? numbers.count
      numbers[ObjectIdentifier(trinket)] = number
      return "\(trinket.maker) #\(number)"
        + (trinket.inside.map { " around \(describe($0))" } ?? "")
    }
    let lines = heard.enumerated().map { number, heard in
      let trinkets =
        alone.contains(number)
        ? heard.what.trinkets.map { $0?.maker ?? "nil" } : heard.what.trinkets.map(describe)
      return "\(heard.who): \(heard.what.text) \(trinkets.joined(separator: ", "))"
        + heard.what.decorators.map { ", seen by \($0)" }.joined()
    }
    return alone.isEmpty ? lines + runs : lines
  }

  private var answers: [Int] {
    ofThreads.filter { heard[$0].what.trinkets.contains { $0 != nil } }
  }

  /// Answers to threads with instances that nobody else got.
  var answersOfNobodyElse: Set<Int> {
    Set(
      answers.filter { answer in
        !heard.enumerated().contains { number, other in
          number != answer
            && other.what.trinkets.contains { trinket in
              heard[answer].what.trinkets.contains { $0 === trinket && trinket != nil }
            }
        }
      })
  }

  var subsetsOfAnswers: [Set<Int>] {
    answers.reduce(into: [[]]) { subsets, answer in
      subsets += subsets.map { $0.union([answer]) }
    }.filter { !$0.isEmpty }
  }
}
