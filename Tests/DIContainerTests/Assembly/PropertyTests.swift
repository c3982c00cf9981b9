@testable import DIContainer
import DITesting
import Foundation
import Testing

private func json(_ text: String, _ name: String = "shop.json") throws -> TemporaryFile {
  try TemporaryFile(name, text)
}

private func shop(_ files: TemporaryFile...) throws -> Resolver {
  let shop = Resolver()
  for file in files { try shop.load(JsonPropertyLoader(url: file.url)) }
  return shop
}

@Suite struct PropertyTests {
  @Test func `JSON values are read by the type that is asked for`() throws {
    let shop = try shop(
      json(
        #"""
        {"name": "Storefront", "retries": 3, "rate": 0.5, "whole": 2.0, "open": true,
         "days": ["mon", "tue"], "limits": {"card": 500}, "closed": null, "mixed": [1, "a"]}
        """#))
    #expect(shop.property("name") == "Storefront")
    #expect(shop.property("retries") == 3)
    #expect(shop.property("retries") == 3.0)
    #expect(shop.property("rate") == 0.5)
    #expect(shop.property("open") == true)
    #expect(shop.property("days") == ["mon", "tue"])
    #expect(shop.property("limits") == ["card": 500])
    #expect(shop.property("limits") == ["card": 500.0])
    #expect(try shop.requireProperty("closed", as: String?.self) == nil)
    #expect(try shop.requireProperty("mixed", as: [PropertyValue].self).count == 2)
  }

  @Test func `Null is nil wherever an optional is asked for, and another type is an error`() throws
  {
    let shop = try shop(json(#"{"proxy": null, "retries": 3}"#))
    let resolver: any ServiceResolver = shop
    let proxy: String? = resolver.property("proxy")
    #expect(proxy == nil)
    #expect(try resolver.requireProperty("proxy", as: String?.self) == nil)
    #expect(try resolver.requireProperty("retries", as: Int?.self) == 3)
    #expect(throws: PropertyError.self) { try shop.requireProperty("proxy", as: String.self) }
    #expect(throws: PropertyError.self) { try shop.requireProperty("retries", as: String?.self) }
  }

  @Test func `As Any, a value has its own type, and null is none`() throws {
    let shop = try shop(
      json(
        #"""
        {"retries": 3, "limits": {"card": 500, "cash": null}, "days": ["mon"], "proxy": null}
        """#))
    #expect(shop.property("retries", as: Any.self) as? Int == 3)
    let limits: [String: Any] = shop.property("limits")
    #expect(type(of: limits["card"]!) == Int.self)
    #expect(limits["cash"] as? Int == nil)
    let days: [Any] = shop.property("days")
    #expect(type(of: days[0]) == String.self)
    #expect(type(of: shop.property("limits", as: Any.self)) == [String: Any].self)
    #expect(throws: PropertyError.self) { try shop.requireProperty("proxy", as: Any.self) }
    #expect(throws: PropertyError.self) {
      try shop.requireProperty("proxy", as: (any Sendable).self)
    }
    #expect(try shop.requireProperty("proxy", as: Any?.self) == nil)
  }

  @Test func `Property lists are read alike`() throws {
    let file = try TemporaryFile(
      "Shop.plist",
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict>
      <key>name</key><string>Storefront</string>
      <key>retries</key><integer>1</integer>
      <key>open</key><true/>
      <key>rate</key><real>2</real>
      <key>since</key><date>2026-01-01T00:00:00Z</date>
      <key>days</key><array><string>mon</string></array>
      </dict></plist>
      """)
    let shop = Resolver()
    try shop.load(PlistPropertyLoader(url: file.url))
    #expect(shop.property("name") == "Storefront")
    #expect(shop.property("retries") == 1)
    #expect(shop.property("open") == true)
    #expect(shop.property("rate") == 2.0)
    #expect(shop.property("since") == Date(timeIntervalSince1970: 1_767_225_600))
    #expect(shop.property("days") == ["mon"])
    #expect(throws: PropertyError.self) { try shop.requireProperty("retries", as: Bool.self) }
    #expect(throws: PropertyError.self) { try shop.requireProperty("open", as: Int.self) }
  }

  @Test func `A JSON file may have comments, and commas at the end`() throws {
    let shop = try shop(
      json(
        """
        {
          // The region of the warehouse.
          "region": "eu", /* "us" is closed */
          "site": "https://storefront.example", // not a comment: //
        }
        """))
    #expect(shop.property("region") == "eu")
    #expect(shop.property("site") == "https://storefront.example")
  }

  @Test func `A later file wins key by key`() throws {
    let shop = try shop(
      json(#"{"region": "eu", "retries": 3}"#), json(#"{"region": "us"}"#))
    #expect(shop.property("region") == "us")
    #expect(shop.property("retries") == 3)
  }

  @Test func `A container reads its parents' properties, and its own first`() throws {
    let parent = try shop(json(#"{"region": "eu", "retries": 3}"#))
    let child = Resolver(parent: parent)
    let file = try json(#"{"region": "us"}"#)
    try child.load(JsonPropertyLoader(url: file.url))
    #expect(child.property("region") == "us")
    #expect(child.property("retries") == 3)
    #expect(parent.property("region") == "eu")
  }

  @Test func `A factory reads the properties of the container that is asked`() throws {
    let shop = try shop(json(#"{"retries": 3}"#))
    shop.register(name: "label") { r in "\(r.property("retries") as Int) times" }
    #expect(shop.resolve(String.self, name: "label") == "3 times")
  }

  @Test func `Properties are not listed among the registrations, nor recorded`() throws {
    let shop = try shop(json(#"{"retries": 3}"#))
    let recorder = ResolutionRecorder()
    withRecorder(recorder) { _ = shop.property("retries") as Int? }
    #expect(shop.registrations.isEmpty)
    #expect(recorder.events.isEmpty)
  }

  @Test func `What is loaded in a sandbox is gone with it`() throws {
    let shop = try shop(json(#"{"region": "eu"}"#))
    let double = try json(#"{"region": "test"}"#)
    try ContextFrame.$bound.withValue(ContextFrame(.sandbox, parent: nil, caches: .all)) {
      try shop.load(JsonPropertyLoader(url: double.url))
      #expect(shop.property("region") == "test")
    }
    #expect(shop.property("region") == "eu")
  }

  @Test func `A missing property is nil where an optional is asked for`() {
    let region: String? = Resolver().property("region")
    #expect(region == nil)
    #expect(Resolver().property("region") ?? "eu" == "eu")
  }
}

@Suite struct PropertyErrorTests {
  private func failure(_ body: () throws -> Void) -> String? {
    do {
      try body()
      return nil
    } catch { return "\(error)" }
  }

  @Test func `A missing file is named`() throws {
    let shop = Resolver()
    let text = failure { try shop.load(JsonPropertyLoader(bundle: .main, name: "nowhere")) }
    #expect(
      text == """
        There is no property file nowhere.json.

        To fix this:
          - Add it to the target's resources, or correct the loader's bundle, name or URL.
        """)
  }

  @Test func `Bad JSON leaves what was loaded before`() throws {
    let shop = try shop(json(#"{"region": "eu"}"#))
    let file = try json(#"{"region": "us""#, "bad.json")
    let text = failure { try shop.load(JsonPropertyLoader(url: file.url)) }
    #expect(
      text == """
        The property file bad.json cannot be read: it is not valid JSON.

        To fix this:
          - Correct the file. What was loaded before is unchanged.
        """)
    #expect(shop.property("region") == "eu")
  }

  @Test func `A file that is a list is no property file`() throws {
    let file = try json("[1, 2]", "list.json")
    let text = failure { try Resolver().load(JsonPropertyLoader(url: file.url)) }
    #expect(
      text == """
        The property file list.json holds [Int], not values by key.

        To fix this:
          - Make its outermost value a dictionary: `{ "key": … }`.
        """)
  }

  @Test func `A bad property list is named`() throws {
    let file = try TemporaryFile("Shop.plist", "<plist><dict>")
    let text = failure { try Resolver().load(PlistPropertyLoader(url: file.url)) }
    #expect(
      text == """
        The property file Shop.plist cannot be read: it is not a property list.

        To fix this:
          - Correct the file. What was loaded before is unchanged.
        """)
  }

  @Test func `A missing key names the files, and keys that come close`() throws {
    let shop = try shop(json(#"{"maxRetries": 3}"#, "a.json"), json(#"{"b": 1}"#, "b.json"))
    let text = failure { _ = try shop.requireProperty("max_retries", as: Int.self) }
    #expect(
      text == """
        No property "max_retries" was loaded (requested as `Int`).

          loaded from:  a.json, b.json

        To fix this:
          - If you meant "maxRetries", request that.
          - Add "max_retries" to a property file, or load the file that has it before this request.
          - If it is optional, request `Int?`.
        """)
  }

  @Test func `A wrong type names the file, the key and both types`() throws {
    let shop = try shop(json(#"{"retries": "3"}"#))
    let text = failure { _ = try shop.requireProperty("retries", as: Int.self) }
    #expect(
      text == """
        The property "retries" in shop.json is of type `String`, but was requested as `Int`.

        To fix this:
          - Request `String`, or write a value of type `Int` in shop.json.
        """)
  }

  @Test(arguments: [
    ("rate", "Float", "Request `Double`, and convert that to `Float`."),
    ("proxy", "String", "Request `String?`, or write a value of type `String` in shop.json."),
    ("proxy", "Float", "Request `Float?`."),
    (
      "nothing", "[String]",
      "Request `[Any?]`, or write a value of type `Array<String>` in shop.json."
    ),
  ])
  func `A wrong type is followed by advice that can be taken`(
    key: String, wanted: String, advice: String
  ) throws {
    let shop = try shop(json(#"{"rate": 3.5, "proxy": null, "nothing": [null]}"#))
    let text = failure {
      switch wanted {
      case "Float": _ = try shop.requireProperty(key, as: Float.self)
      case "[String]": _ = try shop.requireProperty(key, as: [String].self)
      default: _ = try shop.requireProperty(key, as: String.self)
      }
    }
    #expect(text?.split(separator: "\n").last == "  - \(advice)")
    #expect(try shop.requireProperty("proxy", as: Float?.self) == nil)
    #expect(try shop.requireProperty("nothing", as: [Any?].self).count == 1)
  }

  @Test(arguments: [
    ("rate", "Double"), ("limits", "[String: Int]"), ("days", "[String]"), ("mixed", "[Any]"),
  ])
  func `A wrong type is named as in source code`(key: String, found: String) throws {
    let shop = try shop(
      json(#"{"rate": 0.5, "limits": {"card": 500}, "days": ["mon"], "mixed": [1, "a"]}"#))
    #expect(
      throws: PropertyError(
        .wrongType(wanted: "Bool", found: found), source: "shop.json", key: key)
    ) {
      try shop.requireProperty(key, as: Bool.self)
    }
  }

  @Test func `A list or a dictionary is read only if each of its values is`() throws {
    let shop = try shop(json(#"{"days": ["mon"], "limits": {"card": 500}, "name": "Tea"}"#))
    #expect(throws: PropertyError.self) { try shop.requireProperty("days", as: [Int].self) }
    #expect(throws: PropertyError.self) { try shop.requireProperty("limits", as: [Int].self) }
    #expect(throws: PropertyError.self) {
      try shop.requireProperty("limits", as: [String: String].self)
    }
    #expect(throws: PropertyError.self) {
      try shop.requireProperty("days", as: [String: String].self)
    }
    #expect(throws: PropertyError.self) { try shop.requireProperty("name", as: Double.self) }
  }

  @Test func `A loader of the user's own may throw what it likes`() {
    struct Offline: Error {}
    struct RemoteLoader: PropertyLoader {
      let source = "the server"
      func load() throws -> [String: PropertyValue] { throw Offline() }
    }
    #expect(throws: PropertyError(.malformed("Offline()"), source: "the server")) {
      try Resolver().load(RemoteLoader())
    }
  }

  @Test func `An assembler loads properties, or says which file is missing`() throws {
    let assembler = Assembler()
    let file = try json(#"{"retries": 3}"#)
    try assembler.load(JsonPropertyLoader(url: file.url))
    #expect(assembler.resolver.property("retries") == 3)
    #expect(try assembler.resolver.requireProperty("retries", as: Int.self) == 3)
    let text = failure { try assembler.load(PlistPropertyLoader(name: "nowhere")) }
    #expect(
      text == """
        There is no property file nowhere.plist.

        To fix this:
          - Add it to the target's resources, or correct the loader's bundle, name or URL.
        """)
    #expect(assembler.resolver.property("retries") == 3)
  }

  @Test func `Where nothing can be thrown, the diagnosis ends the process`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      Assembler().applyPropertyLoader(JsonPropertyLoader(bundle: .main, name: "nowhere"))
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("There is no property file nowhere.json."))
  }
}
