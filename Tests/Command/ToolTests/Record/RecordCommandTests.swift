import Foundation
import FrameBudget
import Glibc
import FrameBudgetRealTime
import TestSupport
import Testing

@testable import FrameBudgetCLI

/// Tests that need no browser; Tests/EndToEnd/test_record.py records pages.
@Suite struct `What record is asked` {
  @Test(arguments: [
    (["chrome"], FrameBudgetCLI.ExitStatus.usage), (["firefox", "page.html"], .usage),
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
    (["chrome", "http://localhost/", "--try", "debounce:input"], .usage),
    (["chrome", "http://localhost/", "--try", "latest:message,advice"], .usage),
    (["chrome", "http://localhost/", "--try", "defer:save"], .usage),
    (["chrome", "http://localhost/", "--try", ""], .usage),
    (["chrome", "http://localhost/", "--try", ","], .usage),
    (["program", "true", "--try", " , "], .usage),
    (["program"], .usage), (["program", "\(Scratch.nowhere)/app"], .noInput),
    (["program", "/"], .noInput),
    (["program", "no-such-program"], .noInput),
    (["program", "true", "--flow", "flow.json"], .usage),
    (["program", "true", "--browser", "chromium"], .usage),
    (["program", "true", "--headless"], .usage), (["program", "true", "--any-address"], .usage),
  ])
  func `is refused in one line if it makes no sense, and nothing is written`(
    arguments: [String], status: FrameBudgetCLI.ExitStatus
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

  /// The page is made from the same values as the files.
  @Test func `draws the page that report draws of its results`() throws {
    let scratch = try Scratch()
    try scratch.write(ShortScenario.text, to: "short.yaml")
    let traced = try Performed(
      "run", scratch.path("short.yaml"), "--engine", "virtual", "--strategy", "main-thread",
      "--trace", scratch.path("program.json"))
    #expect(traced.status == .success, "\(traced.diagnostics)")
    _ = try answer(to: "program.json", in: scratch)
    let page = try #require(scratch.text("index.html"))
    let drawn = try Performed(
      "report", scratch.path("advised"), "--title", "app", "-o", scratch.path("again.html"))
    #expect(drawn.status == .success, "\(drawn.diagnostics)")
    let again = try #require(scratch.text("again.html"))
    // Only this one knows what was recorded, which it says first.
    #expect(page.contains("<h1>Recorded: ") && !again.contains("<h1>Recorded: "))
    func figures(_ page: String) throws -> Substring {
      let verdict = try #require(page.firstRange(of: "<p class=\"verdict\">"))
      let rest = page[verdict.upperBound...]
      return rest[try #require(rest.firstRange(of: "</p>")).upperBound...]
    }
    #expect(try figures(page) == figures(again))
  }

  /// The answer of `record` to a file of `scratch`, where it leaves its output and its diagnostics.
  private func answer(to recording: String, in scratch: Scratch) throws -> RecordedFolder.Answer {
    let folder = RecordedFolder(scratch.root, recording: recording, of: "app")
    var console = Console()
    console.output = unsafe creat(scratch.path("output"), 0o600)
    console.diagnostics = unsafe creat(scratch.path("diagnostics"), 0o600)
    defer { for stream in [console.output, console.diagnostics] { close(stream) } }
    return try folder.complete(quiet: true, drawsPage: true, showing: nil, on: console)
  }

  /// The launcher drops 1 of 37 frames, and its replay none, which has nothing to change.
  @Test(
    .enabled(
      if: Project.shared("data/traces") != nil, "no folder shared/data at or above the package"))
  func `does not say what helps an app whose replay lacks the recorded drops`() throws {
    let traces = try #require(Project.shared("data/traces"))
    let name = "android_launcher_scroll_smooth.systrace.html.zip"
    let scratch = try Scratch()
    try FileManager.default.copyItem(atPath: "\(traces)/\(name)", toPath: scratch.path(name))
    let answer = try answer(to: name, in: scratch)
    #expect(answer.status == .inconclusive)
    let lines = try #require(scratch.text("output")).split(separator: "\n")
    #expect(lines[0].hasPrefix("recorded: 1 of 37 (2.7 %) dropped, by the ends of frames; "))
    let words = "What would help is unknown: the replay lacks most of the recorded dropped frames."
    #expect(lines.dropFirst().joined(separator: " ") == words)
    #expect(scratch.text("README.md")?.contains(words) == true)
    let page = try #require(scratch.text("index.html"))
    #expect(page.contains("<p class=\"verdict\">\(words) In the replay: "))
    #expect(!page.contains("Nothing to change") && !page.contains("recommended: "))
  }

  @Test func `names the browsers that it looked for`() throws {
    let error = #expect(throws: ToolError.self) {
      try BrowserProgram(nil, searching: "\(Scratch.nowhere):/dev")
    }
    #expect(error?.status == .unavailable)
    #expect(
      error?.message.contains("tried chromium, chromium-browser, google-chrome") == true,
      "\(error?.message ?? "")")
  }

  @Test func `is one of those that are allowed, if it is named`() throws {
    let error = #expect(throws: ToolError.self) {
      try BrowserProgram("netscape", searching: Scratch.nowhere)
    }
    #expect(
      error?.message.hasPrefix(
        "--browser netscape: no such program exists; allowed: the name or path of a Chromium-based browser, such as chromium, "
      ) == true, "\(error?.message ?? "")")
  }

  @Test func `is the first browser that is installed, and none that cannot be run`() throws {
    let scratch = try Scratch()
    for name in ["google-chrome", "chromium-browser"] { try scratch.write("", to: name) }
    let mode: [FileAttributeKey: Any] = [.posixPermissions: 0o755]
    try FileManager.default.setAttributes(mode, ofItemAtPath: scratch.path("google-chrome"))
    let program = try BrowserProgram(nil, searching: "\(Scratch.nowhere):\(scratch.root)")
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

@Suite struct `A page's address` {
  @Test(arguments: [
    ("http://localhost/", true), ("HTTPS://example.org/", true), ("chrome://version/", false),
    ("javascript:alert(1)", false), ("about:blank", false), ("view-source:http://a/", false),
    ("page.html", false), ("", false),
  ])
  func `allows servers and no other schemes`(address: String, isAllowed: Bool) throws {
    for page in ["http://localhost/", "file:///folder/page.html"] {
      #expect(try PageAddress(page).allows(address) == isAllowed)
    }
  }

  @Test(arguments: [
    ("file:///folder/page.html", true), ("file:///folder/deeper/image.png", true),
    ("file:///folder/a/../b.html", true), ("file:///folder/../etc/hostname", false),
    ("file:///folder/%2e%2e/etc/hostname", false), ("file:///folders/page.html", false),
    ("file:///etc/hostname", false), ("FILE:///etc/hostname", false), ("file:///folder", false),
  ])
  func `of a file allows files in its folder`(address: String, isAllowed: Bool) throws {
    #expect(try PageAddress("file:///folder/page.html").allows(address) == isAllowed)
    #expect(try !PageAddress("http://localhost/").allows(address))
  }

  @Test func `of a file allows no link that leads out of its folder`() throws {
    let scratch = try Scratch()
    let files = FileManager.default
    for folder in ["pages", "outside"] {
      try files.createDirectory(atPath: scratch.path(folder), withIntermediateDirectories: true)
    }
    for name in ["pages/page.html", "pages/own.js", "outside/secret.js", "outside/page.html"] {
      try Data().write(to: scratch.folder.appending(path: name))
    }
    for (link, end) in [
      ("alias", "pages"), ("pages/own", "own.js"), ("pages/secret.js", "../outside/secret.js"),
      ("pages/out", "../outside"), ("pages/linked.html", "../outside/page.html"),
    ] {
      try files.createSymbolicLink(atPath: "\(scratch.root)/\(link)", withDestinationPath: end)
    }
    for folder in ["pages", "alias"] {
      let root = "\(scratch.root)/\(folder)"
      for argument in ["\(root)/page.html", "file://\(root)/page.html"] {
        let page = try PageAddress(argument)
        for name in ["page.html", "own.js", "own", "missing.js"] {
          #expect(page.allows("file://\(root)/\(name)"), "\(name)")
        }
        for name in ["secret.js", "out/secret.js", "out", "linked.html", "../outside/page.html"] {
          #expect(!page.allows("file://\(root)/\(name)"), "\(name)")
        }
      }
      // The user named it.
      #expect(try PageAddress("\(root)/linked.html").allows("file://\(root)/linked.html"))
    }
  }
}

@Suite struct `What a page tries` {
  @Test func `is told in one line for each kind, however often`() {
    var attempts = PageAttempts()
    for number in 1...1000 { attempts.add(.window, "http://a/\(number)") }
    attempts.add(.dialog, #"alert "\#(String(repeating: "x", count: 1_000_000))""#)
    attempts.add(.file, "file:///etc/hostname")
    let notes = attempts.notes
    #expect(notes.count == 3)
    #expect(notes[0].hasPrefix(#"answered 1 dialog: alert "xxx"#) && notes[0].count < 120)
    #expect(notes[1] == "denied 1000 new windows: http://a/1, http://a/2, http://a/3, …")
    #expect(
      notes[2]
        == "denied 1 file outside the page's folder: file:///etc/hostname; --any-address allows it")
  }
}

@Suite struct `A child's output` {
  private func output(of bytes: Int, fileLimit: Int) throws -> (file: String, last: String?) {
    let scratch = try Scratch()
    try scratch.write("", to: "output")
    let file = unsafe open(scratch.path("output"), O_WRONLY)
    defer { close(file) }
    var output = try #require(ChildOutput(to: file, fileLimit: fileLimit))
    var rest = Array(repeating: UInt8(ascii: "x"), count: bytes) + Array("\nlast\n".utf8)
    while !rest.isEmpty {
      let count = unsafe write(output.end, rest, min(rest.count, 4096))
      rest.removeFirst(count)
      output.read()
    }
    close(output.end)
    output.finish()
    return (try #require(scratch.text("output")), output.lastLine())
  }

  @Test func `is kept whole up to a limit`() throws {
    let kept = try output(of: 1000, fileLimit: 2000)
    #expect(kept.file == String(repeating: "x", count: 1000) + "\nlast\n")
    #expect(kept.last == "last")
  }

  @Test func `keeps its last part beyond the limit`() throws {
    let kept = try output(of: 300_000, fileLimit: 1000)
    #expect(kept.file.hasPrefix(String(repeating: "x", count: 1000) + "\n[framebudget: "))
    #expect(kept.file.hasSuffix("x\nlast\n"))
    #expect(kept.file.utf8.count < 100_000)
    #expect(kept.last == "last")
  }
}

@Suite struct `A browser's profile` {
  @Test func `of a killed process is removed, one in use is kept`() throws {
    let left = LockedFolder.new()
    let used = LockedFolder.new()
    defer { used.remove() }
    #expect(used.create() == nil)
    var removed: [String] = []
    // Other processes look for leftovers in the same folder, and may be faster, but not each time.
    for _ in 0..<100 where !removed.contains(left.path) {
      try? FileManager.default.createDirectory(
        atPath: left.path, withIntermediateDirectories: true)
      try? "".write(toFile: left.path + "/lock", atomically: false, encoding: .utf8)
      removed += LockedFolder.removeLeftovers()
    }
    #expect(removed.contains(left.path) && !removed.contains(used.path))
    #expect(!FileManager.default.fileExists(atPath: left.path))
    #expect(FileManager.default.fileExists(atPath: used.path))
  }
}

extension `A browser's profile` {
  /// Between its creation and its lock, a folder looks like one of a killed process.
  @Test func `is locked once it is created, whoever looks for leftovers meanwhile`() throws {
    let scratch = try Scratch()
    let path = scratch.path("profile")
    let ended = scratch.path("ended")
    fromThreads(2) { number in
      guard number == 0 else {
        while !FileManager.default.fileExists(atPath: ended) {
          _ = LockedFolder(path: path).removeLeftover()
        }
        return
      }
      for _ in 0..<Tries.lockedFolders.count {
        let folder = LockedFolder(path: path)
        #expect(folder.create() == nil)
        sched_yield()
        #expect(FileManager.default.fileExists(atPath: path + "/lock"))
        folder.remove()
      }
      _ = FileManager.default.createFile(atPath: ended, contents: nil)
    }
  }

  private func openFiles(of folder: LockedFolder) -> [String] {
    let links = "/proc/self/fd"
    let numbers = (try? FileManager.default.contentsOfDirectory(atPath: links)) ?? []
    return numbers.compactMap {
      try? FileManager.default.destinationOfSymbolicLink(atPath: "\(links)/\($0)")
    }.filter { $0.hasPrefix(folder.path) }
  }

  @Test func `has an open lock until it is removed`() throws {
    let folder = LockedFolder.new()
    #expect(folder.create() == nil)
    #expect(openFiles(of: folder).count == 1)
    folder.remove()
    #expect(openFiles(of: folder) == [])
  }
}

@Suite struct `Messages over DevTools' pipe` {
  @Test func `are whole however they arrive`() {
    let text = Data("one\0\0two\0".utf8)
    for first in 0...text.count {
      var buffer = MessageBuffer(end: 0)
      var messages: [String] = []
      for piece in [text.prefix(first), text.dropFirst(first)] {
        let fits = buffer.add(piece)
        #expect(fits)
        while let message = buffer.take() {
          messages.append(String(decoding: message, as: UTF8.self))
        }
      }
      #expect(messages == ["one", "", "two"], "first \(first) bytes")
    }
  }

  @Test func `without an end are refused before they fill the memory`() {
    var buffer = MessageBuffer(end: 0)
    let piece = Data(repeating: 1, count: 8 << 20)
    var accepted = 0
    while accepted < 100, buffer.add(piece) { accepted += 1 }
    #expect(accepted * piece.count == MessageBuffer.limit)
  }

  @Test func `that are too long are left out, and those behind them are not`() async throws {
    let (own, other) = try #require(SocketEnd.pair())
    own.setTimeout(.milliseconds(50))
    let messages = [
      Data("first".utf8), Data(repeating: 0x78, count: MessageBuffer.limit + 1), Data("last".utf8),
    ]
    async let sent: Void = onOwnThread {
      for message in messages { _ = other.send(message + [0]) }
      other.close()
    }
    var channel = PipeChannel(own)
    var received: [String] = []
    while true {
      do throws(DevToolsEnd) {
        if let message = try channel.receive() {
          received.append(String(decoding: message, as: UTF8.self))
        }
      } catch {
        #expect(error == .closed)
        break
      }
    }
    await sent
    channel.close()
    #expect(received == ["first", "last"])
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
