// Services as a module has them whose default isolation is the main actor: they belong to it unless
// they say otherwise.

public protocol Mailer: AnyObject {
  func send(_ text: String)
}

public final class LiveMailer: Mailer {
  public private(set) var sent: [String] = []
  public init() { sent.append("opened") }
  public func send(_ text: String) { sent.append(text) }
}

public nonisolated protocol PriceList: Sendable {
  func price(of sku: String) -> Int?
}

public nonisolated struct StorePrices: PriceList {
  public init() {}
  public func price(of sku: String) -> Int? { sku == "SCARF" ? 19_00 : nil }
}

public nonisolated struct Forecast: Sendable {
  public let text: String
  public init(_ text: String) { self.text = text }
  public static func load() async -> Forecast { Forecast("rain") }
}

public final class Till {
  public private(set) var cents = 0
  public init() {}
  public func take(_ cents: Int) { self.cents += cents }
}

public final class ShopWindow {
  public let sign: String
  public init(sign: String = "open") { self.sign = sign }
}
