/// A run's log with all metrics derived from it, computed once.
///
/// A class, because it is passed along for each cell of a file.
public final class RunMetrics: Sendable {
  /// The log of the run.
  public let log: RunLog
  /// The metrics of its frames.
  public let frames: FrameMetrics
  /// The metrics of all workloads together.
  public let items: ItemMetrics
  /// The metrics of each workload's items, in the scenario's order.
  public let workloads: [(name: String, items: ItemMetrics)]
  /// Nil if the UI reads nothing.
  public let stateAges: Percentiles?
  /// The range if costs and arrivals differ slightly; nil if it was not requested.
  public let range: PredictionRange?

  /// Computes the metrics of a run.
  public init(_ log: RunLog) {
    self.log = log
    frames = FrameMetrics(log.frames, duration: log.duration)
    let lastVsync = log.frames.refresh.vsync(log.frames.vsyncs)
    items = ItemMetrics(log.items, duration: log.duration, lastVsync: lastVsync)
    workloads = log.items.map {
      ($0.workload, ItemMetrics([$0], duration: log.duration, lastVsync: lastVsync))
    }
    let ages = log.totals.stateAges
    let reads = ages.fresh + ages.stale.count
    stateAges = reads == 0 ? nil : Percentiles(ages.forEach)
    range = nil
  }

  /// The same without the spans of the log's trace, which are far larger than the rest.
  public var withoutSpans: RunMetrics {
    var log = log
    log.trace?.forgetSpans()
    return RunMetrics(self, of: log, range: range)
  }

  /// The same metrics with their range.
  public func having(_ range: PredictionRange?) -> RunMetrics {
    RunMetrics(self, of: log, range: range)
  }

  private init(_ metrics: RunMetrics, of log: RunLog, range: PredictionRange?) {
    self.log = log
    self.range = range
    (frames, items, workloads) = (metrics.frames, metrics.items, metrics.workloads)
    stateAges = metrics.stateAges
  }

  /// The metric, if it is a number that applies to this run.
  public subscript(metric: Metric) -> Double? { metric.value(self)?.number }

  /// The metric called `name`, if it is a number that applies to this run.
  public subscript(name: String) -> Double? { MetricCatalog.metric(name).flatMap { self[$0] } }

  /// The metric called `name`, and whether it is only a lower bound.
  public func observed(_ name: String) -> Observation? {
    self[name].map { Observation($0, isBound: self[Metric.bound(of: name)] == 1) }
  }
}

/// The range of a prediction if costs and arrivals differ slightly from the assumptions: its error bar.
///
/// `VirtualEngine.range` determines it from a few runs. A narrow range is not a proof: a change in between may have a larger
/// effect.
public struct PredictionRange: Hashable, Sendable {
  /// The metrics that have a range, in the order of the columns.
  public static let metrics: [Metric] = [.droppedPercent, .frameTime(.p99), .response(.p99)]

  /// By metric; nil if it applied to no run.
  private var spans: [ClosedRange<Double>?]

  /// The range of a single run, which has no width.
  public init(_ run: RunMetrics) {
    spans = Self.metrics.map { metric in run[metric].map { $0...$0 } }
  }

  /// Widens the range so that it includes `run`.
  public mutating func include(_ run: RunMetrics) {
    for (place, metric) in Self.metrics.enumerated() {
      guard let value = run[metric] else { continue }
      let span = spans[place] ?? value...value
      spans[place] = min(span.lowerBound, value)...max(span.upperBound, value)
    }
  }

  /// From the smallest to the largest value, in the unit of `metric`; nil if it applied to no run or has no range.
  public subscript(metric: Metric) -> ClosedRange<Double>? {
    zip(Self.metrics, spans).first { $0.0.name == metric.name }?.1
  }
}

extension Metric {
  /// Whether `range` is wide enough to be printed: wider than a point, or, for times, wider than both 1 ms and the 10 % by
  /// which costs themselves differ.
  public func isWorthShowing(_ range: ClosedRange<Double>) -> Bool {
    let width = range.upperBound - range.lowerBound
    return unit == .milliseconds ? width > max(1, range.upperBound / 10) : width > 1
  }

  /// The name of the column with the lower end of `metric`'s range.
  public static func low(of metric: String) -> String { "\(metric)_low" }

  /// The name of the column with the upper end of `metric`'s range.
  public static func high(of metric: String) -> String { "\(metric)_high" }
}
