internal import SchedulableThreads
internal import Foundation
internal import FrameBudget
internal import FrameBudgetSimulation

/// The results of a measurement, and the verdicts on it.
///
/// **Measured values** describe what happened on this machine, including the effects of other processes: ``measured(_:)``,
/// ``causes``, ``closures``. **Verdicts** describe the code. They come from 40 runs in virtual time with the measured processor
/// times: one run as measured, and 39 with costs resampled from neighbouring items, with other phases of the arrivals relative
/// to the vsync, and with the machine's observed disturbance reduced or removed. A further run would be in the range of these
/// 40 with a probability of 95 %. A limit outside the range is met or missed; inside it, the verdict is unsure.
public struct FrameReport: Sendable {
  /// The name of the test.
  public let test: String
  /// The costs of each workload, in the order of declaration.
  public let closures: [ClosureCost]
  /// Other work of the main thread. Verdicts include it.
  public let undeclared: UndeclaredWork
  /// Sentences about work that was not observed, was simplified, or was slower than the model explains. With any of these, no
  /// verdict is `met`; if items have fewer pieces than measured, or other code disturbed the measurement, none is `missed`
  /// either.
  public let doubts: [String]
  let model: CostModel
  let settings: MeasurementSettings
  let log: RunMetrics
  /// The speed of the main thread.
  let speed: ThreadSpeed
  /// The percentage of the processors' time that others took, so that work took longer than on a quiet machine; nil if little.
  let disturbance: Double?
  /// Receives the verdicts that the test asks for; nil unless a record was requested.
  var record: MeasurementRecord?
  /// The values of all metrics by resample; the first is as measured.
  private let resamples: [[String: Double]]

  /// The number of runs in virtual time for a verdict. A further run is within the range of these n with a chance of
  /// (n - 1) / (n + 1): 95 %.
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
    speed = ThreadSpeed(measured.probes, otherwise: measured.watchProbes)
    disturbance = measured.hostLoad.flatMap {
      $0.isDisturbing ? max($0.othersPercent, $0.stealPercent) : nil
    }
    let model = model
    resamples = (0..<Self.runs).map { number in
      Self.values(of: number == 0 ? model.scenario() : model.resampled(number), model)
    }
    let most = resamples.compactMap { $0[Metric.droppedFrames.name] }.max() ?? 0
    doubts = model.doubts + Self.unexplained(log.frames, most: Int(most))
  }

  /// A verdict must not be better than the measurement: dropped frames count against the app unless the machine kept its main
  /// thread from running.
  private static func unexplained(_ frames: FrameMetrics, most: Int) -> [String] {
    let own = Cause.withoutProcessor.reduce(frames.dropped) { $0 - frames.drops(by: $1) }
    guard own > most else { return [] }
    return [
      "\(own) dropped \(own == 1 ? "frame is" : "frames are") not due to the machine alone, and the measured work explains "
        + "\(most) at most; does something wait on the main thread?"
    ]
  }

  private static func values(of scenario: Scenario, _ model: CostModel) -> [String: Double] {
    let plan = RunPlan(scenario, under: model.strategy(for: scenario))
    // The measured times include handing work over.
    let metrics = RunMetrics(VirtualEngine(costs: .none).run(plan))
    var values: [String: Double] = [:]
    for metric in MetricCatalog.numbers { values[metric.name] = metrics[metric] }
    return values
  }

  // MARK: Measured values

  /// - Parameter metric: the metric.
  /// - Returns: its value on this machine, in its unit; nil if it does not apply.
  public func measured(_ metric: ReportedMetric) -> Double? { log[metric.name] }

  /// Measured dropped frames by cause, without causes that have none.
  public var causes: [(name: String, frames: Int)] {
    Cause.allCases.compactMap { cause in
      let count = log.frames.drops(by: cause)
      return count == 0 ? nil : (cause.name, count)
    }
  }

  // MARK: Derived values

  /// - Parameter metric: the metric.
  /// - Returns: its value in virtual time with measured costs and arrivals, in its unit; nil if it does not apply.
  public func predicted(_ metric: ReportedMetric) -> Double? { resamples[0][metric.name] }

  /// - Parameter metric: the metric.
  /// - Returns: its range over all resamples, in its unit; nil if it does not apply.
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
  ///   - metric: the metric.
  ///   - limit: the largest value allowed, in the metric's unit.
  /// - Returns: `met` or `missed` if the whole range is on one side, otherwise `unsure`, also for a metric that does not apply.
  public func verdict(_ metric: ReportedMetric, atMost limit: Double) -> FrameVerdict {
    noted(metric, .atMost, limit) { range in
      if range.lowerBound > limit, canMiss { return .missed }
      return range.upperBound <= limit && doubts.isEmpty ? .met : .unsure
    }
  }

  /// Whether a metric stays at or above a limit.
  ///
  /// - Parameters:
  ///   - metric: the metric.
  ///   - limit: the smallest value allowed, in the metric's unit.
  /// - Returns: `met` or `missed` if the whole range is on one side, otherwise `unsure`, also for a metric that does not apply.
  public func verdict(_ metric: ReportedMetric, atLeast limit: Double) -> FrameVerdict {
    noted(metric, .atLeast, limit) { range in
      if range.upperBound < limit, canMiss { return .missed }
      return range.lowerBound >= limit && doubts.isEmpty ? .met : .unsure
    }
  }

  private var canMiss: Bool { !model.isFolded && !model.isDisturbed }

  /// The result of `conclude` for the range; `unsure` for a metric that does not apply.
  private func noted(
    _ metric: ReportedMetric, _ bound: RecordedCheck.Bound, _ limit: Double,
    _ conclude: (ClosedRange<Double>) -> FrameVerdict
  ) -> FrameVerdict {
    let range = range(metric)
    let verdict = range.map(conclude) ?? .unsure
    let check = RecordedCheck(metric, bound, limit, range: range, verdict, doubts: doubts)
    record?.note([check])
    return FrameVerdict(verdict.outcome, because: check.sentence)
  }
}

extension FrameReport: CustomStringConvertible {
  /// A few lines for a test's log: measured values and ranges, then each closure.
  public var description: String {
    (["\(test): \(settings.refresh), \(settings.duration), \(model.cores) cores"] + metrics
      + closures.map(Self.line) + Self.lines(undeclared) + doubts.map { "not seen: \($0)" })
      .joined(separator: "\n")
  }

  private var metrics: [String] {
    let shown: [ReportedMetric] = [
      .droppedFrames, .droppedPercent, .frameTime, .lateResponses, .contentTime,
    ]
    return shown.compactMap { metric in
      guard let measured = measured(metric), let range = range(metric) else { return nil }
      return "  \(metric): \(Self.number(measured)) measured, "
        + "\(Self.number(range.lowerBound)) to \(Self.number(range.upperBound)) in virtual time"
    }
      + (causes.isEmpty
        ? [] : ["  causes: " + causes.map { "\($0.name) \($0.frames)" }.joined(separator: ", ")])
  }

  private static func line(_ closure: ClosureCost) -> String {
    let places = closure.places.map { "\($0.name) \($0.segments)" }.joined(separator: ", ")
    return
      "  \(closure.name): \(closure.items) items, \(closure.main.spoken) each on main (longest at once "
      + "\(closure.longestOnMain.spoken)), \(closure.elsewhere.spoken) elsewhere; segments: \(places)"
  }

  private static func lines(_ undeclared: UndeclaredWork) -> [String] {
    guard !undeclared.pieces.isEmpty else { return [] }
    let count = undeclared.pieces.count
    return [
      "  undeclared: \(undeclared.total.spoken) of the main thread in \(English.count(count, "piece")) "
        + "(\(number(undeclared.share * 100)) % of the time, longest \(undeclared.longest.spoken)), part of the verdict; "
        + "post it as tasks of a workload's closure, or declare a workload for it (app.workload)"
    ]
  }

  private static func number(_ value: Double) -> String { Decimal.text(value, places: 2) }
}

extension Duration {
  fileprivate var spoken: String {
    "\(Decimal.text(TimeSpan(self).inMilliseconds, places: 3)) ms"
  }
}

/// A metric, by its column name.
public struct ReportedMetric: Hashable, Sendable, CustomStringConvertible {
  /// The name in columns, gates and expectations, such as `dropped_frames`.
  public let name: String

  /// - Parameter name: its column name; `framebudget list metrics` shows all.
  /// - Throws: `unknownMetric`, with a suggestion, if no metric has that name.
  public init(_ name: String) throws(MeasurementError) {
    guard MetricCatalog.numbers.contains(where: { $0.name == name }) else {
      let remedy = Spelling.suggestion(for: name, among: MetricCatalog.numbers.map(\.name))
      throw MeasurementError(.unknownMetric(name, suggestion: remedy), test: "ReportedMetric")
    }
    self.name = name
  }

  private init(_ metric: Metric) { name = metric.name }

  /// The name.
  public var description: String { name }

  /// Vsyncs that needed a new frame and showed none.
  public static let droppedFrames = ReportedMetric(.droppedFrames)
  /// Dropped frames in percent of all vsyncs that needed a frame.
  public static let droppedPercent = ReportedMetric(.droppedPercent)
  /// The longest hitch, in milliseconds.
  public static let longestHitch = ReportedMetric(.hitchMax)
  /// Missed time per second, in milliseconds per second.
  public static let hitchRatio = ReportedMetric(.hitchRatio)
  /// ``hitchRatio`` under its name in Xcode.
  public static let hitchTimeRatio = hitchRatio
  /// Interaction to Next Paint, in milliseconds, for workloads with `input`.
  public static let inp = ReportedMetric(.inp)
  /// Total Blocking Time: the sum of what tasks of the main thread took beyond 50 ms each, in milliseconds.
  public static let totalBlockingTime = ReportedMetric(.totalBlocking)
  /// The 99th percentile of the time from a frame's vsync to the end of its work, in milliseconds.
  public static let frameTime = ReportedMetric(.frameTime(.p99))
  /// The 99th percentile of the time from a frame's deadline until it was ready, in milliseconds; negative if early.
  public static let frameOverrun = ReportedMetric(.frameOverrun(.p99))
  /// Responses that took longer than `respondWithin`.
  public static let lateResponses = ReportedMetric(.responsesLate)
  /// The longest time from an item's arrival to the vsync that shows its response, in milliseconds, for workloads with
  /// `respondWithin`.
  public static let longestResponse = ReportedMetric(.response(.max))
  /// The 95th percentile of the time from an item's arrival to the vsync that shows its result, in milliseconds.
  public static let contentTime = ReportedMetric(.content(.p95))
  /// Items that had arrived and were not done at the end.
  public static let itemsPending = ReportedMetric(.itemsPending)
  /// Items that were left undone: those of growing backlogs that no vsync has shown.
  public static let itemsBacklog = ReportedMetric(.backlog)
}

/// The verdict of a measurement on a limit. A failing `#expect` prints it with the metric, its range and the limit.
public struct FrameVerdict: Hashable, Codable, Sendable, CustomStringConvertible {
  /// The verdict alone.
  public enum Outcome: String, Hashable, Codable, Sendable {
    /// All resamples keep the limit.
    case met
    /// All resamples break the limit.
    case missed
    /// Neither, or something was not observed.
    case unsure
  }

  /// All resamples keep the limit.
  public static let met = FrameVerdict(.met)
  /// All resamples break the limit.
  public static let missed = FrameVerdict(.missed)
  /// Some resamples keep it and some break it, or something was not observed. A longer measurement or a quieter machine may
  /// decide.
  public static let unsure = FrameVerdict(.unsure)

  /// The verdict alone, for a `switch`.
  public let outcome: Outcome
  /// `dropped_frames at most 0, found 0 to 3`
  private let reason: String?

  init(_ outcome: Outcome, because reason: String? = nil) {
    self.outcome = outcome
    self.reason = reason
  }

  public init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode(Outcome.self))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(outcome)
  }

  /// The name of the verdict.
  public var rawValue: String { outcome.rawValue }

  /// Two verdicts are equal if their outcomes are, whatever the metric.
  public static func == (left: Self, right: Self) -> Bool { left.outcome == right.outcome }

  public func hash(into hasher: inout Hasher) { hasher.combine(outcome) }

  public var description: String { reason.map { "\(rawValue): \($0)" } ?? rawValue }
}

/// The costs of the items of one workload, by the clocks of their threads.
///
/// A thread's clock does not span a suspension, so the cost of an item is the sum of its segments, each from one suspension to
/// the next.
public struct ClosureCost: Sendable {
  /// The workload's name.
  public let name: String
  /// The number of items started.
  public let items: Int
  /// Processor time per item on the main thread: the mean without the lowest and highest fifths.
  public let main: Duration
  /// The longest segment on the main thread, including sleep.
  public let longestOnMain: Duration
  /// Processor time per item on other threads; the same mean.
  public let elsewhere: Duration
  /// The total time that threads slept within segments.
  public let blocked: Duration
  /// The places of segments, `main` first: a scheduler's name, or `pool` for Swift's own threads.
  public let places: [Place]
  /// Processor time of each item on all threads, in nanoseconds.
  let samples: [Double]

  /// A thread or queue on which segments of a workload ran.
  public struct Place: Sendable {
    /// The name.
    public let name: String
    /// The number of segments.
    public let segments: Int
    /// Their total processor time.
    public let processorTime: Duration
  }

  init(_ workload: Int, of measured: Measured) {
    name = measured.workloads[workload].name
    let own = measured.items.indices.filter { measured.items[$0].workload == workload }
    items = own.count
    var main: [Int: Int64] = [:]
    var elsewhere: [Int: Int64] = [:]
    var places: [String: (count: Int, cpu: Int64)] = [:]
    var (longest, blocked) = (Int64(0), Int64(0))
    let ids = Set(own.map { UInt32($0 + 1) })
    let others = measured.segments.filter { $0.place != Measured.pool }
    for segment in others + measured.poolSegments where ids.contains(segment.item) {
      let item = Int(segment.item) - 1
      if segment.place == Measured.main {
        main[item, default: 0] += segment.cpu
        longest = max(longest, segment.cpu + segment.blocked)
      } else if segment.place != Measured.pool {
        elsewhere[item, default: 0] += segment.cpu
      }
      blocked += segment.blocked
      places[segment.place, default: (0, 0)].count += 1
      places[segment.place, default: (0, 0)].cpu += segment.cpu
    }
    let shares = PoolShares(measured).cpu
    for item in own { elsewhere[item, default: 0] += shares[item] }
    samples = own.map { Double((main[$0] ?? 0) + (elsewhere[$0] ?? 0)) }
    self.main = Self.mean(own.map { main[$0] ?? 0 })
    self.elsewhere = Self.mean(own.map { elsewhere[$0] ?? 0 })
    longestOnMain = .nanoseconds(longest)
    self.blocked = .nanoseconds(blocked)
    self.places = places.keys.sorted { left, right in
      left == Measured.main || (right != Measured.main && left < right)
    }.map { name in
      let sum = places[name] ?? (0, 0)
      return Place(name: name, segments: sum.count, processorTime: .nanoseconds(sum.cpu))
    }
  }

  private static func mean(_ values: [Int64]) -> Duration {
    values.isEmpty ? .zero : .nanoseconds(Int64(Sample(values.map(Double.init)).trimmedMean))
  }
}

/// Work of the main thread that belongs to no item and no frame: blocks and operations of the main queue, timers, blocks and
/// sources of the run loop, and tasks that no item started.
///
/// It is part of the app: frames wait for it, and verdicts include it as the workload `undeclared`. To name and count it, post
/// it from the closure of a workload as a task of the main actor, or declare a workload for it.
public struct UndeclaredWork: Sendable {
  /// One interval of it, between two intervals of the loop.
  public struct Piece: Hashable, Sendable {
    /// The start relative to the first frame, accurate to a millisecond because the posting was not observed.
    public let began: Duration
    /// Processor time.
    public let took: Duration
    /// The newest vsync when it began, from 0.
    public let frame: Int

    init(at instant: Instant, cpu: Int64, _ refresh: RefreshRate) {
      began = instant.sinceZero.duration
      took = .nanoseconds(cpu)
      frame = refresh.vsyncs(through: instant)
    }
  }

  /// In order of time. Each took more than 0.1 ms; shorter ones cannot be separated from the loop's own work.
  public let pieces: [Piece]
  /// Its fraction of the measurement's duration, from 0 to 1.
  public let share: Double

  /// The total processor time.
  public var total: Duration { pieces.reduce(.zero) { $0 + $1.took } }
  /// The longest piece.
  public var longest: Duration { pieces.map(\.took).max() ?? .zero }

  init(_ pieces: [Piece], in duration: TimeSpan) {
    self.pieces = pieces
    let total = pieces.reduce(Duration.zero) { $0 + $1.took }
    share = total / duration.duration
  }

  /// The name of the workload, reserved for it.
  static let name = "undeclared"
}
