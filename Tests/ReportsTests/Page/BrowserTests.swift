import Foundation
import TestSupport
import Testing

@testable import Reports

/// Opens pages in headless Chromium. A request of any kind is a violation of the page's own policy and
/// would stand in the console too.
@Suite(.enabled(if: Browser.path != nil, "no chromium: the page is not opened"), .serialized)
struct BrowserTests {
  @Test func `the page opens without a message in the console`() throws {
    let browser = try Browser()
    let output = try browser.open(try Pages.rich().html())
    #expect(output.dom.contains("<h2>Comparison</h2>"))
    #expect(output.console == [])
  }

  /// What shows that the test above can fail.
  @Test(arguments: [
    "<script>undefinedFunction()</script>", "<img src=\"http://127.0.0.1:9/x.png\">",
    "<img src=\"x.png\">",
  ])
  func `an error or a request stands in the console`(_ mistake: String) throws {
    let page = try Pages.rich().html().replacing("</main>", with: "\(mistake)</main>")
    #expect(try !Browser().open(page).console.isEmpty)
  }
}

/// Headless Chromium with a profile of its own.
struct Browser {
  static let path = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  func open(_ html: String) throws -> (dom: String, console: [String]) {
    let page = scratch.folder.appending(path: "page.html")
    let log = scratch.folder.appending(path: "log")
    try Data(html.utf8).write(to: page)
    try Data().write(to: log)
    let process = Process()
    process.executableURL = URL(filePath: try #require(Self.path))
    process.arguments = [
      "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking",
      "--no-first-run", "--user-data-dir=\(scratch.root)/profile", "--enable-logging=stderr",
      "--dump-dom", page.absoluteString,
    ]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = try FileHandle(forWritingTo: log)
    try process.run()
    let dom = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let messages = String(decoding: try Data(contentsOf: log), as: UTF8.self)
    return (dom, messages.split(separator: "\n").map(String.init).filter { $0.contains("CONSOLE") })
  }
}
