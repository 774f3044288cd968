import FrameBudget
import Testing

@testable import Reports

@Suite struct `A per-frame file` {
  private func records() -> [FrameRecord] {
    (0..<3).map { number in
      var spans = PhaseSpans()
      spans[.render] = .nanoseconds(10_000_001)
      spans[.lockWait] = .microseconds(Int64(number))
      return FrameRecord(
        beginVsync: 2 * number, presentVsync: 2 * number + 2,
        begin: Instant(nanoseconds: Int64(number) * 33_333_333),
        workEnd: Instant(nanoseconds: Int64(number) * 33_333_333 + 20_000_000), cause: .render,
        items: number, queueDepth: 7, spans: spans)
    }
  }

  private func text(_ hertz: RefreshRate = RefreshRate(60_000, over: 1001)) throws -> String {
    let scenario = Scenario(
      name: "with, \"quotes\"", display: Display(refresh: hertz), duration: .seconds(1))
    let strategy = try StrategyCatalog.strategy(
      "throttled", options: [("batch", "5"), ("interval", "1 s")], for: scenario)
    let plan = RunPlan(scenario, under: strategy)
    return FramesCSV.header
      + FramesCSV.lines(records(), of: plan, engine: .real, cores: 2, until: .milliseconds(100))
      + FramesCSV.lines(records(), of: plan, engine: .virtual, cores: 2, until: .milliseconds(100))
  }

  @Test func `gives back every run and all that its frames know`() throws {
    let runs = try FramesFile.runs(in: text(), file: "frames.csv")
    #expect(runs.map(\.scenario) == ["with, \"quotes\"", "with, \"quotes\""])
    #expect(
      runs.map(\.label) == [
        "throttled:batch=5:interval=1 s real", "throttled:batch=5:interval=1 s virtual",
      ])
    #expect(runs.map(\.frames) == [records(), records()])
    #expect(runs[0].refresh == RefreshRate(60_000, over: 1001))
  }

  @Test(arguments: [
    ("", "frames.csv:1: no column 'schema'"), ("a,b\n", "frames.csv:1: no column 'schema'"),
  ])
  func `is told from other files`(_ text: String, _ message: String) throws {
    let error = #expect(throws: FramesFileError.self) {
      _ = try FramesFile.runs(in: text, file: "frames.csv")
    }
    #expect(error?.description.hasPrefix(message) == true)
  }

  @Test(arguments: [
    (",render,", ",redner,", "'redner' is no cause"),
    ("20000000", "2e7", "work_end_ns '2e7' is not a number"),
    (",2,4,", ",2,2,", "a frame begins where"), (",2,4,", ",3,4,", "a frame begins where"),
    (",2,4,", ",2,99999999999,", "a frame begins where"),
    (",20000000,", ",20000000,,", "fields are expected"),
    ("59.94006", "0", "refresh_hz is not a rate"), (",0,2,", ",\"0,2,", "fields are expected"),
  ])
  func `says in which line it is broken`(_ old: String, _ new: String, _ message: String) throws {
    let text = try text()
    let place = try #require(text.firstRange(of: old))
    let line = text[..<place.lowerBound].count { $0 == "\n" } + 1
    let error = #expect(throws: FramesFileError.self) {
      _ = try FramesFile.runs(in: text.replacingCharacters(place, with: new), file: "frames.csv")
    }
    #expect(error?.description.hasPrefix("frames.csv:\(line): ") == true)
    #expect(error?.description.contains(message) == true)
  }

  @Test func `without a frame says so`() {
    let error = #expect(throws: FramesFileError.self) {
      _ = try FramesFile.runs(in: FramesCSV.header, file: "f")
    }
    #expect(error?.description == "f:1: there is no frame in it")
  }
}

extension String {
  fileprivate func firstRange(of text: String) -> Range<Index>? {
    indices.lazy.map { self[$0...] }.first { $0.hasPrefix(text) }
      .map { $0.startIndex..<index($0.startIndex, offsetBy: text.count) }
  }

  fileprivate func replacingCharacters(_ range: Range<Index>, with text: String) -> String {
    self[..<range.lowerBound] + text + self[range.upperBound...]
  }
}
