import FrameBudget
import Testing

@testable import FrameBudgetReports

struct `The meaning of ranges` {
  /// A run with ranges of dropped frames and of responses, the first with a margin if there is a level.
  private static func run(_ kind: PredictionKind, margin: Double? = nil) -> RunRecord {
    var numbers = [
      "dropped_frames_pct_low": 10.0, "dropped_frames_pct_high": 12,
      "response_ms_p99_low": 20, "response_ms_p99_high": 40,
    ]
    if let margin {
      numbers["dropped_frames_pct_margin"] = margin
      numbers["range_runs"] = 321
      numbers["range_level_pct"] = 90
    }
    var record = RunRecord()
    record.numbers = RowNumbers(numbers)
    record.rangeKind = kind
    return record
  }

  @Test func `is that of measured runs where there are margins, and of small changes elsewhere`() {
    let measured = Self.run(.threadsFit, margin: 3)
    let dropped = RangeWords([measured], [.droppedPercent])
    #expect(
      dropped?.text == "90 % of runs on threads lie inside (by 321 of threads-fit-cores)"
        && dropped?.isMeasured == true)
    let both = RangeWords([measured, Self.run(.moreThreads, margin: 3)])
    #expect(both?.isMeasured == false)
    #expect(both?.text.contains("(by 321 of threads-fit-cores and 321 of more-th") == true)
    #expect(both?.text.hasSuffix("; of response_ms_p99, only \(RangeWords.smallChanges)") == true)
    let learned = RangeWords([Self.run(.learned)])
    #expect(learned?.text == RangeWords.smallChanges && learned?.isMeasured == false)
    #expect(RangeWords([RunRecord()]) == nil)
    #expect(RangeWords([measured], [.frameTime(.p99)]) == nil)
  }

  @Test func `decides what is printed: ends with margins, within 0 and 100`() {
    let measured = Self.run(.threadsFit, margin: 3)
    #expect(measured.range(of: .droppedPercent) == 10...12)
    #expect(measured.shownRange(of: .droppedPercent) == 7...15)
    #expect(measured.shownRange(of: .response(.p99)) == 20...40)
    #expect(Self.run(.learned).shownRange(of: .droppedPercent) == 10...12)
    #expect(Self.run(.moreThreads, margin: 95).shownRange(of: .droppedPercent) == 0...100)
    // A file that somebody has changed, or of another version.
    #expect(Self.run(.threadsFit, margin: -1).shownRange(of: .droppedPercent) == 10...12)
    var others = [measured, measured]
    others[0].rangeKind = nil
    others[1].numbers = RowNumbers([
      "dropped_frames_pct_low": 10, "dropped_frames_pct_high": 12, "dropped_frames_pct_margin": 3,
      "range_runs": 321, "range_level_pct": 80,
    ])
    #expect(others.map { $0.shownRange(of: .droppedPercent) } == [10...12, 10...12])
    #expect(RangeWords(others, [.droppedPercent])?.text == RangeWords.smallChanges)
  }
}
