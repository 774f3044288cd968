import Foundation
import FrameBudget
import FrameBudgetSimulation
import TestSupport
import Testing

/// The virtual engine compared with `ScreenOracle`, on random cases.
@Suite struct ScreenComparisonTests {
  @Test(arguments: ScreenAnswer.all)
  func `each answer worked out by hand comes out of the engine`(_ answer: ScreenAnswer) {
    #expect(Self.differences(answer.drawn) == [])
  }

  /// For `scripts/measure-screen`, which runs them on threads.
  @Test(.enabled(if: Environment["FRAMEBUDGET_SCREEN_FILES"] != nil))
  func `the answers become scenario files`() throws {
    let folder = URL(filePath: try #require(Environment["FRAMEBUDGET_SCREEN_FILES"]))
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (number, answer) in ScreenAnswer.all.enumerated() {
      let name = "\(number + 101)-\(answer.name.lowercased())"
        .replacing(/[^a-z0-9]+/, with: "-")
      let text = answer.drawn.yaml.replacing("scenario: screen", with: "scenario: \(name)")
      try Data(text.utf8).write(to: folder.appending(path: "\(name).yaml"))
    }
  }

  @Test(arguments: Tries.screenComparisons.parts)
  func `the engine does what is described`(seeds: Range<UInt64>) {
    compare(seeds, ScreenCase.random)
  }

  /// Cases of which no rule gives the order are left out, but not too many.
  @Test(arguments: Tries.screenComparisons.parts)
  func `at one instant, too, the engine does what is described`(seeds: Range<UInt64>) {
    compare(seeds, ScreenCase.tied)
    let decided = seeds.filter {
      !ScreenOracle.run(.tied(seed: $0)).isAmbiguous
    }
    #expect(decided.count * 3 > seeds.count, "\(decided.count) of \(seeds.count)")
  }

  private func compare(_ seeds: Range<UInt64>, _ draw: (UInt64) -> ScreenCase) {
    for seed in seeds {
      let drawn = draw(seed)
      guard !Self.differences(drawn).isEmpty else { continue }
      let smallest = drawn.smallest { !Self.differences($0).isEmpty }
      let told = Self.differences(smallest).joined(separator: "; ")
      Issue.record("seed \(seed): \(told)\n\(smallest.yaml)")
    }
  }

  @Test(arguments: ScreenFault.allCases)
  func `a fault would show in the comparison`(_ fault: ScreenFault) {
    let seen = (UInt64(0)..<4000).first {
      !Self.differences(ScreenCase.random(seed: $0), fault: fault).isEmpty
    }
    #expect(seen != nil)
  }

  /// The differences of the engine, in words; empty if no rule gives the order of events.
  private static func differences(_ drawn: ScreenCase, fault: ScreenFault? = nil) -> [String] {
    let outcome = ScreenOracle.run(drawn, fault: fault)
    guard !outcome.isAmbiguous else { return [] }
    let log = drawn.scenario.run(drawn.arrangement, detail: .frames)
    var told = log.violations.map { "\($0)" }
    func expect<Value: Equatable>(_ name: String, _ engine: Value, _ oracle: Value) {
      if engine != oracle { told.append("\(name) \(engine), not \(oracle)") }
    }
    let engine = visible(log, drawn)
    var oracle = outcome.visible(of: drawn, fault: fault)
    for frame in oracle.frames.indices {
      oracle.frames[frame].workEnd = oracle.frames[frame].workEnd.flatMap { within($0, drawn) }
      oracle.frames[frame].ready = oracle.frames[frame].ready.flatMap { within($0, drawn) }
    }
    expect("frames", engine.frames, oracle.frames)
    expect("expected", engine.expected, oracle.expected)
    expect("dropped", engine.dropped, oracle.dropped)
    expect("drops", engine.drops, oracle.drops)
    expect("stuffed", engine.stuffed, oracle.stuffed)
    expect("missed", engine.missed, oracle.missed)
    expect("long tasks and hangs", engine.long, oracle.long)
    expect("left", engine.left, oracle.left)
    expect("done", engine.done, oracle.done)
    expect("shown", engine.shown, oracle.shown)
    expect("replaced", engine.replaced, oracle.replaced)
    expect("late parts", engine.late, oracle.late)
    if drawn.compositor != nil {
      let behindGPU = drawn.onGPU.run(drawn.arrangement, detail: .frames)
      expect("with a GPU", visible(behindGPU, drawn), engine)
    }
    return told
  }

  /// The log's content in the order and the terms of an outcome.
  private static func visible(_ log: RunLog, _ drawn: ScreenCase) -> ScreenOutcome.Visible {
    let metrics = RunMetrics(log)
    // By arrival, then by workload.
    let items = drawn.workloads.indices.flatMap { workload in
      log.items[workload].arrivals.indices.map { (workload, $0) }
    }.sorted {
      let (one, other) = (log.items[$0.0].arrivals[$0.1], log.items[$1.0].arrivals[$1.1])
      return (one, $0.0, $0.1) < (other, $1.0, $1.1)
    }
    return ScreenOutcome.Visible(
      frames: log.frames.records.compactMap { frame($0, drawn) },
      expected: metrics.frames.expected,
      dropped: log.frames.records.flatMap(\.droppedVsyncs),
      drops: ScreenOutcome.Cause.allCases.map { Int(metrics["drops_\($0)"] ?? 0) },
      stuffed: log.frames.stuffed, missed: log.frames.missed, long: long(metrics),
      left: .init(
        shown: metrics.items.shown, results: metrics.items.resultsWaiting,
        backlog: metrics.items.backlog),
      done: items.map { log.items[$0].completions[$1] }.map { $0 >= 0 ? $0 : nil },
      shown: items.map { shown(log.items[$0].responses[$1], drawn) },
      replaced: items.map { log.items[$0].isReplaced($1) }, late: late(log))
  }

  private static func late(_ log: RunLog) -> ScreenOutcome.Late? {
    log.totals.partLateness.map {
      .init(
        frames: log.frames.shownIncomplete, longest: $0.longest.nanoseconds,
        left: $0.left.nanoseconds)
    }
  }

  private static func long(_ metrics: RunMetrics) -> ScreenOutcome.Long {
    let frames = metrics.frames
    return ScreenOutcome.Long(
      tasks: frames.longTasks.count, blocking: frames.longTasks.blocking.nanoseconds,
      hangs: frames.hangs, hung: frames.hangTotal.nanoseconds)
  }

  /// Nil for a frame that never began, and is only recorded for its missed vsyncs.
  private static func frame(
    _ record: FrameRecord, _ drawn: ScreenCase
  ) -> ScreenOutcome.Visible.Frame? {
    guard record.begin.nanoseconds < drawn.instant(drawn.lastVsync) else { return nil }
    return .init(
      vsync: record.beginVsync, asked: record.askedVsync, begin: record.begin.nanoseconds,
      workEnd: within(record.workEnd.nanoseconds, drawn),
      ready: within(record.ready.nanoseconds, drawn),
      shown: record.presentVsync <= drawn.lastVsync ? record.presentVsync : nil)
  }

  /// An engine's log records work that the run's end cut off as ended there.
  private static func within(_ instant: Int64, _ drawn: ScreenCase) -> Int64? {
    instant < drawn.duration ? instant : nil
  }

  /// The log has the instant of a frame that no vsync of the run showed, too.
  private static func shown(_ instant: Int64, _ drawn: ScreenCase) -> Int? {
    0...drawn.duration ~= instant ? drawn.vsync(atOrAfter: instant) : nil
  }
}
