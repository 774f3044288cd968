import Foundation
import FrameBudgetTesting
import TestSupport
import Testing

extension Measuring {
  struct MeasurementErrorTests {
    @Test(arguments: ["", "two words", "a/b", String(repeating: "x", count: 41)])
    func `a name that is invalid in scenarios is refused`(name: String) async {
      #expect(await reason { $0.workload(name, .every(.seconds(1))) { _ in } } == .badName(name))
    }

    @Test func `invalid workloads are reported before anything runs`() async {
      #expect(
        await reason {
          $0.workload("a", .every(.seconds(1))) { _ in }
          $0.workload("a", .every(.seconds(1))) { _ in }
        } == .sameName("a"))
      #expect(await reason { $0.workload("a", .every(.zero)) { _ in } } == .badArrival("a"))
      #expect(
        await reason { $0.workload("a", .batch(0, every: .seconds(1))) { _ in } }
          == .badArrival("a"))
      #expect(await reason { _ in } == .nothingToMeasure)
      #expect(await reason(drawing: .milliseconds(1)) { $0.frame {} } == .twoDrawings)
      #expect(await reason(for: .milliseconds(50)) { $0.frame {} } == .badDuration)
    }

    @Test func `an error thrown by a closure ends the measurement`() async {
      struct Full: Error {}
      let found = await reason {
        $0.workload("add", .every(.milliseconds(20))) { if $0 == 2 { throw Full() } }
      }
      #expect(found == .failed(workload: "add", item: 2, error: "Full()"))
    }

    @Test func `a closure that never ends is named`() async {
      let found = await reason(patience: .milliseconds(300)) { app in
        app.workload("add", .once(at: .zero)) { _ in }
        app.workload("wait", .once(at: .milliseconds(10), count: 2)) { _ in
          try await Task.sleep(for: .seconds(2))
        }
      }
      #expect(found == .neverEnded(workload: "wait", item: 0, count: 2, seconds: 0.3))
    }

    @Test func `a closure that blocks the main thread is named while it blocks`() async {
      let began = ContinuousClock.now
      let found = await reason(patience: .milliseconds(300)) {
        $0.workload("load", .once(at: .zero)) { _ in keepThread(.seconds(3)) }
      }
      #expect(found == .mainThreadBlocked(workload: "load", item: 0, seconds: 0.3))
      #expect(ContinuousClock.now - began < .seconds(2.5))
    }

    @Test func `a main actor that nothing serves is reported`() async {
      // Runs after the previous test, whose loop may still have to leave the main actor.
      #expect(await reason { _ in } == .nothingToMeasure)
      let free = DispatchSemaphore(value: 0)
      let taken = DispatchSemaphore(value: 0)
      DispatchQueue.main.async {
        taken.signal()
        free.wait()
      }
      await withCheckedContinuation { continuation in
        DispatchQueue.global().async {
          taken.wait()
          continuation.resume()
        }
      }
      let found = await reason(patience: .milliseconds(300)) {
        $0.workload("add", .once(at: .zero)) { _ in }
      }
      free.signal()
      #expect(found == .noMainActor(seconds: 0.3))
    }

    @Test func `a frame that blocks the main thread is named while it blocks`() async {
      let found = await reason(patience: .milliseconds(300)) {
        $0.frame { keepThread(.seconds(1)) }
      }
      #expect(found == .frameBlocked(seconds: 0.3))
    }

    @Test func `a measurement within a closure of another one is refused`() async {
      let inner = Recorder<MeasurementError.Reason?>()
      let outer = await reason {
        $0.workload("measure", .once(at: .zero)) { _ in
          inner.add(await reason { $0.workload("add", .once(at: .zero)) { _ in } })
        }
      }
      #expect(outer == nil && inner.all == [.nested])
    }

    @Test func `a measurement that waits for its last items can be cancelled, and they are too`()
      async
    {
      let began = Recorder<Bool>()
      let ended = Recorder<Bool>()
      let task = Task {
        await reason(patience: .seconds(60)) {
          $0.workload("wait", .once(at: .zero)) { _ in
            began.add(true)
            try? await Task.sleep(for: .seconds(3600))
            ended.add(Task.isCancelled)
          }
        }
      }
      #expect(await eventually { began.count == 1 })
      // Longer than the measurement, so that it waits for its item.
      try? await Task.sleep(for: .milliseconds(400))
      task.cancel()
      #expect(await task.value == .cancelled)
      #expect(await eventually { ended.all == [true] })
    }

    @Test func `a measurement can be cancelled`() async {
      let task = Task {
        await reason(for: .seconds(60)) { $0.workload("add", .every(.seconds(1))) { _ in } }
      }
      try? await Task.sleep(for: .milliseconds(100))
      task.cancel()
      #expect(await task.value == .cancelled)
    }

    @Test func `errors name the test and the remedy`() async throws {
      let error = await error { $0.workload("", .every(.seconds(1))) { _ in } }
      let text = try #require(error?.description)
      #expect(text.hasPrefix("the test: ") && text.contains("letters"))
    }

    private func reason(
      drawing: Duration = .zero, for duration: Duration = .milliseconds(200),
      patience: Duration = .seconds(30), _ build: @escaping @MainActor (FrameApp) -> Void
    ) async -> MeasurementError.Reason? {
      await error(drawing: drawing, for: duration, patience: patience, build)?.reason
    }

    private func error(
      drawing: Duration = .zero, for duration: Duration = .milliseconds(200),
      patience: Duration = .seconds(30), _ build: @escaping @MainActor (FrameApp) -> Void
    ) async -> MeasurementError? {
      do throws(MeasurementError) {
        _ = try await measureFrames(
          drawing: drawing, for: duration, patience: patience, test: "the test", build)
        return nil
      } catch {
        return error
      }
    }
  }
}
