internal import Advice
internal import Foundation
internal import FrameBudget
internal import Learning
internal import Recordings
internal import Replaying
internal import Simulation

/// Recordings of the page of `make browser`, and what those of its first variant, with everything on the main thread, let
/// predict of all others.
struct PageSeries {
  private let folder: URL
  private let variants: [PageVariant]
  private(set) var rows: [PageOutcome] = []
  /// What is advised for the first variant, as its first recording shows it.
  private(set) var advice: PageAdvice?

  /// - Parameters:
  ///   - folder: where `VARIANT-RUN.json.gz` are.
  ///   - variants: those that were recorded.
  /// - Throws: what a recording lacks, or is too much for a scenario.
  init(_ folder: URL, _ variants: [PageVariant]) throws {
    (self.folder, self.variants) = (folder, variants)
    guard let source = variants.first else { return }
    let learned = try learners(of: source)
    guard let first = learned.first else { throw NoRecording(folder: folder) }
    let advice = try PageAdvice(LearnedReplay(first.learner).scenario)
    self.advice = advice
    let advised = advice.placement.map { PageVariant(name: PageVariant.advised, placement: $0) }
    for variant in variants + [advised].compactMap(\.self) {
      let recorded = variant == source ? learned : try learners(of: variant)
      rows += recorded.map { run, learner in
        PageOutcome(
          variant: variant.name, placement: variant.placement, kind: .recorded, run: run,
          figures: PageFigures(
            wanted: learner.wantedFrames, dropped: learner.droppedFrames,
            lateBegins: learner.lateBegins))
      }
      rows += try learned.map { run, learner in
        PageOutcome(
          variant: variant.name, placement: variant.placement, kind: .predicted, run: run,
          figures: try Self.prediction(learner, variant))
      }
    }
  }

  private func learners(of variant: PageVariant) throws -> [(run: Int, learner: Learner)] {
    var learners: [(run: Int, learner: Learner)] = []
    while case let run = learners.count + 1,
      case let file = folder.appending(component: "\(variant.name)-\(run).json.gz"),
      FileManager.default.fileExists(atPath: file.path)
    {
      let recording = try RecordingFile.read(path: file.path)
      guard let learner = Learner(recording, name: variant.name, source: file.lastPathComponent)
      else { throw RecordingTable.NothingLearned(file: file.lastPathComponent) }
      learners.append((run, learner))
    }
    return learners
  }

  private static func prediction(
    _ learner: Learner, _ variant: PageVariant
  ) throws -> PageFigures {
    let name = "of-the-page"
    let replay = try LearnedReplay(
      learner, adding: variant.placement.strategy(named: name))
    guard let log = replay.run(name, detail: .summary) else {
      preconditionFailure("a strategy that was added is one of the scenario's")
    }
    let frames = RunMetrics(log).frames
    return PageFigures(
      wanted: frames.expected, dropped: frames.dropped, lateBegins: frames.lateBegins)
  }

  struct NoRecording: Error, CustomStringConvertible {
    let folder: URL
    var description: String { "\(folder.path) has no recording of the page" }
  }
}

/// What is advised for the page, and where the page has its services then.
struct PageAdvice {
  let words: [String]
  /// Nil where there is nothing to change, and where no page can do it.
  let placement: PagePlacement?
  /// Why there is none.
  let reason: String

  init(_ scenario: Scenario) throws {
    let proposals = scenario.strategies.first.map { today in
      var request = AdviceRequest(scenario, today: today)
      // What is in no service of the page is the page's own: its timers, and what takes results in.
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
