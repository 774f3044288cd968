internal import Concurrency
internal import Foundation
internal import FrameBudget
internal import Simulation

/// What a measurement found, and what follows from it.
///
/// Two things are told apart. **What was measured** is what happened on this machine, at this time, with all that others did
/// meanwhile: ``measured(_:)``, ``causes``, ``closures``. **The verdict** is about the code: it is reached in virtual time,
/// on the processor times that were measured, 40 times over: once as measured, and 39 times with costs drawn anew from those
/// of neighbouring items, with arrivals at other places between two vsyncs, and with the disturbance that the machine
/// showed taken out in part or wholly. One more such run would lie in the range of these 40 with a chance of 95 %; a limit
/// outside of the range is met or missed, one inside leaves it unsure.
public struct FrameReport: Sendable {
  /// The test that measured.
  public let test: String
  /// What each workload took, in the order in which they were declared.
  public let closures: [ClosureCost]
  /// What the main thread did besides what was declared; the verdict is reached with it.
  public let undeclared: UndeclaredWork
  /// What was not seen, taken in a simpler way, or worse than the model explains, as sentences. While there is anything, nothing
  /// is `met`; where items are taken in fewer pieces than they were in, nothing is `missed` either.
  public let doubts: [String]
  let model: CostModel
  let settings: MeasurementSettings
  let log: RunMetrics
  /// How long the same little work took mostly, in nanoseconds: how fast the machine was.
  let probe: Double
  /// Who is told which verdicts the test asks for, where anybody runs it who wants to know.
  var record: MeasurementRecord?
  /// By resample, the first as measured: the values of all metrics.
  private let resamples: [[String: Double]]

  /// How many runs in virtual time a verdict rests on: one more lies in the range of n others with a chance of
  /// (n - 1) / (n + 1), which is 95 % for so many.
  static let runs = 40

  @concurrent
  static func concluded(
    from measured: Measured, _ settings: MeasurementSettings
  ) async -> FrameReport {
    FrameReport(measured, settings)
  }

  init(_ measured: Measured, _ settings: MeasurementSettings) {
    self.settings = settings
    test = settings.test
    let cores = max(1, settings.cores ?? ProcessInfo.processInfo.activeProcessorCount)
    model = CostModel(measured, settings, cores: cores)
    undeclared = UndeclaredWork(measured.undeclared, in: settings.duration)
    log = RunMetrics(measured.log)
    closures = measured.workloads.indices.map { ClosureCost($0, of: measured) }
    let probes = measured.probes.sorted()
    probe = probes.isEmpty ? 0 : Double(probes[probes.count / 2])
    let model = model
    resamples = (0..<Self.runs).map { number in
      Self.values(of: number == 0 ? model.scenario() : model.resampled(number), model)
    }
    let most = resamples.compactMap { $0[Metric.droppedFrames.name] }.max() ?? 0
    doubts = model.doubts + Self.unexplained(log.frames, most: Int(most))
  }

  /// Nobody may call better what was seen to be worse: dropped frames count against the app unless the machine kept its main
  /// thread from running.
  private static func unexplained(_ frames: FrameMetrics, most: Int) -> [String] {
    let machine = [Cause.machine, .preempted].map { frames.drops[Int($0.rawValue)] }
    let own = frames.dropped - machine.reduce(0, +)
    guard own > most else { return [] }
    return [
      "\(own) dropped \(own == 1 ? "frame is" : "frames are") not due to the machine alone, and the measured work explains "
        + "\(most) at most; does something wait on the main thread?"
    ]
  }

  private static func values(of scenario: Scenario, _ model: CostModel) -> [String: Double] {
    let plan = RunPlan(scenario, under: model.strategy(for: scenario))
    // What handing over took is in the measured times.
    let metrics = RunMetrics(VirtualEngine(costs: .none).run(plan))
    var values: [String: Double] = [:]
    for metric in MetricCatalog.numbers { values[metric.name] = metrics[metric] }
    return values
  }

  // MARK: What was measured

  /// - Parameter metric: which.
  /// - Returns: what it came to on this machine, in its unit; nil where it does not apply.
  public func measured(_ metric: ReportedMetric) -> Double? { log[metric.name] }

  /// Dropped frames by what caused them, those of which there were any; as the measured frames had it.
  public var causes: [(name: String, frames: Int)] {
    Cause.allCases.compactMap { cause in
      let count = log.frames.drops[Int(cause.rawValue)]
      return count == 0 ? nil : ("\(cause)", count)
    }
  }

  // MARK: What follows

  /// - Parameter metric: which.
  /// - Returns: what it comes to in virtual time with the costs and arrivals as measured, in its unit; nil where it does not
  ///   apply.
  public func predicted(_ metric: ReportedMetric) -> Double? { resamples[0][metric.name] }

  /// - Parameter metric: which.
  /// - Returns: from the least to the largest that it comes to over all resamples, in its unit; nil where it does not apply.
  public func range(_ metric: ReportedMetric) -> ClosedRange<Double>? {
    let values = resamples.compactMap { $0[metric.name] }
    guard values.count == resamples.count, let least = values.min(), let most = values.max() else {
      return nil
    }
    return least...most
  }

  /// Whether a metric stays at or below a limit.
  ///
  /// - Parameters:
  ///   - metric: which.
  ///   - limit: the largest value allowed, in the metric's unit.
  /// - Returns: `met` or `missed` where the whole range is on one side, otherwise `unsure`, as for a metric that does not apply.
  public func verdict(_ metric: ReportedMetric, atMost limit: Double) -> FrameVerdict {
    noted(metric, .atMost, limit) { range in
      if range.lowerBound > limit, !model.isFolded { return .missed }
      return range.upperBound <= limit && doubts.isEmpty ? .met : .unsure
    }
  }

  /// Whether a metric stays at or above a limit.
  ///
  /// - Parameters:
  ///   - metric: which.
  ///   - limit: the smallest value allowed, in the metric's unit.
  /// - Returns: `met` or `missed` where the whole range is on one side, otherwise `unsure`, as for a metric that does not apply.
  public func verdict(_ metric: ReportedMetric, atLeast limit: Double) -> FrameVerdict {
    noted(metric, .atLeast, limit) { range in
      if range.upperBound < limit, !model.isFolded { return .missed }
      return range.lowerBound >= limit && doubts.isEmpty ? .met : .unsure
    }
  }

  /// What `conclude` says of the range, and of a metric that does not apply nothing.
  private func noted(
    _ metric: ReportedMetric, _ bound: RecordedCheck.Bound, _ limit: Double,
    _ conclude: (ClosedRange<Double>) -> FrameVerdict
  ) -> FrameVerdict {
    let range = range(metric)
    let verdict = range.map(conclude) ?? .unsure
    record?.note([RecordedCheck(metric, bound, limit, range: range, verdict, doubts: doubts)])
    return verdict
  }
}
