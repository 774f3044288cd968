import FrameBudget
import Foundation
import RealTime
import TestSupport
import Testing

@testable import Tool

/// Tests that need no browser; Tests/EndToEnd/test_record.py records pages.
@Suite struct `What record is asked` {
  @Test(arguments: [
    (["chrome"], Tool.ExitStatus.usage), (["firefox", "page.html"], .usage),
    (["chrome", "page.html"], .usage),
    (["chrome", "page.html", "--for", "0 s"], .usage),
    (["chrome", "page.html", "--for", "-1 s"], .usage),
    (["chrome", "page.html", "--for", "soon"], .usage),
    (["chrome", "page.html", "--for", "11 min"], .usage),
    (["chrome", "nowhere.html"], .noInput), (["chrome", "localhost:8000"], .noInput),
    (["chrome", "."], .noInput), (["chrome", "ftp://localhost/"], .noInput),
    (["chrome", "\u{1B}[31m.html"], .noInput),
    (["chrome", "http://localhost/", "--browser", "no-such-browser"], .unavailable),
    (["chrome", "http://localhost/", "--browser", "/"], .unavailable),
    (["chrome", "http://localhost/", "--browser", ""], .unavailable),
    (["chrome", "http://localhost/", "--", "argument"], .usage),
    (["chrome", "http://localhost/", "--again", "app"], .usage),
    (["program"], .usage), (["program", "/nowhere/app"], .noInput), (["program", "/"], .noInput),
    (["program", "no-such-program"], .noInput),
    (["program", "true", "--flow", "flow.json"], .usage),
    (["program", "true", "--browser", "chromium"], .usage),
    (["program", "true", "--headless"], .usage),
  ])
  func `is refused in one line if it makes no sense, and nothing is written`(
    arguments: [String], status: Tool.ExitStatus
  ) throws {
    let scratch = try Scratch()
    let isFolderMissing = arguments == ["chrome", "page.html"]
    let folder = isFolderMissing ? [] : ["-o", scratch.path("app")]
    let recorded = try Performed(["record"] + arguments + folder)
    #expect(recorded.status == status, "\(recorded.diagnostics)")
    #expect(recorded.diagnostics.split(separator: "\n").count == 1, "\(recorded.diagnostics)")
    #expect(!recorded.diagnostics.contains("\u{1B}"))
    #expect(scratch.names() == [])
  }

  @Test func `does not write to a folder that is there`() throws {
    let scratch = try Scratch()
    try scratch.write("", to: "page.html")
    let recorded = try Performed(
      "record", "chrome", scratch.path("page.html"), "--browser", "/bin/true", "-o", scratch.root)
    #expect(recorded.status == .cannotCreate)
    #expect(recorded.diagnostics.contains("exists already"), "\(recorded.diagnostics)")
  }

  @Test func `is compared only with what an earlier recording left`() throws {
    let scratch = try Scratch()
    let recorded = try Performed("record", "program", "true", "--again", scratch.root)
    #expect(recorded.status == .noInput)
    #expect(
      recorded.diagnostics.contains(
        "program.json: No such file or directory; --again needs a folder"),
      "\(recorded.diagnostics)")
    #expect(scratch.names() == [])
  }

  @Test func `names the browsers that it looked for`() throws {
    let error = #expect(throws: ToolError.self) {
      try BrowserProgram(nil, searching: "/nowhere:/dev")
    }
    #expect(error?.status == .unavailable)
    #expect(
      error?.message.contains("tried chromium, chromium-browser, google-chrome") == true,
      "\(error?.message ?? "")")
  }

  @Test func `is the first browser that is installed, and none that cannot be run`() throws {
    let scratch = try Scratch()
    for name in ["google-chrome", "chromium-browser"] { try scratch.write("", to: name) }
    let mode: [FileAttributeKey: Any] = [.posixPermissions: 0o755]
    try FileManager.default.setAttributes(mode, ofItemAtPath: scratch.path("google-chrome"))
    let program = try BrowserProgram(nil, searching: "/nowhere:\(scratch.root)")
    #expect(program.path == scratch.path("google-chrome"))
  }

  @Test func `may be a file with any name`() throws {
    let scratch = try Scratch()
    try scratch.write("", to: "a page #1?.html")
    let page = try PageAddress(scratch.path("a page #1?.html"))
    #expect(page.url.hasPrefix("file:///"))
    #expect(page.url.hasSuffix("/a%20page%20%231%3F.html"), "\(page.url)")
  }
}

@Suite struct `Messages over DevTools' pipe` {
  @Test func `are whole however they arrive`() {
    let text = Data("one\0\0two\0".utf8)
    for first in 0...text.count {
      var buffer = MessageBuffer(end: 0)
      var messages: [String] = []
      for piece in [text.prefix(first), text.dropFirst(first)] {
        buffer.add(piece)
        while let message = buffer.take() {
          messages.append(String(decoding: message, as: UTF8.self))
        }
      }
      #expect(messages == ["one", "", "two"], "first \(first) bytes")
    }
  }

  @Test func `are written and read alike`() throws {
    let text = """
      {"id": 7, "ok": true, "none": null, "texts": ["a\\n\\u0000\\"", "ü"], "real": -2.5e3, "id": 8}
      """
    let value = try JSON(parsing: Array(text.utf8))
    #expect(value["id"].whole == 8)
    #expect(value["ok"].flag == true)
    #expect(value["texts"].elements.map(\.text) == ["a\n\0\"", "ü"])
    #expect(value["real"].real == -2500)
    #expect(value["none"]["deeper"].text == nil)
    let again = try JSON(parsing: Array(value.written().utf8))
    #expect(again.written() == value.written())
    #expect(!value.written().utf8.contains(0))
  }
}
