import FrameBudgetTesting
import FrameBudgetTraits
import SchedulableObjects
import Testing

@testable import Client

@Suite(.measuresFrames) struct FrameTests {
  @Test @MainActor func `photos are added between frames`() async throws {
    let catalogue = Catalogue()
    let report = try await measureFrames(
      at: .hz(60), drawing: .milliseconds(2), for: .milliseconds(500)
    ) { app in
      app.workload("add", .batch(20, every: .milliseconds(100))) { catalogue.add($0) }
    }
    print(report)
    #expect(report.verdict(.droppedFrames, atMost: 0) != .missed)
    // A busy machine may leave some of the 100 for later.
    #expect((1...100).contains(report.closures[0].items), "\(report)")
  }

  @Test @MainActor func `fingerprints take no longer than the baseline`() async throws {
    let catalogue = Catalogue()
    let report = try await measureFrames(drawing: .milliseconds(1), for: .seconds(1)) { app in
      app.workload("fingerprint", .batch(5, every: .milliseconds(100))) {
        catalogue.add(Fingerprint.of($0))
      }
      app.workload("add", .batch(5, every: .milliseconds(100))) { catalogue.add($0) }
    }
    // Beside other processes the measured work may explain less than was dropped. The report then says so, and nothing is met.
    let expected: FrameVerdict = report.doubts.isEmpty ? .met : .unsure
    #expect(report.verdict(.droppedFrames, atMost: 60) == expected, "\(report)")
  }

  @Test func `an actor and a schedulable object are measured where they run`() async throws {
    let scheduler = try ThreadScheduler(name: "gallery")
    let gallery = try await scheduler.assemble { here in here.bind(Gallery()) }
    let hasher = Hasher()
    let report = try await measureFrames(for: .milliseconds(500)) { app in
      app.workload("hash", .every(.milliseconds(50))) { _ = await hasher.hash($0) }
      app.workload("file", .every(.milliseconds(50))) { photo in
        _ = try await gallery.call { $0.add(photo) }
      }
    }
    await scheduler.shutdown()
    let places = report.closures.map { $0.places.map(\.name) }
    #expect(places[0] == ["main", "pool"])
    // A call comes back by way of the pool.
    #expect(places[1].starts(with: ["main", "gallery"]))
    #expect(report.verdict(.droppedFrames, atMost: 0) != .missed)
  }
}
