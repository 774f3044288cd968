import FrameBudget
import FrameBudgetParsing

extension FrameTally {
  /// Facts about the log that readers of the numbers should know.
  var warnings: [String] { ofValues + ofTimes + ofRate }

  private var ofValues: [String] {
    var warnings: [String] = []
    if let first = issues.firstImpossible {
      warnings.append(
        "\(issues.impossible) impossible values were ignored, the first in line \(first.line):"
          + " \(first.value)")
    }
    if issues.missing > 0 { warnings.append("\(issues.missing) rows hold no frame time") }
    if issues.steppedBack > 0 {
      warnings.append("\(issues.steppedBack) rows are older than the row above them")
    }
    if !frameTimes.isExact {
      warnings.append(
        "percentiles are exact to 0.05 % (more than \(Distribution.exactCount) frames)")
    }
    return warnings
  }

  /// Contradictions in the log.
  private var ofTimes: [String] {
    var warnings = ofGaps
    if issues.zeros > 0 {
      warnings.append(
        "\(issues.zeros) rows were shown for 0 ms, so they count as superseded")
    }
    let covered = covered
    if let longest = Percentiles(covered).maximum, let elapsed = issues.elapsed,
      issues.isTooShort(for: covered.sum, longest: Int64(longest))
    {
      warnings.append(
        """
        the times between images add up to \(Self.seconds(covered.sum)), while the rows span \
        \(Self.seconds(elapsed)); duration_ms and average_fps are by the former
        """)
    }
    return warnings
  }

  /// Long stretches without an image, or without a frame: a pause, or a broken number.
  private var ofGaps: [String] {
    var gaps = issues.gaps
    covered.fromLongest { span, times in
      gaps.add(span, times: times)
      return span > InputTime.longestGap
    }
    return gaps.note.map { [$0] } ?? []
  }

  /// A common rate that fits far better than that of `--hz`, if the log has none.
  var betterRate: RefreshRate? {
    guard let refresh, requested == refresh else { return nil }
    return fit.better(than: refresh)
  }

  private var ofRate: [String] {
    guard let refresh else { return [] }
    var warnings: [String] = []
    if let requested, !requested.isAbout(refresh) {
      warnings.append("the log has a refresh rate of \(refresh); --hz is ignored")
    }
    if hasSeveralRates {
      warnings.append("the refresh rate changes: metrics in ms that depend on the period are empty")
    }
    guard requested == refresh else { return warnings }
    let covered = covered
    let rate = Double(covered.count) * 1e9 / Double(max(1, covered.sum))
    if covered.count >= 10, rate > 1.02 * refresh.hertz {
      warnings.append(
        """
        \(Decimal.text(rate, places: 1)) images per second are more than a display of \(refresh) can show: is \
        --hz right?
        """)
    }
    if clock != .app, !fitsNoGrid, !isOnDemand, let better = betterRate {
      let times = clock == .screen ? "images" : "vsyncs"
      warnings.append("its \(times) fit \(better) far better than \(refresh): is --hz right?")
    }
    return warnings
  }

  static func seconds(_ nanoseconds: Int64) -> String {
    Decimal.text(Double(nanoseconds) / 1e9, places: 1) + " s"
  }
}

/// Problems of a log, counted while reading and reported at the end.
struct LogIssues: Sendable {
  private(set) var rows = 0
  private(set) var missing = 0
  private(set) var impossible = 0
  private(set) var firstImpossible: (line: Int, value: String)?
  /// Rows that were shown for 0 ms.
  private(set) var zeros = 0
  private(set) var first: Int64?
  private(set) var last: Int64?
  private(set) var steppedBack = 0
  /// Idle times of more than a minute that are in no frame's time.
  private(set) var gaps = LongGaps()

  /// Rows of several threads may be slightly out of order, never by this much.
  static let maxBackwardStep: Int64 = 1_000_000_000
  /// Frame times that cover less of the elapsed time are only samples.
  static let minCoverage = 0.95

  mutating func row() { rows += 1 }
  mutating func missed() { missing += 1 }
  mutating func countZeroDuration() { zeros += 1 }

  /// Records an impossible value, such as a frame of -1.8e15 ms.
  mutating func noteImpossible(_ value: String, line: Int) {
    impossible += 1
    if firstImpossible == nil { firstImpossible = (line, value) }
  }

  /// Records a span in which no frame was wanted.
  mutating func rested(_ span: Int64) { gaps.add(span) }

  /// Records the time of a row; returns false if it is long before the previous row.
  mutating func at(_ instant: Int64) -> Bool {
    defer { last = max(last ?? instant, instant) }
    if first == nil { first = instant }
    guard let last, instant < last else { return true }
    steppedBack += 1
    let (back, overflow) = last.subtractingReportingOverflow(instant)
    return !overflow && back <= Self.maxBackwardStep
  }

  /// Whether the log is not in the order of time: too many rows are older than the previous one.
  var areShuffled: Bool { steppedBack > 3 && steppedBack * 4 > rows }

  /// From the first row's instant to the last's, in nanoseconds.
  var elapsed: Int64? {
    guard let first, let last else { return nil }
    let (elapsed, overflow) = last.subtractingReportingOverflow(first)
    return overflow ? nil : elapsed
  }

  /// Whether spans with this sum leave much of the elapsed time uncovered.
  func areSamples(sum: Int64) -> Bool {
    guard let elapsed, elapsed > 100_000_000 else { return false }
    return Double(sum) < Self.minCoverage * Double(elapsed)
  }

  /// Whether spans with this sum, the longest of them `longest`, exceed the elapsed time.
  func isTooShort(for sum: Int64, longest: Int64) -> Bool {
    guard let elapsed else { return false }
    return Double(sum) > Double(elapsed) / Self.minCoverage + Double(longest)
  }
}
