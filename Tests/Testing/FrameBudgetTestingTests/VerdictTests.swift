import FrameBudget
import FrameBudgetTesting
import SchedulableObjects
import Testing

extension Measuring {
  struct VerdictTests {
    @Test @MainActor func `work that fits beside drawing keeps the frames`() async throws {
      let catalogue = Catalogue()
      let report = try await measureFrames(
        at: .hz(60), drawing: .milliseconds(2), for: .seconds(1)
      ) { app in
        app.workload("add", .every(.milliseconds(100))) {
          catalogue.add($0, taking: .milliseconds(1))
        }
      }
      #expect(catalogue.photos == Array(0..<10))
      #expect(report.verdict(.droppedFrames, atMost: 0) == .met, "\(report)")
      #expect(report.verdict(.itemsPending, atMost: 0) == .met, "\(report)")
    }

    @Test @MainActor func `an input has the metrics of interactions`() async throws {
      let catalogue = Catalogue()
      let report = try await measureFrames(
        at: .hz(60), drawing: .milliseconds(2), for: .seconds(1)
      ) { app in
        app.workload("tap", .every(.milliseconds(200)), input: true) {
          catalogue.add($0, taking: .milliseconds(5))
        }
        app.workload("other", .every(.milliseconds(300))) { _ in }
      }
      // Handlers of 5 ms and a wait for the vsync are at least one step of 8 ms.
      #expect(try #require(report.measured(.inp)) >= 8, "\(report)")
      #expect(try #require(report.predicted(.inp)) >= 8, "\(report)")
      #expect(report.measured(try ReportedMetric("interactions")) == 5)
      #expect(report.verdict(.inp, atMost: 4) == .missed, "\(report)")
      #expect(report.verdict(.inp, atMost: 60_000) != .missed, "\(report)")
      #expect(report.verdict(.hitchTimeRatio, atMost: 1000) != .missed, "\(report)")
    }

    @Test @MainActor func `a batch that takes several periods drops frames, in every resample`()
      async throws
    {
      let catalogue = Catalogue()
      let report = try await measureFrames(
        at: .hz(60), drawing: .milliseconds(2), for: .seconds(1)
      ) { app in
        app.workload("add", .batch(1, every: .milliseconds(500))) {
          catalogue.add($0, taking: .milliseconds(70))
        }
      }
      #expect(report.verdict(.droppedFrames, atMost: 0) == .missed, "\(report)")
      #expect(report.verdict(.droppedFrames, atLeast: 60) == .missed, "\(report)")
      // Two items of more than four periods each; less where the machine was at times quicker than mostly.
      let range = try #require(report.range(.droppedFrames))
      #expect(range.lowerBound > 0 && (6...10).contains(range.upperBound), "\(report)")
      #expect(report.closures[0].main.milliseconds >= 69)
    }

    @Test @MainActor func `a limit inside the range leaves it unsure`() async throws {
      let catalogue = Catalogue()
      let report = try await measureFrames(
        at: .hz(60), drawing: .milliseconds(2), for: .seconds(1)
      ) { app in
        // Whether this drops a frame depends on its position between two vsyncs.
        app.workload("add", .every(.milliseconds(250))) {
          catalogue.add($0, taking: .milliseconds(9))
        }
      }
      let range = try #require(report.range(.frameTime))
      let middle = (range.lowerBound + range.upperBound) / 2
      #expect(range.lowerBound < range.upperBound)
      #expect(report.verdict(.frameTime, atMost: middle) == .unsure, "\(report)")
      #expect(report.verdict(.frameTime, atLeast: middle) == .unsure, "\(report)")
    }

    @Test @MainActor func `work after a suspension counts for the main thread too`() async throws {
      let (catalogue, indexer) = (Catalogue(), Indexer())
      let report = try await measureFrames(
        at: .hz(60), drawing: .milliseconds(2), for: .seconds(1)
      ) { app in
        app.workload("index", .batch(1, every: .milliseconds(500))) { _ in
          let number = await indexer.index(taking: .milliseconds(5))
          catalogue.add(number, taking: .milliseconds(70))
        }
      }
      #expect(report.verdict(.droppedFrames, atMost: 0) == .missed, "\(report)")
      let closure = try #require(report.closures.first)
      #expect(closure.main.milliseconds >= 69 && closure.main.milliseconds < 100, "\(report)")
      #expect(closure.elsewhere.milliseconds >= 4.9, "\(report)")
      #expect(closure.places.map(\.name) == ["main", "pool"])
    }

    @Test @MainActor func `work on an actor drops no frame`() async throws {
      let indexer = Indexer()
      let report = try await measureFrames(
        at: .hz(60), drawing: .milliseconds(2), for: .seconds(1), cores: 2
      ) { app in
        app.workload("index", .batch(4, every: .milliseconds(500))) { _ in
          _ = await indexer.index(taking: .milliseconds(30))
        }
      }
      #expect(await indexer.count == 8)
      #expect(report.verdict(.droppedFrames, atMost: 0) == .met, "\(report)")
      // Four of 30 ms one after the other.
      let content = try #require(report.predicted(.contentTime))
      #expect(content >= 115 && content <= 220, "\(report)")
    }

    @Test @MainActor func `events of schedulable objects are measured where they run`() async throws
    {
      let scheduler = try ThreadScheduler(name: "files", nice: 5)
      let catalogue = try await scheduler.assemble { here in here.bind(Catalogue()) }
      let report = try await measureFrames(
        at: .hz(60), drawing: .milliseconds(2), for: .seconds(1), cores: 2
      ) { app in
        app.workload("add", .batch(4, every: .milliseconds(500))) { item in
          try await catalogue.call { $0.add(item, taking: .milliseconds(30)) }
        }
        app.workload("note", .every(.milliseconds(250))) { item in
          catalogue.schedule(priority: .user) { $0.add(100 + item, taking: .milliseconds(2)) }
        }
      }
      await scheduler.shutdown()
      #expect(report.verdict(.droppedFrames, atMost: 0) == .met, "\(report)")
      let (add, note) = (report.closures[0], report.closures[1])
      #expect(add.elsewhere.milliseconds >= 29.9, "\(report)")
      #expect(note.elsewhere.milliseconds >= 1.9 && note.elsewhere.milliseconds < 10, "\(report)")
      // A call returns through the pool.
      for closure in [add, note] {
        #expect(closure.places.map(\.name).starts(with: ["main", "files"]), "\(closure)")
      }
    }

    @Test @MainActor func `events on the main queue's scheduler are work of the main thread`()
      async throws
    {
      let main = MainActorScheduler(name: "view")
      let catalogue = try await main.assemble { here in here.bind(Catalogue()) }
      let report = try await measureFrames(
        at: .hz(60), drawing: .milliseconds(2), for: .seconds(1), cores: 2
      ) { app in
        app.workload("add", .every(.milliseconds(500))) { item in
          catalogue.schedule { $0.add(item, taking: .milliseconds(60)) }
        }
      }
      await main.shutdown()
      let add = report.closures[0]
      #expect(add.places.map(\.name) == ["main"], "\(add)")
      #expect(add.main.milliseconds >= 59.9 && add.elsewhere == .zero, "\(report)")
      #expect(add.longestOnMain.milliseconds >= 59.9, "\(report)")
      #expect(report.closures.count == 1, "it is not undeclared work, too: \(report)")
      #expect(report.verdict(.droppedFrames, atMost: 0) == .missed, "\(report)")
    }

    /// The resumed task may be faster than the thread that resumed it, and the measurement used to end with that thread.
    @Test @MainActor func `an event that outlasts its item and the measurement is measured`()
      async throws
    {
      let scheduler = try ThreadScheduler(name: "files")
      let catalogue = try await scheduler.assemble { here in here.bind(Catalogue()) }
      let report = try await measureFrames(for: .milliseconds(100)) { app in
        app.workload("tap", .once(at: .milliseconds(20))) { _ in
          await withCheckedContinuation { (over: CheckedContinuation<Void, Never>) in
            catalogue.schedule { _ in
              over.resume()
              keepThread(.milliseconds(200))
            }
          }
        }
      }
      await scheduler.shutdown()
      #expect(report.closures[0].places.map(\.name).contains("files"), "\(report)")
    }

    @Test @MainActor func `a call to a busy actor waits for its earlier calls`() async throws {
      let indexer = Indexer()
      let report = try await measureFrames(
        at: .hz(60), drawing: .milliseconds(2), for: .seconds(1), cores: 2
      ) { app in
        app.workload("import", .once(at: .milliseconds(150))) { _ in
          _ = await indexer.index(taking: .milliseconds(400))
        }
        app.workload("tap", .every(.milliseconds(170)), respondWithin: .milliseconds(100)) { _ in
          _ = await indexer.index(taking: .zero)
        }
      }
      #expect(report.verdict(.droppedFrames, atMost: 0) == .met, "\(report)")
      #expect(report.verdict(.lateResponses, atMost: 0) == .missed, "\(report)")
      // The taps of 170 and 340 ms come behind the import, by more than they may.
      let late = try #require(report.range(.lateResponses))
      #expect((2...3).contains(late.upperBound), "\(report)")
      let waited = try #require(report.predicted(.longestResponse))
      #expect(waited >= 370 && waited < 480, "\(report)")
    }

    @Test @MainActor func `a more urgent event overtakes posted ones`() async throws {
      let scheduler = try ThreadScheduler(name: "files", nice: 5)
      let catalogue = try await scheduler.assemble { here in here.bind(Catalogue()) }
      let report = try await measureFrames(
        at: .hz(60), drawing: .milliseconds(2), for: .seconds(1), cores: 2
      ) { app in
        app.workload("import", .every(.milliseconds(500))) { _ in
          for photo in 0..<40 { catalogue.schedule { $0.add(photo, taking: .milliseconds(4)) } }
        }
        app.workload("tap", .every(.milliseconds(170)), respondWithin: .milliseconds(100)) { item in
          try await catalogue.call(priority: .user) { $0.add(item, taking: .zero) }
        }
      }
      await scheduler.shutdown()
      #expect(report.verdict(.droppedFrames, atMost: 0) == .met, "\(report)")
      #expect(report.verdict(.lateResponses, atMost: 0) == .met, "\(report)")
      let waited = try #require(report.predicted(.longestResponse))
      #expect(waited < 60, "\(report)")
    }

    @Test(arguments: [(16, Duration.milliseconds(4)), (100, .milliseconds(1))])
    @MainActor func `frames run between the pieces of a closure that yields`(
      pieces: Int, span: Duration
    ) async throws {
      let catalogue = Catalogue()
      let report = try await measureFrames(
        at: .hz(60), drawing: .milliseconds(2), for: .seconds(1)
      ) { app in
        app.workload("slices", .every(.milliseconds(500))) { _ in
          for piece in 0..<pieces {
            catalogue.add(piece, taking: span)
            await Task.yield()
          }
        }
      }
      #expect(report.verdict(.droppedFrames, atMost: 0) == .met, "\(report)")
      #expect(report.closures[0].longestOnMain.milliseconds < 60, "\(report)")
    }

    @Test @MainActor func `a drawing closure is measured frame by frame`() async throws {
      let catalogue = Catalogue()
      let report = try await measureFrames(at: .hz(60), for: .seconds(1)) { app in
        app.frame { burn(.milliseconds(20)) }
        app.workload("add", .every(.milliseconds(500))) { catalogue.add($0, taking: .zero) }
      }
      // Each frame takes more than a period.
      #expect(report.verdict(.droppedFrames, atMost: 5) == .missed, "\(report)")
      #expect(report.causes.map(\.name).contains("render"), "\(report)")
    }

    @Test @MainActor func `responses are compared with their time limits`() async throws {
      let report = try await measureFrames(
        at: .hz(60), drawing: .milliseconds(2), for: .seconds(1)
      ) { app in
        app.workload("tap", .every(.milliseconds(250)), respondWithin: .milliseconds(100)) { _ in }
        app.workload("slow", .once(at: .milliseconds(300)), respondWithin: .milliseconds(100)) {
          _ in
          try await Task.sleep(for: .milliseconds(300))
        }
      }
      #expect(report.verdict(.lateResponses, atMost: 0) == .missed, "\(report)")
      #expect(report.verdict(.lateResponses, atMost: 1) == .met, "\(report)")
      let longest = try #require(report.predicted(.longestResponse))
      #expect(longest >= 300, "\(report)")
    }

    @Test func `unknown metrics are refused, and metrics without values are unsure`() async throws {
      #expect(throws: MeasurementError.self) { try ReportedMetric("dropped_frame") }
      #expect(try ReportedMetric("dropped_frames") == .droppedFrames)
      let report = try await measureFrames(drawing: .milliseconds(1), for: .milliseconds(200)) {
        app in
        app.workload("none", .once(at: .zero)) { _ in }
      }
      // No user waits for an answer.
      #expect(report.verdict(.lateResponses, atMost: 0) == .unsure)
      #expect(report.test.hasPrefix("unknown metrics are refused"))
    }
  }
}
