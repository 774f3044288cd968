import FrameBudget
import Parsing

extension FrameTally {
  /// What a reader of the numbers should know of the log.
  var warnings: [String] { ofValues + ofTimes + ofRate }

  private var ofValues: [String] {
    var warnings: [String] = []
    if let first = doubts.firstImpossible {
      warnings.append(
        "\(doubts.impossible) impossible values were left out, the first in line \(first.line):"
          + " \(first.value)")
    }
    if doubts.missing > 0 { warnings.append("\(doubts.missing) rows hold no frame time") }
    if doubts.steppedBack > 0 {
      warnings.append("\(doubts.steppedBack) rows are older than the row above them")
    }
    if !frameTimes.isExact {
      warnings.append(
        "percentiles are exact to 0.05 % (more than \(Distribution.exactCount) frames)")
    }
    return warnings
  }

  /// Where the log contradicts itself.
  private var ofTimes: [String] {
    var warnings = ofGaps
    if doubts.zeros > 0 {
      warnings.append(
        "\(doubts.zeros) rows say that they were shown, but for 0 ms: they count as superseded")
    }
    let covered = covered
    if let longest = Percentiles(covered).maximum, let elapsed = doubts.elapsed,
      doubts.isTooShort(for: covered.sum, longest: Int64(longest))
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
    var gaps = doubts.gaps
    covered.fromLongest { span, times in
      gaps.add(span, times: times)
      return span > OutsideTime.longestGap
    }
    return gaps.note.map { [$0] } ?? []
  }

  private var ofRate: [String] {
    guard let refresh else { return [] }
    var warnings: [String] = []
    if let told, !told.isAbout(refresh) {
      warnings.append("the log says that its display has \(refresh); --hz is not used")
    }
    if hasSeveralRates {
      warnings.append("the refresh rate changes: what is in ms by periods is left empty")
    }
    guard clock != .vsyncs, told == refresh else { return warnings }
    let covered = covered
    let rate = Double(covered.count) * 1e9 / Double(max(1, covered.sum))
    if covered.count >= 10, rate > 1.02 * refresh.hertz {
      warnings.append(
        """
        \(Decimal.text(rate, places: 1)) images per second are more than a display of \(refresh) can show: is \
        --hz right?
        """)
    }
    if clock == .screen, let better = fit.better(than: refresh) {
      warnings.append("its images fit \(better) far better than \(refresh): is --hz right?")
    }
    return warnings
  }

  static func seconds(_ nanoseconds: Int64) -> String {
    Decimal.text(Double(nanoseconds) / 1e9, places: 1) + " s"
  }
}
