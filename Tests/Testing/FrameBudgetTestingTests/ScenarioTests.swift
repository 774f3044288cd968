import Foundation
import FrameBudget
import FrameBudgetCaptures
import FrameBudgetParsing
import FrameBudgetScenarios
import SchedulableObjects
import FrameBudgetSimulation
import TestSupport
import Testing

@testable import FrameBudgetTesting

extension Measuring {
  struct WrittenScenarioTests {
    @Test @MainActor func `a written scenario can be read, and runs as predicted`()
      async throws
    {
      let (catalogue, indexer) = (Catalogue(), Indexer())
      let scheduler = try ThreadScheduler(name: "files")
      let files = try await scheduler.assemble { here in here.bind(Catalogue()) }
      let report = try await measureFrames(
        at: .hz(60), drawing: .milliseconds(3), for: .seconds(1), cores: 2
      ) { app in
        app.workload("file", .every(.milliseconds(300))) { _ in
          for file in 0..<5 { files.schedule { $0.add(file, taking: .milliseconds(2)) } }
        }
        app.workload("add", .batch(5, every: .milliseconds(500))) {
          catalogue.add($0, taking: .milliseconds(6))
        }
        app.workload("index", .every(.milliseconds(200)), respondWithin: .milliseconds(100)) { _ in
          let number = await indexer.index(taking: .milliseconds(4))
          catalogue.add(number, taking: .milliseconds(1))
        }
      }
      await scheduler.shutdown()
      let scratch = try Scratch()
      let path = scratch.path("out/app.yaml")
      try report.writeScenario(to: path)
      #expect(scratch.text("out/app.yaml")?.contains("await: false") == true)
      let scenario = try Self.read(path)
      #expect(scenario.name == "app")
      #expect(scenario.machine.cores == 2)
      let measured = try #require(scenario.strategies.first { $0.name == CostModel.strategyName })
      #expect(
        measured.arrangement == report.model.strategy(for: report.model.scenario()).arrangement)
      let log = VirtualEngine(costs: .none).run(RunPlan(scenario, under: measured))
      #expect(log.status == .complete)
      let metrics = RunMetrics(log)
      for metric in [ReportedMetric.droppedFrames, .frameTime, .contentTime, .lateResponses] {
        #expect(metrics[metric.name] == report.predicted(metric), "\(metric)")
      }
      // The others run it as well.
      for strategy in scenario.strategies {
        #expect(VirtualEngine().run(RunPlan(scenario, under: strategy)).status == .complete)
      }
    }

    @Test @MainActor func `a drawing closure becomes a column of frames`() async throws {
      let report = try await measureFrames(for: .milliseconds(300)) { app in
        app.frame { burn(.milliseconds(2)) }
      }
      let scratch = try Scratch()
      try report.writeScenario(to: scratch.path("frames.yaml"))
      let scenario = try Self.read(scratch.path("frames.yaml"))
      #expect(scenario.display.render == report.model.scenario().display.render)
      #expect(scenario.display.render.mean >= .milliseconds(2))
    }

    @Test @MainActor func `an error reports a folder that cannot be written`() async throws {
      let report = try await measureFrames(drawing: .milliseconds(1), for: .milliseconds(100)) {
        $0.workload("a", .once(at: .zero)) { _ in }
      }
      #expect(throws: MeasurementError.self) { try report.writeScenario(to: "/proc/none/app.yaml") }
    }

    private static func read(_ path: String) throws -> Scenario {
      let file = URL(filePath: path)
      let folder = file.deletingLastPathComponent()
      return try ScenarioFile.parse(Array(Data(contentsOf: file)), file: file.lastPathComponent) {
        (name, column) throws(ScenarioFile.RecordingError) in
        do {
          let bytes = Array(try Data(contentsOf: folder.appending(component: name)))
          return try RecordedColumn.durations(ByteSource(bytes, name: name), column: column)
        } catch {
          throw ScenarioFile.RecordingError("\(error)")
        }
      }
    }
  }
}
