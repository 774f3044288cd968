internal import Foundation
internal import FrameBudget

/// The costs of each closure in an earlier measurement, and its machine.
package struct Baseline: Codable, Sendable {
  var format = Self.format
  var machine: Machine
  /// The median duration of the probe then, in nanoseconds.
  var probe: Double
  /// The shortest. Nil in earlier files, and without idle time on the main thread: the probes ran on another one.
  var fastestProbe: Double?
  /// The percentage of the processors' time that others took, if that was enough to change the times.
  var disturbance: Double?
  var closures: [Closure]

  static let format = 1

  /// Times are comparable only between equal machines.
  package struct Machine: Codable, Hashable, Sendable, CustomStringConvertible {
    var processor: String
    var cores: Int
    var build: String

    package var description: String { "\(processor), \(cores) cores, \(build)" }
  }

  struct Closure: Codable, Sendable {
    var name: String
    /// Processor time of each item, in nanoseconds.
    var samples: [Double]
    /// Whether the times are estimates, because closures shared an actor that was interrupted. Nil in earlier files.
    var isEstimate: Bool?
  }

  /// Reads the file at `path`; nil if it does not exist.
  static func read(_ path: String) throws -> Baseline? {
    let file = URL(filePath: path)
    guard FileManager.default.fileExists(atPath: file.path) else { return nil }
    let baseline = try JSONDecoder().decode(Baseline.self, from: Data(contentsOf: file))
    guard baseline.isPlausible else {
      throw UnreadableMeasurement(problem: "it has invalid values")
    }
    return baseline
  }

  /// Whether all times are within the format's range; times outside it would make differences of means NaN.
  var isPlausible: Bool {
    format == Self.format
      && ([probe, fastestProbe ?? probe] + closures.flatMap(\.samples))
        .allSatisfy(MeasurementFile.times.contains)
      && (0...100).contains(disturbance ?? 0)
  }

  package func write(to path: String) throws {
    let file = URL(filePath: path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    try encoder.encode(self).write(to: file, options: .atomic)
  }
}

extension Baseline.Machine {
  /// This machine.
  static var here: Self {
    Self(
      processor: processor, cores: ProcessInfo.processInfo.activeProcessorCount, build: build)
  }

  private static var build: String {
    #if DEBUG
      "debug"
    #else
      "release"
    #endif
  }

  private static var processor: String {
    let lines = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8))?
      .split(separator: "\n")
    let model = lines?.first { $0.hasPrefix("model name") }?.split(separator: ":").last
    return model.map { $0.trimmingCharacters(in: .whitespaces) } ?? "an unnamed processor"
  }
}

/// The change of each closure since a baseline.
public struct BaselineComparison: Sendable, CustomStringConvertible {
  /// The change of one closure.
  public struct Closure: Sendable {
    /// The workload's name.
    public let name: String
    /// The change of the processor time of an item, in percent of the baseline; positive is slower.
    public let changePercent: Double
    /// The 95 % interval of the change, in percent: of the median of all differences between a new item and one of the baseline,
    /// extended by what the main thread was slower than at its best. Infinite if there are too few items for one.
    public let intervalPercent: ClosedRange<Double>
    /// The p-value, corrected for the number of closures.
    public let p: Double
    /// The conclusion.
    public let verdict: Verdict

    /// `-1 to 4.5 %`, with numbers in the words of `text`.
    func interval(_ text: (Double) -> String) -> String {
      guard intervalPercent.upperBound.isFinite else { return "too few items for an interval" }
      return "\(text(intervalPercent.lowerBound)) to \(text(intervalPercent.upperBound)) %"
    }
  }

  /// How a closure changed.
  public enum Verdict: String, Sendable {
    /// Slower by at least the threshold, with significance.
    case slower
    /// Faster by at least the threshold, with significance.
    case faster
    /// The whole confidence interval is within the threshold.
    case same
    /// The measurements are too noisy to tell.
    case unsure
  }

  /// The default threshold: the smallest change that counts, as a fraction.
  public static let standardThreshold = 0.15

  /// In the order of the report.
  public let closures: [Closure]
  /// Closures that only one side has, and other remarks, as sentences.
  public let notes: [String]
  /// Whether the baseline was written by this comparison.
  public let isNew: Bool

  /// The closures that became slower.
  public var regressions: [String] { closures.filter { $0.verdict == .slower }.map(\.name) }

  /// A line for each closure.
  public var description: String {
    (closures.map { closure in
      "\(closure.name): \(closure.verdict.rawValue), "
        + "\(Decimal.text(closure.changePercent, places: 1)) % "
        + "(\(closure.interval { Decimal.text($0, places: 1) }))"
    } + notes).joined(separator: "\n")
  }
}

extension FrameReport {
  /// Compares the costs of items with a baseline, by the statistics of `framebudget compare`: the Mann-Whitney test, corrected
  /// for the number of closures (Holm), and the 95 % interval that belongs to that test.
  ///
  /// Both sides are first scaled to the same speed of the main thread, by the duration of a probe. A change counts only beyond the
  /// share by which that thread was slower than at its best. If others used the processors during one of them, or if that speed
  /// is unknown because the main thread had no idle time, a smaller change than to twice the time is unsure. With
  /// `FRAMEBUDGET_UPDATE_BASELINE=1` in the environment, the baseline is written instead.
  ///
  /// - Parameters:
  ///   - path: the path of the baseline, relative to the working directory.
  ///   - threshold: the smallest change that counts, as a fraction: 0.15 is 15 %. Changes below a microsecond per item never
  ///     count, because measuring takes as long.
  /// - Returns: the change of each closure.
  /// - Throws: `noBaseline`, `otherMachine`, or `file` if it cannot be read or written.
  public func compare(
    to path: String, threshold: Double = BaselineComparison.standardThreshold
  ) throws(MeasurementError) -> BaselineComparison {
    let now = baseline
    if ProcessInfo.processInfo.environment["FRAMEBUDGET_UPDATE_BASELINE"] == "1" {
      do {
        try now.write(to: path)
      } catch {
        throw settings.error(.file(path, problem: "cannot be written: \(error)"))
      }
      return noted(
        BaselineComparison(closures: [], notes: ["\(path) was written"], isNew: true))
    }
    return noted(
      BaselineStatistics(base: try base(at: path), new: now, threshold: threshold).comparison)
  }

  private func noted(_ comparison: BaselineComparison) -> BaselineComparison {
    record?.note(comparison.checks)
    return comparison
  }

  private func base(at path: String) throws(MeasurementError) -> Baseline {
    let base: Baseline?
    do {
      base = try Baseline.read(path)
    } catch {
      throw settings.error(.file(path, problem: "is not a baseline: \(error)"))
    }
    guard let base else { throw settings.error(.noBaseline(path)) }
    guard base.machine == .here else {
      throw settings.error(
        .otherMachine(baseline: "\(base.machine)", here: "\(Baseline.Machine.here)"))
    }
    return base
  }

  /// This measurement as a baseline.
  var baseline: Baseline {
    Baseline(
      machine: .here, probe: speed.probe, fastestProbe: speed.fastestProbe,
      disturbance: disturbance,
      closures: closures.map { closure in
        Baseline.Closure(
          name: closure.name, samples: closure.samples,
          isEstimate: model.estimated.contains(closure.name) ? true : nil)
      })
  }
}

/// Compares two measurements by closure.
struct BaselineStatistics {
  let base: Baseline
  let new: Baseline
  let threshold: Double

  static let significance = 0.05
  /// The smallest change that counts if others used the processors meanwhile, as a fraction: threads that share a core's units
  /// and caches take up to twice as long. And if the speed of the main thread is unknown.
  static let disturbedThreshold = 1.0
  /// The smallest fraction that the notes mention.
  static let slowingNoted = 0.05
  /// The smallest time of an item that counts, in nanoseconds: measuring itself takes this long.
  static let resolution = 1000.0

  var comparison: BaselineComparison {
    let pairs = new.closures.compactMap { closure in
      base.closures.first { $0.name == closure.name }.map { (closure.name, $0, closure) }
    }.filter { !$0.1.samples.isEmpty && !$0.2.samples.isEmpty }
    let differences = pairs.map { _, old, now in difference(old, now) }
    let corrected = Holm.corrected(differences.map(\.test.p))
    let closures = zip(pairs, zip(differences, corrected)).map { pair, found in
      let isEstimate = pair.1.isEstimate ?? false || pair.2.isEstimate ?? false
      return closure(pair.0, found.0, p: found.1, isEstimate: isEstimate)
    }
    return BaselineComparison(closures: closures, notes: notes, isNew: false)
  }

  private func difference(
    _ old: Baseline.Closure, _ now: Baseline.Closure
  ) -> (old: Double, change: SampleDifference, test: MannWhitney) {
    // Scaled to the speed of the main thread at the time of the baseline.
    let isKnown = fastestProbe != nil && base.probe > 0 && new.probe > 0
    let speed = isKnown ? base.probe / new.probe : 1
    let (before, after) = (Sample(old.samples), Sample(now.samples.map { $0 * speed }))
    return (
      before.trimmedMean,
      SampleDifference(before, after),
      MannWhitney(before, after)
    )
  }

  private func closure(
    _ name: String,
    _ found: (old: Double, change: SampleDifference, test: MannWhitney), p: Double,
    isEstimate: Bool
  ) -> BaselineComparison.Closure {
    let percent = 100 / max(found.old, 1)
    let change = found.change.difference * percent
    let range = found.change.interval ?? -.infinity ... .infinity
    let (slowed, before) = (100 * slowing(new), 100 * slowing(base))
    let interval = range.lowerBound * percent - slowed...range.upperBound * percent + before
    let least = isVague ? max(threshold, Self.disturbedThreshold) : threshold
    let matters = max(100 * least, Self.resolution * percent)
    return BaselineComparison.Closure(
      name: name, changePercent: change, intervalPercent: interval, p: p,
      verdict: isEstimate
        ? .unsure : verdict(change - slowed...change + before, interval, p: p, from: matters))
  }

  private var fastestProbe: Double? {
    guard let before = base.fastestProbe, let now = new.fastestProbe else { return nil }
    return min(before, now) > 0 ? min(before, now) : nil
  }

  /// By what fraction the main thread was slower than at its best, during a measurement. Beside a busy neighbour of its core, items
  /// were seen to take up to twice as much longer as probes, of which scaling removes one half.
  private func slowing(_ side: Baseline) -> Double {
    fastestProbe.map { max(0, side.probe / $0 - 1) } ?? 0
  }

  private func verdict(
    _ change: ClosedRange<Double>, _ interval: ClosedRange<Double>, p: Double, from matters: Double
  ) -> BaselineComparison.Verdict {
    if p <= Self.significance, !interval.contains(0) {
      if change.lowerBound >= matters { return .slower }
      if change.upperBound <= -matters { return .faster }
    }
    let isSame = interval.lowerBound >= -matters && interval.upperBound <= matters
    return isSame && !isVague ? .same : .unsure
  }

  /// Whether equal times do not mean equal work.
  private var isVague: Bool {
    base.disturbance != nil || new.disturbance != nil || fastestProbe == nil
  }

  private var notes: [String] {
    let taken = [("the baseline", base.disturbance), ("this measurement", new.disturbance)]
    let disturbed = taken.compactMap { name, share in
      share.map {
        "during \(name) others took \(Decimal.text($0, places: 0)) % of the processors' time, so only twice the time counts"
      }
    }
    let slowed = [("the baseline", base), ("this measurement", new)]
      .filter { slowing($1) >= Self.slowingNoted }
      .map { name, side in
        let share = Decimal.text(100 * slowing(side), places: 0)
        return "during \(name) the main thread was \(share) % slower than at its best"
      }
    let unknown = [("the baseline", base), ("this measurement", new)]
      .filter { $1.fastestProbe ?? 0 <= 0 }
      .map { name, _ in
        "the speed of the main thread during \(name) is unknown, so only twice the time counts"
      }
    let (old, now) = (Set(base.closures.map(\.name)), Set(new.closures.map(\.name)))
    let unpaired =
      old.subtracting(now).sorted().map { "only in the baseline: \($0)" }
      + now.subtracting(old).sorted().map { "not in the baseline: \($0)" }
    return disturbed + slowed + unknown + unpaired
  }
}
