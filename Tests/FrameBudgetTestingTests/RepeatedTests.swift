import Foundation
import FrameBudget
import TestSupport
import Testing

@testable import FrameBudgetTesting

extension Measuring {
  /// How often verdicts are right: some minutes, so only where asked for.
  @Suite(
    .enabled(if: ProcessInfo.processInfo.environment["FRAMEBUDGET_EXHAUSTIVE"] == "1"),
    .serialized)
  struct RepeatedTests {
    private static let runs = 20

    @Test @MainActor func `a third more is found against a baseline, nothing more is not`()
      async throws
    {
      let scratch = try Scratch()
      let path = scratch.path("base.json")
      try await Self.report(rounds: 20_000).baseline.write(to: path)
      var counts: [String: Int] = [:]
      for _ in 0..<Self.runs {
        for (name, rounds) in [("unchanged", 20_000), ("planted", 26_000)] {
          let found = try await Self.report(rounds: rounds).compare(to: path)
          counts["\(name) \(found.closures[0].verdict)", default: 0] += 1
        }
      }
      print("baselines:", counts.sorted { $0.key < $1.key })
      #expect(counts["unchanged slower"] == nil)
      #expect(counts["planted slower", default: 0] >= 19)
    }

    @Test(arguments: [false, true])
    @MainActor func `verdicts are right, beside others unsure at worst`(isBusy: Bool) async throws {
      let burning = Burning(threads: isBusy ? 2 : 0)
      defer { burning.stop() }
      var counts: [String: Int] = [:]
      for _ in 0..<Self.runs {
        for (name, span) in [("short", Duration.milliseconds(2)), ("long", .milliseconds(70))] {
          let report = try await measureFrames(drawing: .milliseconds(2), for: .milliseconds(500)) {
            $0.workload("add", .every(.milliseconds(250))) { _ in burn(span) }
          }
          counts["\(name) \(report.verdict(.droppedFrames, atMost: 0))", default: 0] += 1
        }
      }
      print("verdicts, \(isBusy ? "busy" : "quiet"):", counts.sorted { $0.key < $1.key })
      #expect(counts["short missed"] == nil && counts["long met"] == nil)
      if !isBusy { #expect(counts["short met"] == Self.runs && counts["long missed"] == Self.runs) }
    }

    // Slow: each app runs for a second.
    /// Of each app it is known whether it drops frames, wherever its bursts fall between two vsyncs.
    @Test(arguments: [false, true])
    @MainActor func `of random apps no verdict is wrong`(isBusy: Bool) async throws {
      let burning = Burning(threads: isBusy ? 2 : 0)
      defer { burning.stop() }
      var unsure = 0
      for seed in 0..<UInt64(Self.apps) {
        let app = RandomApp(seed: seed)
        let report = try await app.measured()
        let verdict = report.verdict(.droppedFrames, atMost: 0)
        if verdict == .unsure { unsure += 1 }
        #expect(verdict != (app.drops ? .met : .missed), "\(app)\n\(report)")
      }
      print("random apps, \(isBusy ? "busy" : "quiet"): \(unsure) of \(Self.apps) unsure")
      if !isBusy { #expect(unsure * 100 < Self.apps * 15) }
    }

    private static let apps = Tries.randomApps.count

    @MainActor private static func report(rounds: Int) async throws -> FrameReport {
      try await measureFrames(drawing: .milliseconds(1), for: .milliseconds(500)) {
        $0.workload("add", .batch(5, every: .milliseconds(100))) { _ in work(rounds) }
      }
    }
  }
}

/// An app at 60 Hz that draws for 2 ms and posts bursts of work to its main thread in some way: either bursts of more than two
/// periods that run in one turn, or work of at most 3 ms at once.
private struct RandomApp: CustomStringConvertible {
  enum Way: CaseIterable {
    case closures, oneClosure, blocks, tasks, delayedBlocks, thread
    // One at a time, with frames between them.
    case operations, chain
  }

  let way: Way
  let count: Int
  let span: Duration

  init(seed: UInt64) {
    var stream = RandomStream(seed: seed, name: "app")
    way = Way.allCases.randomElement(using: &stream) ?? .closures
    span = .microseconds(Int.random(in: 100...3000, using: &stream))
    let comesOneByOne = way == .operations || way == .chain
    let most = Int(Duration.milliseconds(3) / span)
    let least = Int(Duration.milliseconds(45) / span) + 1
    let all = Int(Duration.milliseconds(100) / span)
    let range =
      comesOneByOne
      ? 1...all : Bool.random(using: &stream) ? 1...max(1, most) : least...2 * least
    count = Int.random(in: range, using: &stream)
  }

  /// Whether all of a burst runs in one turn, and that is longer than two periods.
  var drops: Bool {
    way != .operations && way != .chain && span * count > .milliseconds(40)
  }

  var description: String { "\(way), \(count) times \(span)" }

  @MainActor func measured() async throws -> FrameReport {
    let poster = way == .thread ? Poster(every: 0.25, taking: span * count) : nil
    defer { poster?.stop() }
    return try await measureFrames(drawing: .milliseconds(2), for: .seconds(1)) { app in
      app.workload("post", .batch(way == .closures ? count : 1, every: .milliseconds(330))) { _ in
        post()
      }
    }
  }

  private func post() {
    let span = span
    switch way {
    case .closures: burn(span)
    case .oneClosure: burn(span * count)
    case .blocks: for _ in 0..<count { DispatchQueue.main.async { burn(span) } }
    case .tasks: for _ in 0..<count { Task { @MainActor in burn(span) } }
    case .delayedBlocks:
      let deadline = DispatchTime.now() + 0.05
      let count = count
      DispatchQueue.main.asyncAfter(deadline: deadline) { burn(span * count) }
    case .thread: break
    case .operations: for _ in 0..<count { OperationQueue.main.addOperation { burn(span) } }
    case .chain: Self.postChain(count, span)
    }
  }

  private static func postChain(_ left: Int, _ span: Duration) {
    guard left > 0 else { return }
    DispatchQueue.main.async {
      burn(span)
      postChain(left - 1, span)
    }
  }
}

/// The same work each time, however long that takes.
private func work(_ rounds: Int) {
  var value = rounds
  var round = 0
  while round < rounds {
    value = value &* 31 ^ round
    round += 1
  }
  #expect(value != 1)
}

/// Threads that use all they get.
private final class Burning: Sendable {
  private let isOver = Recorder<Bool>()

  init(threads: Int) {
    let isOver = isOver
    for _ in 0..<threads {
      Thread.detachNewThread { while isOver.all.isEmpty { burn(.milliseconds(5)) } }
    }
  }

  func stop() { isOver.add(true) }
}
