import FrameBudget
import Testing

@testable import Reports

struct `The comparison for people` {
  static let rows = [
    HandMadeRun.mainThread, .throttled, .locks, .schedulable,
  ].map { $0.row() }

  @Test(arguments: [80, 100, 120, 200])
  func `looks like this`(_ width: Int) throws {
    print(ComparisonReport.text(Self.rows, width: width, isColored: false))
  }
}
