internal import Concurrency
internal import Foundation
internal import FrameBudget
internal import Simulation
internal import Statistics

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

extension FrameReport: CustomStringConvertible {
  /// A few lines for a test's log: what was measured beside what follows, then each closure.
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
      "  undeclared: \(undeclared.total.spoken) of the main thread in \(count) \(count == 1 ? "piece" : "pieces") "
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

/// A metric of the project, by the name that its columns have.
public struct ReportedMetric: Hashable, Sendable, CustomStringConvertible {
  /// As columns, gates and expectations name it: `dropped_frames`.
  public let name: String

  /// - Parameter name: as columns name it; `framebudget list metrics` shows all.
  /// - Throws: `unknownMetric`, with a suggestion, where there is none of that name.
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

  /// Vsyncs at which a frame was wanted and no new one was shown.
  public static let droppedFrames = ReportedMetric(.droppedFrames)
  /// Their share of all vsyncs that wanted a frame, in percent.
  public static let droppedPercent = ReportedMetric(.droppedPercent)
  /// How long nothing new was shown at worst, in milliseconds.
  public static let longestHitch = ReportedMetric(.hitchMax)
  /// Missed time per second, in milliseconds per second.
  public static let hitchRatio = ReportedMetric(.hitchRatio)
  /// The same as ``hitchRatio``, by the name that Xcode gives it.
  public static let hitchTimeRatio = hitchRatio
  /// Interaction to Next Paint in milliseconds; of workloads with `input`.
  public static let inp = ReportedMetric(.inp)
  /// What tasks of the main thread took beyond 50 ms, together, in milliseconds.
  public static let totalBlockingTime = ReportedMetric(.totalBlocking)
  /// From a frame's vsync to the end of its work, the 99th percentile in milliseconds.
  public static let frameTime = ReportedMetric(.frameTime(.p99))
  /// From a frame's deadline until it was ready, the 99th percentile in milliseconds; below zero where it was early.
  public static let frameOverrun = ReportedMetric(.frameOverrun(.p99))
  /// Answers that took longer than `respondWithin`.
  public static let lateResponses = ReportedMetric(.responsesLate)
  /// From an item's arrival to the vsync that shows its answer, the longest in milliseconds; of workloads with `respondWithin`.
  public static let longestResponse = ReportedMetric(.response(.max))
  /// From an item's arrival to the vsync that shows its result, the 95th percentile in milliseconds.
  public static let contentTime = ReportedMetric(.content(.p95))
  /// Items that had arrived and were not done by the end.
  public static let itemsPending = ReportedMetric(.itemsPending)
}

/// What a measurement says of a limit.
public enum FrameVerdict: String, Hashable, Codable, Sendable {
  /// It is kept, however costs and phases fall.
  case met
  /// It is broken, however costs and phases fall.
  case missed
  /// Some of them keep it and some break it, or something was not seen: a longer measurement, or a quieter machine, may tell.
  case unsure
}

/// What the items of one workload took, by the clocks of the threads that they ran on.
///
/// A thread's clock says nothing across a suspension, so an item is the sum of its segments: what ran from one suspension to
/// the next without a pause.
public struct ClosureCost: Sendable {
  /// The workload's name.
  public let name: String
  /// Items that were begun.
  public let items: Int
  /// Processor time of the main thread for an item; the mean without the lowest and the highest fifth.
  public let main: Duration
  /// The longest that one segment kept the main thread, processor time and sleep together.
  public let longestOnMain: Duration
  /// Processor time of other threads for an item; the same mean.
  public let elsewhere: Duration
  /// Time in which an item's thread slept within a segment, in all items.
  public let blocked: Duration
  /// Where segments ran, `main` first: the scheduler's name, or `pool` for Swift's own threads.
  public let places: [Place]
  /// By item, in nanoseconds: processor time on all threads.
  let samples: [Double]

  /// A thread or queue on which segments of a workload ran.
  public struct Place: Sendable {
    /// What it is called.
    public let name: String
    /// How many segments ran there.
    public let segments: Int
    /// Processor time of all of them.
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
    for segment in measured.segments where ids.contains(segment.item) {
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

/// What the main thread did in a measurement that is neither an item's nor a frame's: blocks on the main queue, operations of
/// the main queue, timers, blocks and sources of its run loop, tasks without a tie to an item.
///
/// It is part of the app: frames wait for it, and the verdict is reached with it, as a workload called `undeclared`. To have
/// it named and counted, post it from the closure of a workload, as a task of the main actor, or declare a workload for it.
public struct UndeclaredWork: Sendable {
  /// A stretch of it, from one time that the loop had the main thread to the next.
  public struct Piece: Hashable, Sendable {
    /// When it began, counted from the first frame; to a millisecond, as it was not seen to be posted.
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

  /// In the order of time; each took more than a tenth of a millisecond, as less is not told from the loop's own work.
  public let pieces: [Piece]
  /// Which part of the measurement's time it took, from 0 to 1.
  public let share: Double

  /// Processor time of all pieces.
  public var total: Duration { pieces.reduce(.zero) { $0 + $1.took } }
  /// The longest piece.
  public var longest: Duration { pieces.map(\.took).max() ?? .zero }

  init(_ pieces: [Piece], in duration: TimeSpan) {
    self.pieces = pieces
    let total = pieces.reduce(Duration.zero) { $0 + $1.took }
    share = total / duration.duration
  }

  /// What the workload is called; no declared one may be.
  static let name = "undeclared"
}
