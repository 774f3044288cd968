internal import FrameBudget

/// The numbers of a run at one moment, under the definitions of `MetricCatalog`.
struct Figures: Sendable {
  let at: Instant
  let frames: FrameMetrics
  /// Nil where nobody waits for any.
  let responses: Waits?
  let responsesLate: Int
  let done: Int?
  var pending: Int?
  let perSecond: Double?
  let queueDepth: Int?
  /// Frames begun and not yet shown, and how many there may be; nil where that is always the one under way.
  let inFlight: (frames: Int, buffers: Int)?
  let lockWait: TimeSpan
  let longestLockWait: TimeSpan
  let mainPercent: Double?
  let backgroundPercent: Double?

  init(_ run: RunModel, at now: Instant) {
    let knowsItems = run.knowsItems && run.now != nil
    at = now
    frames = run.shown
    responses = run.awaitsResponses && run.now != nil ? run.responses : nil
    responsesLate = run.responsesLate
    done = knowsItems ? run.done : nil
    pending = knowsItems ? run.pending : nil
    perSecond = knowsItems ? run.recent.donePerSecond : nil
    queueDepth = run.frames.last?.queueDepth
    inFlight = run.inFlight.flatMap { frames in run.buffers.map { (frames, $0) } }
    lockWait = run.lockWait
    longestLockWait = run.longestLockWait
    mainPercent = run.recent.mainPercent
    backgroundPercent = run.recent.backgroundPercent
  }

  /// In milliseconds.
  func frameTime(_ quantile: Quantile) -> Double? {
    Metric.frameTime(quantile).value(frames)?.number
  }

  /// From a frame's vsync to the one that shows it, in milliseconds.
  func presentTime(_ quantile: Quantile) -> Double? {
    Metric.presentTime(quantile).value(frames)?.number
  }

  /// In milliseconds; a lower bound where somebody still waits.
  func response(_ quantile: Quantile) -> Observation? {
    responses?.quantile(quantile.share).map {
      Observation($0.value / 1e6, isBound: $0.isBound)
    }
  }

  /// Apple's bands for scrolling.
  var band: Band? { frames.hitchRatio.map(Bands.hitches.band) }
}

extension Band {
  var ink: Ink {
    switch self {
    case .good: .good
    case .fair: .fair
    case .poor: .poor
    }
  }
}
