internal import FrameBudgetAdvice
internal import Foundation
internal import FrameBudget
internal import FrameBudgetLearning
internal import FrameBudgetCaptures
internal import FrameBudgetScenarios
internal import FrameBudgetSimulation

/// Recordings of a page of `make browser`, and predictions for all other variants from those of its first variant, with
/// everything on the main thread.
struct PageSeries {
  private let folder: URL
  let page: String
  private(set) var rows: [PageOutcome] = []
  /// The advice for the first variant, from its first recording.
  private(set) var advice: PageAdvice?

  /// - Parameters:
  ///   - folder: the folder with `PAGE-VARIANT-RUN.json.gz`.
  ///   - page: its name.
  ///   - variants: the recorded variants of the page.
  /// - Throws: if a recording lacks something, or is too large for a scenario.
  init(_ folder: URL, _ page: String, _ variants: [PageVariant]) throws {
    (self.folder, self.page) = (folder, page)
    guard let source = variants.first else { return }
    let learned = try recordings(of: source)
    guard let first = learned.first else { throw NoRecording(folder: folder, page: page) }
    let advice = try PageAdvice(
      LearnedReplay(first.learned, overrides: Self.foresight(of: first.learned)).scenario)
    self.advice = advice
    let advised = advice.placement.map {
      PageVariant(page: page, name: PageVariant.advised, placement: $0)
    }
    var before = (placement: source.placement, recordings: learned)
    for variant in variants + [advised].compactMap(\.self) {
      let recorded = variant == source ? learned : try recordings(of: variant)
      rows += recorded.map { outcome(variant, .recorded, $0.run, $0.figures) }
      rows += try learned.map {
        outcome(variant, .predicted, $0.run, try Self.prediction($0.learned, variant))
      }
      if let added = variant.placement.added(to: before.placement) {
        rows += try before.recordings.map {
          outcome(variant, .continued, $0.run, try Self.prediction($0.learned, moving: added))
        }
      }
      if !variant.placement.workers.isEmpty {
        rows += try recorded.map {
          outcome(variant, .replayed, $0.run, try Self.prediction($0.learned, moving: []))
        }
      }
      before = (variant.placement, recorded)
    }
  }

  private func outcome(
    _ variant: PageVariant, _ kind: PageOutcome.Kind, _ run: Int, _ figures: PageFigures
  ) -> PageOutcome {
    PageOutcome(
      page: page, variant: variant.name, placement: variant.placement, kind: kind, run: run,
      figures: figures)
  }

  private struct PageRecording {
    let run: Int
    let learned: LearnedScenario
    /// As measured by the page.
    let answer: Double?

    var figures: PageFigures {
      PageFigures(
        wanted: learned.wantedFrames, dropped: learned.droppedFrames,
        lateBegins: learned.lateBegins, answer: answer)
    }
  }

  private func recordings(of variant: PageVariant) throws -> [PageRecording] {
    var recordings: [PageRecording] = []
    while case let run = recordings.count + 1,
      case let name = "\(page)-\(variant.name)-\(run)",
      case let file = folder.appending(component: "\(name).json.gz"),
      FileManager.default.fileExists(atPath: file.path)
    {
      let recording = try RecordingFile.read(path: file.path)
      guard
        let learned = LearnedScenario(
          recording, name: variant.name, source: file.lastPathComponent)
      else { throw RecordingTable.NothingLearned(file: file.lastPathComponent) }
      let answer = try? String(
        contentsOf: folder.appending(component: "\(name).answers"), encoding: .utf8)
      recordings.append(
        PageRecording(
          run: run, learned: learned,
          answer: answer.flatMap { Double($0.trimmingCharacters(in: .whitespacesAndNewlines)) }))
    }
    return recordings
  }

  private static func prediction(
    _ learned: LearnedScenario, _ variant: PageVariant
  ) throws -> PageFigures {
    let name = "of-the-page"
    return try figures(
      learned, name, variant.placement.strategy(named: name, of: learned.services))
  }

  /// The prediction for an app whose `services` leave the main thread, one thread each. What is elsewhere already stays there.
  private static func prediction(
    _ learned: LearnedScenario, moving services: [String]
  ) throws -> PageFigures {
    let moves = services.map(LearnedScenario.moveStrategyName)
      .filter { AppChange.names(of: learned).contains($0) }
    let name = moves.isEmpty ? LearnedReplay.asRecorded : moves.joined(separator: "+")
    guard let change = AppChange(named: name, of: learned) else {
      preconditionFailure("names of changes are changes")
    }
    return try figures(learned, AppChange.strategyName, change.strategy(of: learned))
  }

  private static func figures(
    _ learned: LearnedScenario, _ name: String, _ strategy: String
  ) throws -> PageFigures {
    let replay = try LearnedReplay(learned, adding: strategy, overrides: foresight(of: learned))
    guard let log = replay.run(name, detail: .summary) else {
      preconditionFailure("a strategy that was added is one of the scenario's")
    }
    let frames = RunMetrics(log).frames
    return PageFigures(
      wanted: frames.expected, dropped: frames.dropped, lateBegins: frames.lateBegins,
      answer: answer(log, of: replay.scenario))
  }

  /// A recording does not say how much earlier the input of a part of drawing is known.
  private static func foresight(of learned: LearnedScenario) -> [Override] {
    let part = PagePlacement.part
    guard learned.parts.contains(part) else { return [] }
    return [Override(path: "ui.frame.\(part).ahead", value: "\(PagePlacement.mostAhead)")]
  }

  /// The answer time of the items that call services of the page.
  private static func answer(_ log: RunLog, of scenario: Scenario) -> Double? {
    let own = Set(
      scenario.workloads.filter { workload in
        workload.steps.contains {
          PagePlacement.services.contains(scenario.services[$0.service].name)
        }
      }.map(\.name))
    let items = log.items.filter { own.contains($0.workload) }
    let latencies = ItemMetrics(log, of: items).latencies
    return latencies.quantile(0.98).map { $0.value / 1e6 }
  }

  struct NoRecording: Error, CustomStringConvertible {
    let folder: URL
    let page: String
    var description: String { "\(folder.path) has no recording of the page \(page)" }
  }
}

/// The advice for the page, and where the page then runs its services.
struct PageAdvice {
  let words: [String]
  /// Nil if nothing has to change, or if no page can do it.
  let placement: PagePlacement?
  /// The reason why `placement` is nil.
  let reason: String

  init(_ scenario: Scenario) throws {
    let proposals = scenario.strategies.first.map { today in
      var request = AdviceRequest(scenario, today: today)
      // Work outside the page's services is the page's own: its timers, and the code that receives results.
      for service in scenario.services where !PagePlacement.services.contains(service.name) {
        request.kept[service.name] = .main
      }
      return Adviser(request).advice().proposals
    }
    guard let first = proposals?.first else {
      (words, placement, reason) = ([], nil, "there is no advice")
      return
    }
    words = first.trial.words
    do {
      placement = try PagePlacement(first.trial.arrangement, of: scenario)
      reason = ""
    } catch let unknown as PagePlacement.Unknown {
      (placement, reason) = (nil, unknown.description)
    }
  }
}
