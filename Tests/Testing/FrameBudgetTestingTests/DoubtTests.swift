import SchedulableThreads
import Foundation
import FrameBudget
import Testing

@testable import FrameBudgetTesting

/// What must not change a verdict silently. These hold on a busy machine too.
@Suite(.serialized) struct DoubtTests {
  @Test @MainActor func `two workloads on one actor each get their own time, or a doubt`()
    async throws
  {
    let indexer = Indexer()
    let report = try await measureFrames(
      at: .hz(60), drawing: .milliseconds(1), for: .seconds(1)
    ) { app in
      app.workload("long", .every(.milliseconds(300))) { _ in
        _ = await indexer.index(taking: .milliseconds(100))
      }
      app.workload("short", .every(.milliseconds(60))) { _ in
        _ = await indexer.index(taking: .microseconds(500))
      }
    }
    let (long, short) = (report.closures[0].elsewhere, report.closures[1].elsewhere)
    let areRight =
      (80...120).contains(long.milliseconds) && (0.4...0.6).contains(short.milliseconds)
    #expect(areRight || !report.doubts.isEmpty, "\(report)")
  }

  @Test @MainActor func `what a task does after each yield belongs to the item that started it`()
    async throws
  {
    let report = try await repeated({ $0.closures[0].items > 0 }) {
      try await measureFrames(drawing: .milliseconds(1), for: .milliseconds(500)) { app in
        app.workload("yielding", .every(.milliseconds(200))) { _ in
          // Awaited, because the measurement does not wait for work that no item waits for.
          await Task {
            for _ in 0..<20 {
              burn(.milliseconds(1))
              await Task.yield()
            }
          }.value
        }
      }
    }
    #expect(report.closures[0].main > .milliseconds(15), "\(report)")
    #expect(!report.doubts.contains { $0.contains("tasks on the main actor") }, "\(report)")
  }

  @Test @MainActor func `a neighbour's tasks on the main actor leave the verdict unsure`()
    async throws
  {
    let (isOver, jobs) = (Locked(false), Locked(0))
    let neighbour = Task.detached {
      while !isOver.withLock({ $0 }) {
        await MainActor.run { burn(.milliseconds(30)) }
        jobs.withLock { $0 += 1 }
      }
    }
    let report = try await measureFrames(
      at: .hz(60), drawing: .milliseconds(4), for: .milliseconds(500)
    ) { app in
      // The first job that it sees end may have begun before the measurement.
      app.workload("none", .every(.milliseconds(100))) { _ in
        let before = jobs.withLock { $0 }
        while jobs.withLock({ $0 }) < before + 2 { try await Task.sleep(for: .milliseconds(1)) }
      }
    }
    isOver.withLock { $0 = true }
    await neighbour.value
    #expect(report.verdict(.droppedFrames, atMost: 0) == .unsure, "\(report)")
    #expect(report.verdict(.droppedFrames, atMost: 1000) == .unsure, "\(report)")
    #expect(report.doubts.contains { $0.contains("tasks on the main actor") }, "\(report)")
  }

  @Test func `a verdict prints the metric, the limit and the range`() async throws {
    let report = try await measureFrames(drawing: .milliseconds(1), for: .milliseconds(200)) {
      app in
      app.workload("none", .once(at: .zero)) { _ in }
    }
    let verdict = report.verdict(.droppedFrames, atLeast: 500)
    let range = try #require(report.range(.droppedFrames))
    #expect(verdict == .missed || !report.doubts.isEmpty)
    #expect("\(verdict)".hasPrefix("\(verdict.rawValue): dropped_frames at least 500, found"))
    #expect("\(verdict)".contains("\(Int(range.upperBound))"))
    #expect("\(FrameVerdict.met)" == "met")
    let unknown = report.verdict(.lateResponses, atMost: 0)
    #expect("\(unknown)".contains("the metric does not apply"))
  }
}

/// A test process on Linux has no thread that runs the main run loop. In processes of their own, because the work waits for ever.
struct UnservedLoopTests {
  @Test func `blocks of a run loop that no thread runs leave the verdict unsure`() async {
    await #expect(processExitsWith: .success) {
      try await expectDoubt { for _ in 0..<100 { RunLoop.main.perform { burn(.milliseconds(1)) } } }
    }
  }

  @Test func `a timer of a run loop that no thread runs leaves the verdict unsure`() async {
    await #expect(processExitsWith: .success) {
      try await expectDoubt {
        RunLoop.main.add(
          Timer(timeInterval: 0.01, repeats: true) { _ in burn(.milliseconds(50)) },
          forMode: .common)
      }
    }
  }

  @Test func `a timer of the calling thread's run loop leaves the verdict unsure`() async {
    await #expect(processExitsWith: .success) {
      try await expectDoubt { _ = startTimer() }
    }
  }

  @Test
  func `work that was posted after a suspension, or before the measurement, leaves it unsure`()
    async
  {
    await #expect(processExitsWith: .success) {
      try await expectDoubt {
        await Task.yield()
        let timer = startTimer()
        await Task.yield()
        timer.invalidate()
      }
    }
    await #expect(processExitsWith: .success) {
      RunLoop.main.perform {}
      try await expectDoubt {}
    }
  }

  @Test func `without such work there is no such doubt`() async {
    await #expect(processExitsWith: .success) {
      let report = try await unservedReport {
        Timer(timeInterval: 0.01, repeats: true) { _ in }.invalidate()
      }
      #expect(!report.doubts.contains { $0.contains("run loop") }, "\(report)")
    }
  }
}

/// In the calling thread's run loop. Not in an async function, where the thread may change at any time.
private func startTimer() -> Timer {
  .scheduledTimer(withTimeInterval: 0.01, repeats: true) { _ in burn(.milliseconds(50)) }
}

private func unservedReport(
  _ post: @escaping @MainActor () async -> Void
) async throws -> FrameReport {
  try await repeated({ $0.closures[0].items == 1 }) {
    try await measureFrames(drawing: .milliseconds(1), for: .milliseconds(200)) { app in
      app.workload("post", .once(at: .milliseconds(50))) { _ in await post() }
    }
  }
}

/// The first report of some in which what was needed happened: a machine may stand still for longer than a measurement.
private func repeated(
  _ isUseful: (FrameReport) -> Bool, _ measure: () async throws -> FrameReport
) async throws -> FrameReport {
  for _ in 0..<20 {
    let report = try await measure()
    if isUseful(report) { return report }
  }
  return try await measure()
}

private func expectDoubt(_ post: @escaping @MainActor () async -> Void) async throws {
  let report = try await unservedReport(post)
  #expect(report.verdict(.droppedFrames, atMost: 1000) == .unsure, "\(report)")
  #expect(report.doubts.contains { $0.contains("run loop") }, "\(report)")
}

/// An actor's piece on the pool, split among the items whose jobs it ran.
struct SplitPiecesTests {
  private static func ms(_ count: Int64) -> Int64 { count * 1_000_000 }

  private static func segment(
    _ item: UInt32, _ place: String, posted: Int64, by poster: UInt32 = 0, _ span: Range<Int64>,
    cpu: Int64? = nil
  ) -> WorkSegment {
    WorkSegment(
      item: item, place: place, posted: ms(posted), poster: poster, began: ms(span.lowerBound),
      ended: ms(span.upperBound), cpu: ms(cpu ?? Int64(span.count)), blocked: 0)
  }

  private let items = [0, 1, 1].map { MeasuredItem(workload: $0, number: 0, arrival: .zero) }

  @Test func `each item has the time up to its hand-back`() {
    let split = SplitPieces(
      [
        Self.segment(1, "main", posted: 0, 0..<1),
        Self.segment(1, Measured.pool, posted: 1, 2..<14),
        Self.segment(1, "main", posted: 12, by: 1, 20..<21),
        Self.segment(2, "main", posted: 13, by: 1, 21..<22),
        Self.segment(3, "main", posted: 14, by: 1, 22..<23),
      ], items: items)
    #expect(split.segments.map(\.item) == [1, 2, 3])
    #expect(split.segments.map(\.cpu) == [Self.ms(10), Self.ms(1), Self.ms(1)])
    #expect(split.uncertain.isEmpty)
  }

  @Test func `a piece of one item stays whole`() {
    let own = [
      Self.segment(1, Measured.pool, posted: 1, 2..<10),
      Self.segment(1, "main", posted: 5, by: 1, 20..<21),
      Self.segment(2, "main", posted: 5, by: 2, 21..<22),
    ]
    let split = SplitPieces(own, items: items)
    #expect(split.segments.map(\.cpu) == [Self.ms(8)])
  }

  @Test func `times in a shared piece that was interrupted are uncertain`() {
    let split = SplitPieces(
      [
        Self.segment(1, Measured.pool, posted: 1, 0..<10, cpu: 5),
        Self.segment(2, Measured.main, posted: 9, by: 1, 20..<21),
      ], items: items)
    #expect(split.uncertain == [0, 1])
    #expect(split.segments.reduce(0) { $0 + $1.cpu } == Self.ms(5))
  }
}
