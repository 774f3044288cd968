import Concurrency
import Foundation
import TestSupport
import Testing

@testable import FrameBudgetTesting

extension Measuring {
  /// Who has the main thread when.
  struct LoopTests {
    @Test @MainActor func `a job that a closure posts has its turn before the next closure`()
      async throws
    {
      let catalogue = Catalogue()
      let report = try await measureFrames(for: .milliseconds(200)) { app in
        app.workload("post", .once(at: .milliseconds(20), count: 20)) { item in
          catalogue.add(2 * item, taking: .zero)
          Task { catalogue.add(2 * item + 1, taking: .milliseconds(1)) }
        }
      }
      #expect(catalogue.photos == Array(0..<40))
      // What the job took is the item's.
      #expect(report.closures[0].main.milliseconds >= 0.99, "\(report)")
      #expect(report.closures[0].places.map(\.name) == ["main"])
    }

    @Test @MainActor func `a closure that suspends goes on before those that come behind it`()
      async throws
    {
      let catalogue = Catalogue()
      _ = try await measureFrames(for: .milliseconds(200)) { app in
        app.workload("pause", .once(at: .milliseconds(20), count: 20)) { item in
          catalogue.add(2 * item, taking: .zero)
          await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            Task { continuation.resume() }
          }
          catalogue.add(2 * item + 1, taking: .zero)
        }
      }
      // By way of two jobs, so one closure comes between at most.
      for item in 0..<20 {
        let (began, ended) = (
          try #require(catalogue.photos.firstIndex(of: 2 * item)),
          try #require(catalogue.photos.firstIndex(of: 2 * item + 1))
        )
        #expect(ended > began && ended - began <= 3, "\(catalogue.photos)")
      }
    }

    @Test @MainActor func `what comes to the main queue by other ways has its turn among closures`()
      async throws
    {
      let order = Recorder<Int>()
      _ = try await measureFrames(for: .milliseconds(300)) { app in
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

  struct PacerTests {
    @Test func `wakes a sleeper at its instant, not before`() async throws {
      let pacer = try Pacer(patience: 1_000_000_000, room: 10) {}
      for _ in 0..<3 {
        let instant = ThreadUse.clock + 5_000_000
        await pacer.sleep(until: instant)
        #expect(ThreadUse.clock >= instant)
      }
      _ = pacer.end()
    }

    @Test func `lets nobody sleep once it is over`() async throws {
      let pacer = try Pacer(patience: 1_000_000_000, room: 10) {}
      let sleeper = Task { await pacer.sleep(until: .max) }
      try await Task.sleep(for: .milliseconds(20))
      #expect(!pacer.isOver)
      _ = pacer.end()
      await sleeper.value
      await pacer.sleep(until: .max)
      #expect(pacer.isOver)
    }
  }
}
