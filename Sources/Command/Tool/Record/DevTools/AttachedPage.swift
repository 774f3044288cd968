internal import Foundation
internal import FrameBudget
internal import FrameBudgetParsing
internal import FrameBudgetRealTime
internal import Glibc

/// A page of a browser that runs already. It goes on when this value ends.
final class AttachedPage: DevToolsClient {
  let port: DebuggingPort
  let page: DebuggedPage
  /// How many pages have the text by which it was chosen.
  let matches: Int
  private let channel: WebSocketChannel
  private let worldName = PageScript.world()

  /// The page of a browser at `place`: the one with that identifier, or that text in its address or title, or the one that was
  /// used last.
  init(_ place: AttachPlace, page wanted: String?) throws(ToolError) {
    port = try place.connect()
    (page, matches) = try port.page(wanted)
    channel = try WebSocketChannel(port, path: "/devtools/page/\(page.id)")
    super.init(channel, to: port.browser)
  }

  /// A page's connection ends with it.
  override var ended: ToolError {
    if loss == nil { loss = Self.closed }
    return lost
  }

  // MARK: Frames

  /// What came of a page since the last call.
  enum News {
    case report(WindowReport)
    /// The page leaves its document for another one; later it shows this address.
    case left
    case opened(String)
    /// Processor time of its process and of its main thread.
    case used(process: TimeSpan, main: TimeSpan)
  }

  /// The commands whose answers are awaited.
  private var awaited: [Int: Question] = [:]
  /// The world of the page's script, while it reports.
  private var world: JSON?
  private var installation = ContinuousClock.now
  private var measurement = ContinuousClock.now
  /// Why nothing more comes.
  private var end: ToolError?

  private enum Question { case world, script, report, use }

  private static let most = 1000
  /// The pause before another attempt to install the script, and between measurements of processor time.
  private static let pause = Duration.milliseconds(100)
  private static let second = Duration.seconds(1)

  /// Begins to report frames.
  func beginReports() {
    (needsPage, isInterruptible) = (false, false)
    channel.wait(for: .milliseconds(1))
    send("Performance.enable")
    install()
  }

  /// What has arrived. It does not wait for more.
  ///
  /// - Throws: `.unavailable` when the page has gone, and everything that came before that was returned.
  func news() throws(ToolError) -> [News] {
    var news: [News] = []
    do throws(ToolError) {
      if end == nil { try take(&news) }
    } catch {
      end = error
    }
    if let end, news.isEmpty { throw end }
    return news
  }

  private func take(_ news: inout [News]) throws(ToolError) {
    // At most so many at once, however fast they come.
    for _ in 0..<Self.most {
      guard let message = try next() else { break }
      guard let number = message["id"].whole, let question = awaited.removeValue(forKey: number)
      else { continue }
      if let found = try answer(to: question, message) { news.append(found) }
    }
    if loss != nil { throw lost }
    if world == nil, awaited.isEmpty, ContinuousClock.now > installation + Self.pause { install() }
    if ContinuousClock.now > measurement + Self.second, !awaited.values.contains(.use) {
      measurement = .now
      ask(.use, "Performance.getMetrics")
    }
  }

  private func ask(
    _ question: Question, _ method: String, _ parameters: [(name: String, value: JSON)] = []
  ) {
    awaited[send(method, parameters)] = question
  }

  /// A page's world is made anew, or found again, by its name. The identifier of a page is that of its main frame.
  private func install() {
    world = nil
    installation = .now
    ask(
      .world, "Page.createIsolatedWorld",
      [("frameId", .text(page.id)), ("worldName", .text(worldName))])
  }

  private func evaluate(_ script: String, as question: Question) {
    ask(question, "Runtime.evaluate", Self.evaluation(of: script, in: world))
  }

  private func answer(to question: Question, _ message: JSON) throws(ToolError) -> News? {
    let result = message["result"]
    switch question {
    case .use: return used(result)
    case .world:
      guard !result["executionContextId"].isNull else { return nil }
      world = result["executionContextId"]
      evaluate(PageScript.begin, as: .script)
    case .script, .report:
      // The page has opened another document, and its worlds have gone.
      guard message["error"].isNull else {
        world = nil
        return .left
      }
      guard let text = result["result"]["value"].text else {
        let reason = result["exceptionDetails"]["exception"]["description"].text ?? "no text"
        throw ToolError(
          .unavailable, "the page does not run the script that reports its frames: \(reason)")
      }
      defer { evaluate(PageScript.next, as: .report) }
      if question == .script { return .opened(text) }
      guard let report = WindowReport(text) else {
        throw ToolError(.unavailable, "\(name) sends what is no report of frames")
      }
      return .report(report)
    }
    return nil
  }

  private func used(_ result: JSON) -> News? {
    func seconds(_ metric: String) -> TimeSpan? {
      let found = result["metrics"].elements.first { $0["name"].text == metric }
      return found?["value"].real.flatMap {
        (0..<1e9).contains($0) ? TimeSpan(nanoseconds: Int64($0 * 1e9)) : nil
      }
    }
    guard let process = seconds("ProcessTime"), let main = seconds("ThreadTime") else { return nil }
    return .used(process: process, main: main)
  }

  /// The time for the page to remove the script. A page that hangs does so later: the script ends by itself.
  private static let farewell = Duration.milliseconds(500)

  /// Ends the reports, and removes what made them.
  func endReports() {
    guard loss == nil, let world else { return }
    send("Performance.disable")
    _ = try? answer(
      "Runtime.evaluate", Self.evaluation(of: PageScript.end, in: world), of: .page,
      within: Self.farewell)
  }
}
