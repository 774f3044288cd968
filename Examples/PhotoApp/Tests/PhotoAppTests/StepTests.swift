import FrameBudgetTesting
import Foundation
import PhotoApp
import SchedulableObjects
import Testing

/// Forty photos at once each second, and taps meanwhile that are to be answered within 100 ms.
///
/// These expectations also hold on a busy machine, where a verdict may be unsure but is not wrong. On an otherwise idle machine,
/// PHOTOAPP_QUIET=1 also checks the verdicts.
@Suite(.serialized) @MainActor struct PhotoAppSteps {
  @Test func `step 1, the main thread: hangs`() async throws {
    let step = try await measured("main-thread", under: "")
    #expect(step.frames != .met, "\(step.report)")
    if Self.isQuiet { #expect(step.frames == .missed) }
  }

  @Test func `step 2, slices of it: keeps the frames, as long as each photo fits`() async throws {
    let step = try await measured("sliced", under: "yield")
    #expect(step.frames != .missed && step.answers != .missed, "\(step.report)")
    if Self.isQuiet { #expect(step.frames == .met && step.answers == .met) }
  }

  @Test func `step 3, a thread that keeps the order: keeps the frames, and taps wait`() async throws
  {
    let step = try await measured("ordered", under: "photos: thumbnail")
    #expect(step.frames != .missed && step.answers != .met, "\(step.report)")
    if Self.isQuiet { #expect(step.frames == .met && step.answers == .missed) }
  }

  @Test func `step 4, a thread of low priority that taps overtake: keeps both`() async throws {
    let step = try await measured("overtaking", under: "photos nice=10 overtaking: thumbnail")
    #expect(step.frames != .missed && step.answers != .missed, "\(step.report)")
    if Self.isQuiet { #expect(step.frames == .met && step.answers == .met) }
  }

  private static let photos = (0..<40).map { Photo($0) }
  private static let isQuiet = environment["PHOTOAPP_QUIET"] == "1"
  private static let environment = ProcessInfo.processInfo.environment

  private func measured(_ step: String, under arrangement: String) async throws -> MeasuredStep {
    let photos = try await Photos(AppArrangement(arrangement))
    let report = try await measureFrames(
      at: .hz(60), drawing: .milliseconds(4), for: .seconds(2), test: step
    ) { app in
      app.workload("import", .every(.seconds(1))) { _ in photos.add(Self.photos) }
      app.workload("tap", .every(.milliseconds(170)), respondWithin: .milliseconds(100)) {
        try await photos.select($0)
      }
    }
    await photos.close()
    let step = MeasuredStep(report)
    print(step)
    if let folder = Self.environment["PHOTOAPP_OUTPUT"] {
      try report.writeScenario(to: "\(folder)/\(report.test).yaml")
    }
    return step
  }
}

/// The result of a step, and its price.
private struct MeasuredStep: CustomStringConvertible {
  let report: FrameReport
  let frames, answers: FrameVerdict

  init(_ report: FrameReport) {
    self.report = report
    frames = report.verdict(.droppedFrames, atMost: 0)
    answers = report.verdict(.lateResponses, atMost: 0)
  }

  /// A row of the table in the tutorial: dropped frames measured and predicted in percent, the verdicts, then how long a tap
  /// waits at worst, the main thread for an import, and how often an import changes its thread or yields.
  var description: String {
    let pieces = report.closures[0].places.reduce(0) { $0 + $1.segments }
    let cells = [
      report.test, number(report.measured(.droppedPercent)),
      number(report.predicted(.droppedPercent)),
      frames.rawValue, answers.rawValue, number(report.predicted(.longestResponse)),
      number(report.closures[0].longestOnMain / .milliseconds(1)),
      number(report.closures[0].main / .milliseconds(1)),
      "\(pieces / max(1, report.closures[0].items))",
    ]
    return "| " + cells.joined(separator: " | ") + " |"
  }

  private func number(_ value: Double?) -> String {
    value.map { "\(($0 * 10).rounded() / 10)" } ?? "none"
  }
}
