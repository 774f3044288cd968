internal import FrameBudget

/// How much processor time the app asks for, and how much there is.
public struct Demand: Hashable, Sendable {
  /// What all items that arrive take, seconds of a full core.
  public let work: Double
  /// What drawing, reads, results and the second stage take, seconds of a full core.
  public let drawing: Double
  /// How long the run lasts, in seconds.
  public let duration: Double
  /// Full cores that there are.
  public let cores: Double

  /// Seconds of a full core in each second.
  public var perSecond: Double { (work + drawing) / duration }
  /// Whether there is not that much.
  public var isTooMuch: Bool { perSecond > cores }

  init(_ scenario: Scenario, work: Double) {
    duration = scenario.duration.inSeconds
    cores = Double(scenario.machine.speeds.reduce(0, +)) / 1000
    self.work = work
    let frames = Double(scenario.display.refresh.vsyncs(through: .zero + scenario.duration))
    let each =
      scenario.reads.reduce(scenario.display.render.mean.inSeconds) { $0 + $1.cpu.mean.inSeconds }
      + scenario.display.pipeline.compositor.mean.inSeconds
    drawing = scenario.display.frames.isOnDemand ? 0 : frames * each
  }
}
