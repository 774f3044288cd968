internal import FrameBudget

/// The numbers of a run at one moment, under the definitions of `MetricCatalog`.
struct Figures: Hashable, Sendable {
  var at = Instant.zero
  var dropped = 0
  var droppedPercent: Double?
  var droppedLastSecond = 0
  var hitchRatio: Double?
  var averageFPS: Double?
  var frameTime = Quantiles()
  var done: Int?
  var pending: Int?
  var perSecond: Double?
  var queueDepth: Int?
  var response: Responses?
  var responsesLate = 0
  var lockWait = TimeSpan.zero
  var longestLockWait = TimeSpan.zero
  var mainPercent: Double?
  var backgroundPercent: Double?
  var dropsByCause: [Int] = []

  /// In milliseconds.
  struct Quantiles: Hashable, Sendable {
    var p50: Double?
    var p95: Double?
    var p99: Double?
    var max: Double?

    init(_ sample: Percentiles = Percentiles([])) {
      p50 = sample.quantile(0.5).map { $0 / 1e6 }
      p95 = sample.quantile(0.95).map { $0 / 1e6 }
      p99 = sample.quantile(0.99).map { $0 / 1e6 }
      max = sample.quantile(1).map { $0 / 1e6 }
    }
  }

  /// In milliseconds; lower bounds where somebody still waits.
  struct Responses: Hashable, Sendable {
    var p50: Observation?
    var p99: Observation?
    var max: Observation?

    init(_ waits: Waits) {
      func milliseconds(_ q: Double) -> Observation? {
        waits.quantile(q).map { Observation($0.value / 1e6, isBound: $0.isBound) }
      }
      p50 = milliseconds(0.5)
      p99 = milliseconds(0.99)
      max = milliseconds(1)
    }
  }

  init() {}

  init(_ run: RunModel, at now: Instant) {
    at = now
    let frames = run.shown
    dropped = frames.dropped
    droppedPercent = frames.droppedPercent
    droppedLastSecond = frames.droppedLastSecond
    dropsByCause = frames.drops
    hitchRatio = frames.hitchRatio
    averageFPS = frames.averageFPS
    frameTime = Quantiles(frames.frameTimes)
    queueDepth = run.frames.last?.queueDepth
    if run.knowsItems {
      done = run.done
      pending = run.pending
      perSecond = run.recent.donePerSecond
    }
    response = run.awaitsResponses ? Responses(run.responses) : nil
    responsesLate = run.responsesLate
    lockWait = run.lockWait
    longestLockWait = run.longestLockWait
    mainPercent = run.recent.mainPercent
    backgroundPercent = run.recent.backgroundPercent
  }

  /// Apple's bands for scrolling.
  var band: HitchBand? { hitchRatio.map(HitchBand.init) }
}

extension HitchBand {
  var ink: Ink {
    switch self {
    case .good: .good
    case .fair: .fair
    case .poor: .poor
    }
  }
}
