/// A run's log with all that follows from it, worked out once.
///
/// A class, because each cell of a file is asked for with the whole of it in hand.
public final class RunMetrics: Sendable {
  /// The run that they are of.
  public let log: RunLog
  /// What its frames come to.
  public let frames: FrameMetrics
  /// All workloads together.
  public let items: ItemMetrics
  /// What the items of each workload come to, in the scenario's order.
  public let workloads: [(name: String, items: ItemMetrics)]
  /// Nil where the UI reads nothing.
  public let stateAges: Percentiles?
  /// How far it moves if costs and arrivals differ slightly; nil if it was not asked for.
  public let range: PredictionRange?

  /// What a run comes to.
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

  /// The same without the spans of the log's trace, which are far larger than all the rest.
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

  /// The metric, where it is a number that applies to this run.
  public subscript(metric: Metric) -> Double? { metric.value(self)?.number }

  /// The metric called `name`, where it is a number that applies to this run.
  public subscript(name: String) -> Double? { MetricCatalog.metric(name).flatMap { self[$0] } }

  /// The metric called `name`, and whether it is only known to be at least so much.
  public func observed(_ name: String) -> Observation? {
    self[name].map { Observation($0, isBound: self[Metric.bound(of: name)] == 1) }
  }
}
