import FrameBudget
import Testing

@testable import FrameBudgetCaptures
@testable import FrameBudgetLearning

/// What a recording predicts of a change to its page.
struct PageChangeTests {
  private typealias Slice = (name: String, begin: Double, end: Double, depth: Int32)

  /// A key: a handler of 2 ms, and a listener of its input, 12 ms with the page's measure of 8 in it, in one task.
  private static func key(at begin: Double) -> [Slice] {
    [
      ("RunTask", begin, begin + 16, 0),
      ("EventDispatch (keydown)", begin, begin + 2, 1),
      ("press (page.html:3)", begin, begin + 2, 2),
      ("EventDispatch (keypress)", begin + 2, begin + 15, 1),
      ("EventDispatch (input)", begin + 2, begin + 15, 2),
      ("search (page.html:5)", begin + 3, begin + 15, 3),
      ("match", begin + 5, begin + 13, 4),
    ]
  }

  /// A frame of 6 ms, in which `draw` of 3 ms asks for the next, behind a listener of a scroll if there is one.
  private static func frame(at begin: Double, scroll: Double = 0) -> [Slice] {
    let end = begin + 6 + scroll
    let listener: [Slice] = [
      ("EventDispatch (scroll)", begin + 1, begin + 1 + scroll, 1),
      ("follow (page.html:9)", begin + 1, begin + 1 + scroll, 2),
    ]
    return [("RunTask", begin, end, 0)] + (scroll > 0 ? listener : []) + [
      ("FireAnimationFrame", end - 4, end - 1, 1), ("draw (page.html:7)", end - 4, end - 1, 2),
    ]
  }

  /// A second at 60 Hz with a frame at each vsync, and what `tasks` adds behind the frames of vsyncs.
  private static func recording(
    scrolling: Range<Int> = 0..<0, _ tasks: (Int, Double) -> [Slice] = { _, _ in [] }
  ) -> Recording {
    var (slices, frames): ([Slice], [RecordedFrame]) = ([], [])
    var free = 0.0
    for vsync in 0..<60 {
      let at = Double(vsync) * 50 / 3
      let begin = max(at + 0.2, free)
      let own = frame(at: begin, scroll: scrolling.contains(vsync) ? 5 : 0)
      let more = tasks(vsync, own[0].end + 0.1)
      slices += own + more
      free = max(own[0].end, more.map(\.end).max() ?? 0) + 0.1
      let work = TimeSpan.ms(begin).nanoseconds..<TimeSpan.ms(own[0].end).nanoseconds
      frames.append(
        RecordedFrame(
          vsync: .ms(at), work: work, presented: .ms(own[0].end + 1),
          verdict: own[0].end > at + 50.0 / 3 ? .dropped : .shown))
    }
    return .slices(slices, frames: frames)
  }

  /// Keys at 4 vsyncs, of which two come sooner than 150 ms after another.
  private static let typing = recording { vsync, free in
    [2, 10, 18, 40].contains(vsync) ? key(at: free) : []
  }

  private func learn(_ recording: Recording, _ change: String) throws -> LearnedScenario {
    try #require(
      LearnedScenario(recording, name: "page", source: "page", change: PageChange(change)))
  }

  @Test(arguments: [
    ("debounce:input=150ms", PageChange.Kind.newest(event: "input", .debounce(.milliseconds(150)))),
    ("throttle:scroll=100ms", .newest(event: "scroll", .throttle(.milliseconds(100)))),
    ("latest:message", .newest(event: "message", .latest)),
    ("without:https://x.org/js/a.js?v=1", .without(file: "a.js")),
    ("without:a.js", .without(file: "a.js")),
  ])
  func `is what its words say`(text: String, kind: PageChange.Kind) throws {
    #expect(try PageChange(text).kind == kind)
  }

  @Test(arguments: [
    "", "debounce", "debounce:input", "debounce:input=0ms", "debounce:=1ms", "throttle:scroll=1h",
    "throttle:scroll=11s", "latest:", "latest:a b", "without:", "without:http://x.org/",
    "without:*.js", "faster:input",
  ])
  func `is refused if it makes no sense`(text: String) {
    #expect(throws: PageChange.Untriable.self) { try PageChange(text) }
  }

  @Test(arguments: ["defer:save", "idle:save"])
  func `is refused if no scenario predicts it`(text: String) {
    let error = #expect(throws: PageChange.Untriable.self) { try PageChange(text) }
    #expect(error?.reason.hasPrefix("cannot be predicted, so it is not made") == true)
  }

  @Test func `limits the listeners of an event, and leaves the rest of their tasks`() throws {
    let learned = try learn(Self.typing, "debounce:input=150ms")
    #expect(learned.unpredictable == nil)
    let limited = try #require(learned.items.workloads.first { $0.isLimited })
    #expect(limited.name == "on-input")
    #expect(
      limited.items.map { $0.costs.map { $0.cpu / 1000 } } == Array(repeating: [12_000], count: 4))
    let rest = learned.items.workloads.filter { !$0.isLimited }.flatMap(\.items)
    let left: Int64 = rest.flatMap(\.costs).map(\.cpu).reduce(0, +)
    #expect(left / 1000 == 4 * 4000)
    let text = learned.scenario(replay: .good)
    #expect(text.contains("  - name: on-input\n"))
    #expect(text.contains("    admission: {debounce: 150 ms}\n"))
    let log = try LearnedReplay(learned).runAsRecorded()
    #expect(learned.remaining(in: log) == 0.5)
    #expect(log.items.first { $0.workload == "on-input" }?.doneCount == 2)
  }

  @Test func `limits listeners that a script calls, with what they call`() throws {
    let recording = Self.recording { vsync, free in
      vsync % 6 == 0
        ? [
          ("RunTask", free, free + 9, 0), ("move (page.html:2)", free, free + 8, 1),
          ("EventDispatch (slide)", free + 1, free + 7, 2),
          ("EventDispatch (other)", free + 2, free + 4, 3),
        ] : []
    }
    let slide = try learn(recording, "latest:slide")
    let limited = try #require(slide.items.workloads.first { $0.isLimited })
    #expect(limited.items.map { $0.costs[0].cpu } == Array(repeating: 6_000_000, count: 10))
    let other = try learn(recording, "latest:other")
    #expect(other.items.changedTime == 10 * 2_000_000)
  }

  @Test func `without the change nothing is limited`() throws {
    let learned = try #require(LearnedScenario(Self.typing, name: "page", source: "page"))
    #expect(!learned.items.workloads.contains { $0.isLimited })
    #expect(!learned.scenario(replay: .good).contains("admission"))
  }

  @Test func `takes listeners out of the frames that they ran in`() throws {
    let scrolling = Self.recording(scrolling: 10..<30)
    let learned = try learn(scrolling, "throttle:scroll=100ms")
    let limited = try #require(learned.items.workloads.first { $0.isLimited })
    #expect(limited.items.count == 20)
    // Each arrives right before the vsync of its frame, which waits for it.
    for (place, item) in limited.items.enumerated() {
      let vsync = Double(place + 10) * 50 / 3
      #expect(abs(Double(item.arrival) / 1e6 - vsync) < 0.01)
    }
    let plain = try #require(LearnedScenario(scrolling, name: "page", source: "page"))
    #expect(plain.items.drawing[10..<30].allSatisfy { $0 > 11_000_000 })
    #expect(learned.items.drawing.allSatisfy { $0 < 6_300_000 })
    // At once, and at the end of each 100 ms.
    let log = try LearnedReplay(learned).runAsRecorded()
    #expect(log.items.first { $0.workload == "on-scroll" }?.doneCount == 5)
  }

  @Test func `removes a script's functions, and what ran inside them`() throws {
    let recording = Self.recording { vsync, free in
      vsync % 6 == 0
        ? [
          ("RunTask", free, free + 14, 0), ("count (analytics.js:2)", free + 1, free + 13, 1),
          ("match", free + 2, free + 9, 2),
        ] : []
    }
    let learned = try learn(recording, "without:analytics.js")
    #expect(learned.unpredictable == nil)
    #expect(learned.items.changedTime == 10 * 12_000_000)
    #expect(learned.mainThreadLoad(of: "match").load == 0)
    #expect(
      learned.items.workloads.flatMap(\.items).allSatisfy { $0.costs.map(\.cpu) == [2_000_000] })
  }

  @Test func `is not predicted where the recording does not show what it would do`() throws {
    for (change, reason) in [
      ("latest:message", "no listener of message ran"),
      ("without:other.js", "no function of other.js ran"),
      // The only function that asks for frames.
      ("without:page.html", "page.html asks for frames"),
    ] {
      let learned = try learn(Self.typing, change)
      #expect(learned.unpredictable?.hasPrefix(reason) == true, "\(change)")
    }
  }
}
