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

    @MainActor private static func report(rounds: Int) async throws -> FrameReport {
      try await measureFrames(drawing: .milliseconds(1), for: .milliseconds(500)) {
        $0.workload("add", .batch(5, every: .milliseconds(100))) { _ in work(rounds) }
      }
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
