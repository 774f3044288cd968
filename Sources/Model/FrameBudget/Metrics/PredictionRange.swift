/// The range of a prediction if costs and arrivals differ slightly from the assumptions: its error bar.
///
/// It spans the planned run and one run for each of `costs`, which `VirtualEngine.range` makes, and is widened by what may lie
/// between them. A narrow range is not a proof: a change in between may have a larger effect.
public struct PredictionRange: Hashable, Sendable {
  /// The metrics that have a range, in the order of the columns.
  public static let metrics: [Metric] = [.droppedPercent, .frameTime(.p99), .response(.p99)]

  /// The factors of all costs in the runs besides the planned one.
  public static let costs = [0.95, 1.05]

  /// The differences of costs and arrivals in words.
  package static let smallChanges =
    "for costs from 5 % lower to 5 % higher, and arrivals shifted within a vsync period"

  /// The figures of a run that have a range.
  public struct Figures: Hashable, Sendable {
    /// In the order of `metrics`; nil if one does not apply.
    fileprivate let values: [Double?]

    /// The figures of `run`.
    public init(_ run: RunMetrics) { values = PredictionRange.metrics.map { run[$0] } }
  }

  /// By metric; nil if it applied to no run.
  private let spans: [ClosedRange<Double>?]
  /// What measured runs say about predictions of this kind.
  public let calibration: RangeCalibration?
  private let period: TimeSpan

  /// The range of the figures of `plan` on `machine`, and of those with each of `costs`, in their order.
  public init(_ planned: Figures, changed: [Figures], of plan: RunPlan, on machine: Machine) {
    precondition(changed.count == Self.costs.count, "a run for each factor of costs")
    let period = plan.scenario.display.refresh.period
    self.period = period
    spans = Self.metrics.indices.map { place in
      let change = FigureChange(
        planned: planned.values[place], changed: changed.map { $0.values[place] })
      guard let span = change.span else { return nil }
      let margin = change.margin(of: span, Self.metrics[place], period: period)
      return Self.metrics[place].widened(span, by: margin)
    }
    calibration = RangeCalibration.measured[PredictionKind(plan, on: machine)]
  }

  /// The range over small changes, in the unit of `metric`; nil if it applied to no run or has no range.
  public subscript(metric: Metric) -> ClosedRange<Double>? {
    zip(Self.metrics, spans).first { $0.0.name == metric.name }?.1
  }

  /// By how much the range must be wider on either side to contain a measured figure, too; nil if unknown.
  public func margin(of metric: Metric) -> Double? {
    self[metric].flatMap { _ in calibration?.margin(of: metric, period: period) }
  }

  /// The range to show: with its margin or, if too few runs of its kind were measured, over small changes.
  public func shown(_ metric: Metric) -> ClosedRange<Double>? {
    self[metric].map { metric.widened($0, by: margin(of: metric) ?? 0) }
  }

  /// What the range to show contains: `90 % of runs on threads lie inside (by 321 of threads-fit-cores)`, or `smallChanges`.
  package func meaning(of metric: Metric) -> String {
    guard let calibration, margin(of: metric) != nil else { return Self.smallChanges }
    return "\(RangeCalibration.words) (by \(calibration.runs) of \(calibration.kind.rawValue))"
  }
}

extension Aim {
  /// Whether all that a prediction's range contains is within the bounds.
  ///
  /// A range of shares of dropped frames is also one of their number: of whole frames.
  ///
  /// - Parameters:
  ///   - range: by metric; nil if it is unknown.
  ///   - frames: the number of vsyncs of which frames are dropped; nil if it is unknown.
  /// - Returns: true if all is; nil if the metric has no range.
  package func isKept(in range: (Metric) -> ClosedRange<Double>?, frames: Int?) -> Bool? {
    let ends: ClosedRange<Double>?
    if metric == Metric.droppedFrames.name {
      ends = range(.droppedPercent).flatMap { share in
        frames.map { Self.wholeFrames(share, of: $0) }
      }
    } else {
      ends = PredictionRange.metrics.first { $0.name == metric }.flatMap(range)
    }
    return ends.map {
      holds(for: Observation($0.lowerBound)) && holds(for: Observation($0.upperBound))
    }
  }

  /// The numbers of whole frames in a range of shares in percent, which has six digits in files.
  private static func wholeFrames(
    _ share: ClosedRange<Double>, of frames: Int
  ) -> ClosedRange<Double> {
    let frame = Double(frames) / 100
    let least = max(0, (share.lowerBound * frame - 0.001).rounded(.up))
    return least...max(least, (share.upperBound * frame + 0.001).rounded(.down))
  }
}

/// A figure of the planned run and of the changed ones; nil where it does not apply.
private struct FigureChange {
  let planned: Double?
  let changed: [Double?]

  /// From the smallest to the largest; nil without any.
  var span: ClosedRange<Double>? {
    let values = ([planned] + changed).compactMap(\.self)
    guard let least = values.min(), let most = values.max() else { return nil }
    return least...most
  }

  /// By how much other small changes may lie outside of `span`: chosen so that the ranges of random apps, under every strategy,
  /// contain what 95 of 100 of them lead to.
  func margin(of span: ClosedRange<Double>, _ metric: Metric, period: TimeSpan) -> Double {
    let width = span.upperBound - span.lowerBound
    guard metric.unit == .milliseconds else { return width / 4 }
    guard metric.name == Metric.frameTime(.p99).name else {
      // An answer waits for a frame, so between the runs it may take most of a period more or less.
      return min(2 * width, period.inMilliseconds * 0.6 + width / 4)
    }
    return span.upperBound / 50 + departure(of: span) / 2
  }

  /// How far a time is from growing as costs do, at most a tenth of it.
  private func departure(of span: ClosedRange<Double>) -> Double {
    let most = span.upperBound / 10
    guard let planned else { return most }
    return zip(PredictionRange.costs, changed).reduce(0) { largest, other in
      min(most, max(largest, other.1.map { abs($0 - other.0 * planned) } ?? most))
    }
  }
}

extension Metric {
  /// `range` with both ends moved out by `margin`, between 0 and, for shares, 100.
  public func widened(_ range: ClosedRange<Double>, by margin: Double) -> ClosedRange<Double> {
    let most = unit == .milliseconds ? Double.infinity : 100
    return max(0, range.lowerBound - margin)...min(most, range.upperBound + margin)
  }

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

  /// The name of the column with the margin of `metric`'s range.
  public static func margin(of metric: String) -> String { "\(metric)_margin" }
}
