import SchedulableThreads
import Foundation
import FrameBudget
import SchedulableObjects
import TestSupport
import Testing

@testable import FrameBudgetTesting

extension Measuring {
  /// The order in which frames and items use the main thread.
  struct LoopTests {
    @Test @MainActor func `a job posted by a closure runs after the closures that already wait`()
      async throws
    {
      let catalogue = Catalogue()
      _ = try await measureFrames(for: .milliseconds(200)) { app in
        app.workload("post", .once(at: .milliseconds(20), count: 20)) { item in
          catalogue.add(item, taking: .zero)
          Task { catalogue.add(20 + item, taking: .zero) }
        }
      }
      #expect(catalogue.photos == Array(0..<40))
    }

    @Test @MainActor
    func `with one event per turn, a job posted by a closure runs before the next closure`()
      async throws
    {
      let catalogue = Catalogue()
      let report = try await measureFrames(for: .milliseconds(200), loop: MainLoop.Events()) {
        app in
        app.workload("post", .once(at: .milliseconds(20), count: 20)) { item in
          catalogue.add(2 * item, taking: .zero)
          Task { catalogue.add(2 * item + 1, taking: .milliseconds(1)) }
        }
      }
      #expect(catalogue.photos == Array(0..<40))
      // The time of the job is charged to the item.
      #expect(report.closures[0].main.milliseconds >= 0.99, "\(report)")
      #expect(report.closures[0].places.map(\.name) == ["main"])
    }

    @Test @MainActor func `work that an earlier measurement has left is not charged to an item`()
      async throws
    {
      let files = try ThreadScheduler(name: "files")
      let main = MainActorScheduler()
      _ = try await measureFrames(for: .milliseconds(100)) { app in
        app.workload("leave", .once(at: .zero, count: 60)) { item in
          files.schedule { burn(.milliseconds(5)) }
          if item == 0 {
            main.schedule(every: .milliseconds(10)) { burn(.milliseconds(2)) }
          }
        }
      }
      let report = try await measureFrames(for: .milliseconds(100)) { app in
        app.workload("stay", .once(at: .zero, count: 60)) { _ in }
      }
      await main.shutdown(.drop)
      await files.shutdown(.drop)
      #expect(report.closures[0].places.map(\.name) == ["main"], "\(report)")
      #expect(report.closures[0].main.milliseconds < 1, "\(report)")
    }

    @Test @MainActor func `a suspended closure resumes before the closures behind it`()
      async throws
    {
      let catalogue = Catalogue()
      _ = try await measureFrames(for: .milliseconds(500), loop: MainLoop.Events()) { app in
        app.workload("pause", .once(at: .milliseconds(20), count: 20)) { item in
          catalogue.add(2 * item, taking: .milliseconds(5))
          await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            Task { continuation.resume() }
          }
          catalogue.add(2 * item + 1, taking: .zero)
        }
      }
      // It returns through the pool, which takes less time than the 19 closures behind it.
      let first = try #require(catalogue.photos.firstIndex(of: 1))
      let last = try #require(catalogue.photos.firstIndex(of: 38))
      #expect(first < last, "\(catalogue.photos)")
    }

    @Test @MainActor func `blocks on the main queue run between closures`()
      async throws
    {
      let order = Recorder<Int>()
      _ = try await measureFrames(for: .milliseconds(300), loop: MainLoop.Events()) { app in
        app.workload("add", .once(at: .milliseconds(20), count: 50)) { item in
          if item == 0 { DispatchQueue.main.async { order.add(-1) } }
          burn(.milliseconds(1))
          order.add(item)
        }
      }
      let place = try #require(order.all.firstIndex(of: -1))
      #expect(place < 10, "\(order.all)")
    }
  }

  struct LoopWatchTests {
    @Test func `reports a stuck loop once, and a loop that returns never`() async throws {
      let told = Recorder<Int>()
      let watch = try LoopWatch(stallTimeout: 2_000_000_000, room: 200) { told.add(1) }
      for _ in 0..<10 {
        watch.loopReturned(at: ThreadUse.clock)
        keepThread(.milliseconds(20))
      }
      #expect(told.all.isEmpty)
      #expect(await eventually { !told.all.isEmpty })
      keepThread(.milliseconds(100))
      #expect(told.count == 1 && !watch.isOver)
      #expect(!watch.end().isEmpty)
      #expect(watch.isOver)
    }
  }
}
