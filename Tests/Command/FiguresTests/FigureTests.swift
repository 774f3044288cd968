import FrameBudget
import FrameBudgetScenarios
import Testing

@testable import FrameBudgetReports

/// One figure, everywhere: each view and each file shows the same figures of the same runs.
@Suite(.serialized) struct FigureTests {
  static let metrics = [
    "dropped_frames", "hitch_max_ms", "hang_count", "low_1pct_fps", "frame_ms_p50", "frame_ms_p99",
  ]

  /// The runs of each strategy, and which of them are interrupted.
  static let repetitions: [(times: Int, cut: Set<Int>)] = [
    (1, []), (2, []), (3, []), (2, [1]), (3, [0]), (2, [0, 1]),
  ]

  private static let names = ShippedScenarios.all.map(\.name)

  /// Slow: makes up to three runs of each shipped scenario, in six combinations, and writes a page of each.
  @Test(arguments: names)
  func `each view of repeated runs shows the figures of one run, the same everywhere`(
    _ name: String
  ) throws {
    for (times, cut) in Self.repetitions {
      let runs = try RunsOfScenario.repeated(name, times: times, cut: cut, strategies: 2)
      let output = try View.Output(runs)
      for view in View.all {
        let shown = try view.read(runs, output)
        for label in runs.labels {
          let run = try runs.shown(of: label)
          let figures = try #require(shown[label])
          for (metric, texts) in figures {
            let expected = run.metrics[metric].map { view.printed(Double(written: $0)) }
            for text in texts {
              #expect(
                text == expected,
                "\(metric) of \(label) in \(view.name): \(times) runs, interrupted: \(cut.sorted())"
              )
            }
          }
          // A run in which no frame was due has no drops to show.
          let hasDrops = figures["dropped_frames"]?.isEmpty == false
          #expect(hasDrops || run.metrics.frames.expected == 0, "\(view.name), \(label)")
        }
      }
    }
  }

  /// Slow: writes and reads the files of each shipped scenario under all of its strategies.
  @Test(arguments: names)
  func `each file has the figures of each run`(_ name: String) throws {
    for cut in [[], [0]] as [Set<Int>] {
      let runs = try RunsOfScenario.repeated(name, times: 1, cut: cut, detail: .frames)
      for file in FileOfRuns.all {
        let read = try file.read(runs)
        #expect(read.count == runs.rows.count)
        for (run, figures) in zip(runs.rows, read) {
          for metric in Self.metrics {
            let expected = MetricCatalog.metric(metric)?.value(run.metrics)?.description
            // Frames alone do not say that none was due.
            guard figures[metric] != nil || !run.log.frames.records.isEmpty else { continue }
            #expect(
              figures[metric] == expected, "\(metric) of \(run.log.strategy.label) in \(file.name)")
          }
        }
      }
    }
  }
}

extension Double {
  /// `value` with the digits of files.
  fileprivate init(written value: Double) {
    self = Double(MetricValue.real(value).description) ?? value
  }
}
