import Foundation
import FrameBudget
import TestSupport
import Testing

@testable import FrameBudgetTesting

extension Measuring {
  /// The rate of correct verdicts: takes some minutes, so only on request.
  @Suite(
    .enabled(if: ProcessInfo.processInfo.environment["FRAMEBUDGET_EXHAUSTIVE"] == "1"),
    .serialized)
  struct RepeatedTests {
    private static let runs = 20

    // Slow: 200 measurements of half a second.
    @Test(arguments: [false, true])
    @MainActor func `a third more time than the baseline is found, no change is not`(isBusy: Bool)
      async throws
    {
      // Processes, because threads would be the measured app's own.
      let loops = isBusy ? try (0..<2).map { _ in try Self.busyProcess() } : []
      defer { for loop in loops { kill(loop.processIdentifier, SIGKILL) } }
      let scratch = try Scratch()
      let path = scratch.path("base.json")
      try await Self.report(rounds: 20_000).baseline.write(to: path)
      var (counts, undisturbed): ([String: Int], [String: Int]) = ([:], [:])
      for (name, rounds, runs) in [("unchanged", 20_000, 50), ("planted", 26_000, Self.runs)] {
        for _ in 0..<runs {
          let found = try await Self.report(rounds: rounds).compare(to: path)
          let verdict = "\(name) \(found.closures[0].verdict)"
          counts[verdict, default: 0] += 1
          if found.notes.isEmpty { undisturbed[verdict, default: 0] += 1 }
        }
      }
      print("undisturbed:", undisturbed.sorted { $0.key < $1.key })
      print("baselines, \(isBusy ? "busy" : "quiet"):", counts.sorted { $0.key < $1.key })
      #expect(counts["unchanged slower"] == nil)
      #expect(counts["planted same"] == nil)
      // A neighbour on the same host slows the main thread, too, and the notes say so.
      #expect(undisturbed["planted unsure"] == nil)
    }

    @Test(arguments: [false, true])
    @MainActor func `verdicts are right, and on a busy machine unsure at worst`(isBusy: Bool)
      async throws
    {
      let burning = Burning(threads: isBusy ? 2 : 0)
      defer { burning.stop() }
      var counts: [String: Int] = [:]
      for _ in 0..<Self.runs {
        for (name, span) in [("short", Duration.milliseconds(2)), ("long", .milliseconds(70))] {
          let report = try await measureFrames(drawing: .milliseconds(2), for: .milliseconds(500)) {
            $0.workload("add", .every(.milliseconds(250))) { _ in burn(span) }
          }
          counts["\(name) \(report.verdict(.droppedFrames, atMost: 0).rawValue)", default: 0] += 1
        }
      }
      print("verdicts, \(isBusy ? "busy" : "quiet"):", counts.sorted { $0.key < $1.key })
      #expect(counts["short missed"] == nil && counts["long met"] == nil)
      if !isBusy { #expect(counts["short met"] == Self.runs && counts["long missed"] == Self.runs) }
    }

    // Slow: ten measurements of two seconds for each way.
    /// `make verdicts` writes the table of the page.
    @Test func `verdicts on posted work are right, however it is posted`() throws {
      let floods = try Self.lines("floods", "\(Self.floodRuns)").map(SeenFlood.init)
      #expect(floods.count > 12)
      for flood in floods {
        #expect(
          flood.drops ? flood.missed == Self.floodRuns : flood.met == Self.floodRuns, "\(flood)")
      }
      if Golden.isRewriting {
        let page = try GeneratedPart(of: "results/loops/README.md", by: "make verdicts")
        try page.write(SeenFlood.titles + floods.map(\.row).joined())
      }
    }

    private static let floodRuns = 10

    // Slow: each app runs for a second.
    /// It is known for each app whether it drops frames, for any position of its bursts between two vsyncs.
    @Test(arguments: [false, true])
    func `no verdict on random apps is wrong`(isBusy: Bool) throws {
      let burning = Burning(threads: isBusy ? 2 : 0)
      defer { burning.stop() }
      var counts: [String: Int] = [:]
      for line in try Self.lines("random", "0", "\(Tries.randomApps.count)") {
        let cells = line.components(separatedBy: ";")
        try #require(cells.count == 3)
        let isWrong = cells[2] == (cells[1] == "true" ? "met" : "missed")
        #expect(!isWrong, "\(line)")
        counts[isWrong ? "wrong" : cells[2], default: 0] += 1
      }
      let unsure = counts["unsure"] ?? 0
      let found = ["met", "missed", "unsure", "wrong"].map { "\(counts[$0] ?? 0) \($0)" }
      print("random apps, \(isBusy ? "busy" : "quiet"):", found.joined(separator: ", "))
      #expect(counts.values.reduce(0, +) == Tries.randomApps.count)
      if !isBusy { #expect(unsure * 100 < Tries.randomApps.count * 15) }
    }

    /// What `RunLoopApp` prints; its errors are those of the tests.
    private static func lines(_ arguments: String...) throws -> [String] {
      let (process, pipe) = (Process(), Pipe())
      process.executableURL = Project.products.appending(component: "RunLoopApp")
      process.arguments = arguments
      process.standardOutput = pipe
      try process.run()
      let said = pipe.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      try #require(process.terminationStatus == 0)
      return String(decoding: said, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    private static func busyProcess() throws -> Process {
      try Process.run(URL(filePath: "/bin/sh"), arguments: ["-c", "while :; do :; done"])
    }

    @MainActor private static func report(rounds: Int) async throws -> FrameReport {
      try await measureFrames(drawing: .milliseconds(1), for: .milliseconds(500)) {
        $0.workload("add", .batch(5, every: .milliseconds(100))) { _ in work(rounds) }
      }
    }
  }
}

/// A line of `RunLoopApp floods`.
private struct SeenFlood: CustomStringConvertible {
  let description: String
  private let cells: [String]

  init(_ line: String) throws {
    description = line
    cells = line.components(separatedBy: ";")
    try #require(cells.count == 11)
  }

  var drops: Bool { cells[5] != "0" }
  var met: Int? { Int(cells[8]) }
  var missed: Int? { Int(cells[9]) }

  static let titles = """
    | work on the main thread | posted | longest gap between two frames of a timer | ticks without one | \
    dropped frames, measured | seen as | `met` | `missed` | `unsure` |
    |---|---|---:|---:|---:|---|---:|---:|---:|

    """

  var row: String {
    let posted = "\(cells[1]) of \(cells[2]) ms every \(cells[3]) ms"
    let seen = ([cells[0], posted, "\(cells[4]) ms"] + cells[5...]).joined(separator: " | ")
    return "| \(seen) |\n"
  }
}

/// The same work each time, independent of its duration.
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
