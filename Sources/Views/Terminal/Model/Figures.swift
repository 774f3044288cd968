internal import FrameBudget

/// The numbers of a run at one moment, under the definitions of `MetricCatalog`.
struct Figures: Sendable {
  let at: Instant
  let frames: FrameMetrics
  /// The platforms whose metrics are also shown.
  let platforms: [MetricSet]
  /// Nil if the user waits for none.
  let responses: Waits?
  let responsesLate: Int
  let done: Int?
  var pending: Int?
  let perSecond: Double?
  let queueDepth: Int?
  /// Frames in flight, and the most allowed; nil if that is always the current frame.
  let inFlight: (frames: Int, buffers: Int)?
  let lockWait: TimeSpan
  let longestLockWait: TimeSpan
  let mainPercent: Double?
  let backgroundPercent: Double?

  init(_ run: RunModel, at now: Instant) {
    let knowsItems = run.knowsItems && run.now != nil
    at = now
    frames = run.metricsSoFar
    platforms = run.metrics
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

  /// In milliseconds; a lower bound while a response is open.
  func response(_ quantile: Quantile) -> Observation? {
    responses?.quantile(quantile.share).map {
      Observation($0.value / 1e6, isBound: $0.isBound)
    }
  }

  /// Apple's bands for scrolling.
  var band: Band? { frames.hitchRatio.map(Bands.hitches.band) }
}

extension Band {
  var role: ColorRole {
    switch self {
    case .good: .good
    case .fair: .fair
    case .poor: .poor
    }
  }
}

/// A run of the live view in numbers.
struct SessionRun: Sendable {
  let label: String
  let engine: EngineKind?
  let refresh: RefreshRate
  let figures: Figures
  /// Items that were pending when the run was ended early; zero while it runs.
  let cancelled: Int
  let isUnderWay: Bool

  init(_ run: RunModel, isUnderWay: Bool) {
    label = run.label
    engine = run.engine
    refresh = run.refresh
    // The current run is shown with the same figures as elsewhere on the screen.
    var figures = isUnderWay ? run.figures : Figures(run, at: run.now ?? .zero)
    cancelled = isUnderWay ? 0 : run.pending
    if !isUnderWay && run.knowsItems { figures.pending = 0 }
    self.figures = figures
    self.isUnderWay = isUnderWay
  }

  func isSame(as other: SessionRun) -> Bool {
    label == other.label && engine == other.engine && refresh == other.refresh
  }
}

/// Formats numbers with few decimals, so that they can be read at a glance.
enum Number {
  /// About three significant digits: `8.25`, `16.7`, `2610`.
  static func text(_ value: Double?) -> String {
    guard let value else { return "–" }
    return fixed(value, places: value < 10 ? 2 : value < 1000 ? 1 : 0)
  }

  /// The same for a possible lower bound: `>2610`.
  static func text(_ observation: Observation?) -> String {
    (observation?.isBound == true ? ">" : "") + text(observation?.value)
  }

  static func percent(_ value: Double?) -> String {
    value.map { fixed($0, places: $0 < 99.95 ? 1 : 0) + " %" } ?? "–"
  }

  static func count(_ value: Int?) -> String { value.map { "\($0)" } ?? "–" }

  /// `value` with this number of decimals.
  static func fixed(_ value: Double, places: Int) -> String {
    var text = Decimal.text(value, places: places)
    guard places > 0 else { return text }
    let decimals = text.split(separator: ".").dropFirst().first?.count ?? 0
    if decimals == 0 { text += "." }
    return text + String(repeating: "0", count: places - decimals)
  }
}
