import FrameBudget
import TestSupport
import Testing

@testable import FrameBudgetCLI

@Suite struct `The place of a browser that runs` {
  @Test(arguments: [
    "chrome", "chrome:1", "chrome:9222", "chrome:65535", "chrome:profile", "chrome:/a:b",
  ])
  func `is a port or a profile`(text: String) throws {
    #expect(try AttachPlace.parse(text).text == text)
    #expect(try AttachTarget.parse(text).browser?.text == text)
  }

  @Test func `is no number alone, which is a process`() throws {
    guard case .process(4711) = try AttachTarget.parse("4711") else { Issue.record("no"); return }
    for text in ["0", "2147483648", "99999999999999999999", "-1", "1 ", "\u{0663}", ""] {
      #expect(throws: (any Error).self, "\(text)") { try AttachTarget.parse(text) }
    }
  }

  @Test(arguments: [
    "", "chrome:", "firefox", "chrome:0", "chrome:65536", "9222", "chrome:٣", "Chrome",
  ])
  func `is nothing else`(text: String) {
    #expect(throws: (any Error).self) { try AttachPlace.parse(text) }
  }

  @Test(
    arguments: [
      ("9222\n/devtools/browser/1", 9222), ("9222", 9222), ("0\n", nil), ("65536\n", nil),
      ("\n9222", nil), (" 9222\n", nil), ("-1\n", nil), ("", nil), ("9222 1\n", nil),
      (String(repeating: "9", count: 1_000_000), nil),
    ] as [(String, UInt16?)])
  func `is read from the first line of a profile's file`(text: String, port: UInt16?) {
    #expect(AttachPlace.port(inFile: Array(text.utf8)) == port)
  }

  /// Whether a browser listens on the usual port of this machine, which decides what is tried next, is not known.
  @Test func `of a profile without such a file, or with another one, is told in one line`() throws {
    let scratch = try Scratch()
    let place = try AttachPlace.parse("chrome:\(scratch.root)/")
    let missing = #expect(throws: ToolError.self) { try place.connect() }
    #expect(missing?.status == .noInput)
    #expect(
      missing?.message.contains("\(scratch.root)/DevToolsActivePort: No such file") == true,
      "\(missing?.message ?? "")")
    try scratch.write("no port\n", to: "DevToolsActivePort")
    let bad = #expect(throws: ToolError.self) { try place.connect() }
    #expect(bad?.status == .badInput && bad?.message.contains("first line is not a port") == true)
  }

  @Test(arguments: [
    ["live", "--attach", "firefox"], ["live", "--attach", "chrome", "--strategy", "main-thread"],
    ["live", "--attach", "chrome", "--engine", "virtual"],
    ["live", "--attach", "chrome", "--realtime"], ["live", "--attach", "chrome", "--pin"],
    ["live", "--attach", "1", "--strategy", "main-thread"], ["live", "page", "--attach", "1"],
    ["live", "--attach", "0"], ["record", "chrome", "--attach", "1", "-o", "app"],
    ["record", "window", "-o", "app"], ["record", "window", "app", "-o", "app"],
    ["record", "window", "0", "-o", "app"], ["record", "window", "1"],
    ["record", "window", "1", "-o", "app", "--try", "advice"],
    ["record", "window", "1", "-o", "app", "--attach", "chrome"],
    ["record", "window", "1", "-o", "app", "--flow", "flow.json"],
    ["record", "window", "1", "-o", "app", "--function", ""],
    ["record", "chrome", "page.html", "-o", "app", "--function", "load"],
    ["live", "--attach", "chrome", "--function", "load"], ["live", "--function", "load"],
    ["record", "window", "1", "-o", "app", "--", "argument"],
    ["live", "frames.csv", "--engine", "virtual"], ["live", "frames.csv", "--pin"],
    ["record", "chrome", "-o", "app"],
    ["record", "chrome", "--attach", "chrome:0", "-o", "app"],
    ["record", "program", "true", "--attach", "chrome", "-o", "app"],
    ["record", "chrome", "--attach", "chrome", "--flow", "flow.json", "-o", "app"],
    ["record", "chrome", "--attach", "chrome", "--browser", "chromium", "-o", "app"],
    ["record", "chrome", "--attach", "chrome", "--headless", "-o", "app"],
    ["record", "chrome", "--attach", "chrome", "--any-address", "-o", "app"],
    ["record", "chrome", "--attach", "chrome", "-o", "app", "--", "argument"],
  ])
  func `goes with no option that it makes meaningless`(arguments: [String]) throws {
    let performed = try Performed(arguments)
    #expect(performed.status == .usage, "\(performed.diagnostics)")
    #expect(performed.diagnostics.split(separator: "\n").count == 1, "\(performed.diagnostics)")
  }
}

@Suite struct `A page that DevTools lists` {
  private func page(_ text: String) throws -> DebuggedPage? {
    DebuggedPage(try JSON(parsing: Array(text.utf8)))
  }

  @Test func `is found by its address or title`() throws {
    let page = try #require(
      try page(
        #"{"type": "page", "id": "A1", "url": "http://a/List", "title": "Großes \u001b[31m"}"#))
    #expect(
      page.id == "A1" && page.has("list") && page.has("GROSSES") == false && page.has("großes"))
    #expect(!page.has("other"))
  }

  @Test(arguments: [
    #"{"type": "page", "id": "", "url": ""}"#, #"{"type": "page", "id": "../browser/1"}"#,
    #"{"type": "page", "id": "a b"}"#, #"{"type": "page", "id": "a\r\nHost: b"}"#,
    #"{"type": "page", "id": 7}"#, #"{"type": "iframe", "id": "A"}"#, "[]", "null", "7",
    #"{"type": "page", "id": "A", "url": "devtools://devtools/inspector.html"}"#,
  ])
  func `is none with an identifier that is no part of a path, and no other target`(
    text: String
  ) throws {
    #expect(try page(text) == nil)
  }

  @Test func `has a short address and title`() throws {
    let long = String(repeating: "x", count: 1_000_000)
    let page = try #require(
      try page(#"{"type": "page", "id": "A", "url": "\#(long)", "title": "\#(long)"}"#))
    #expect(page.address.count == 200 && page.title.count == 200)
  }
}
