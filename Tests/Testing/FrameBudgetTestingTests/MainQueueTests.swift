import Foundation
import FrameBudget
import FrameBudgetTesting
import TestSupport
import Testing

extension Measuring {
  /// Ways to put work on the main thread with known results: at 60 Hz, with 4 ms of drawing. In a test process on Linux
  /// nothing runs the main run loop, so its timers and blocks are not among them.
  struct MainQueueTests {
    enum Flood: CaseIterable {
      case items, mainQueue, tasks, detachedTasks, delayedBlocks, longBlocks
    }

    /// A hundred milliseconds at once each second, or 50 ms each half second.
    @Test(arguments: Flood.allCases)
    @MainActor func `the verdict on a flood of the main thread is never met`(_ flood: Flood)
      async throws
    {
      let poster = flood == .longBlocks ? Poster(every: 0.5, taking: .milliseconds(50)) : nil
      defer { poster?.stop() }
      let report = try await measureFrames(
        at: .hz(60), drawing: .milliseconds(4), for: .seconds(3)
      ) { app in
        app.workload("post", .batch(flood == .items ? 100 : 1, every: .seconds(1))) { _ in
          Self.post(flood)
        }
      }
      #expect(report.verdict(.droppedFrames, atMost: 0) == .missed, "\(report)")
      #expect(try #require(report.measured(.droppedFrames)) >= 6, "\(report)")
    }

    private static func post(_ flood: Flood) {
      switch flood {
      case .items: burn(.milliseconds(1))
      case .mainQueue:
        for _ in 0..<100 { DispatchQueue.main.async { burn(.milliseconds(1)) } }
      case .tasks:
        for _ in 0..<100 { Task { @MainActor in burn(.milliseconds(1)) } }
      case .detachedTasks:
        Task.detached { for _ in 0..<100 { Task { @MainActor in burn(.milliseconds(1)) } } }
      case .delayedBlocks:
        for _ in 0..<100 {
          DispatchQueue.main.asyncAfter(deadline: .now() + 0.05) { burn(.milliseconds(1)) }
        }
      case .longBlocks: break
      }
    }

    @Test @MainActor
    func `operations of the main queue run one per turn, with frames between them`()
      async throws
    {
      let report = try await measureFrames(
        at: .hz(60), drawing: .milliseconds(4), for: .seconds(3)
      ) { app in
        app.workload("post", .every(.seconds(1))) { _ in
          for _ in 0..<100 { OperationQueue.main.addOperation { burn(.milliseconds(1)) } }
        }
      }
      #expect(report.verdict(.droppedFrames, atMost: 0) == .met, "\(report)")
      #expect(report.undeclared.total >= .milliseconds(290), "\(report)")
    }

    @Test @MainActor func `a little work by other code drops no frame`() async throws {
      let poster = Poster(every: 0.1, taking: .microseconds(200))
      defer { poster.stop() }
      let report = try await measureFrames(
        at: .hz(60), drawing: .milliseconds(4), for: .seconds(3)
      ) { $0.workload("none", .every(.seconds(1))) { _ in } }
      #expect(report.verdict(.droppedFrames, atMost: 0) == .met, "\(report)")
    }

    @Test @MainActor func `the verdict on a block that sleeps on the main thread is not met`()
      async throws
    {
      let report = try await measureFrames(
        at: .hz(60), drawing: .milliseconds(4), for: .seconds(2)
      ) { app in
        app.workload("post", .every(.seconds(1))) { _ in
          DispatchQueue.main.async { keepThread(.milliseconds(50)) }
        }
      }
      #expect(report.verdict(.droppedFrames, atMost: 0) != .met, "\(report)")
    }

    @Test @MainActor func `a loop that serves one event per turn runs frames between events`()
      async throws
    {
      let report = try await measureFrames(
        at: .hz(60), drawing: .milliseconds(4), for: .seconds(3), loop: MainLoop.Events()
      ) { app in
        app.workload("add", .batch(100, every: .seconds(1))) { _ in burn(.milliseconds(1)) }
      }
      #expect(report.verdict(.droppedFrames, atMost: 0) == .met, "\(report)")
    }
  }
}

/// Posts a block to the main queue, again and again, from a thread of its own: the next one when the one before has run, as on
/// a busy machine they would become ever more.
final class Poster: Sendable {
  private let isOver = Recorder<Bool>()

  init(every seconds: TimeInterval, taking span: Duration) {
    let isOver = isOver
    Thread.detachNewThread {
      while isOver.all.isEmpty {
        Thread.sleep(forTimeInterval: seconds)
        guard isOver.all.isEmpty else { return }
        let hasRun = DispatchSemaphore(value: 0)
        DispatchQueue.main.async {
          burn(span)
          hasRun.signal()
        }
        hasRun.wait()
      }
    }
  }

  func stop() { isOver.add(true) }
}
