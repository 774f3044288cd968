import FrameBudget
import Testing

@testable import Recordings

/// What a page measured itself, by a clock that is coarse.
struct MeasureFitterTests {
  private func slice(_ name: Int32, _ begin: Int64, _ end: Int64) -> RecordedSlice {
    RecordedSlice(
      name: name, depth: 0, begin: .microseconds(begin), length: .microseconds(end - begin))
  }

  /// Two tasks of which the first has a call, in microseconds: 1000 to 31 000 with 1050 to 30 900, and 31 020 to 40 000.
  private func fitted(_ measures: (Int64, Int64)...) -> (spans: [String], leftOut: Int) {
    let slices = SliceNester.nest([
      slice(0, 1000, 31_000), slice(1, 1050, 30_900), slice(0, 31_020, 40_000),
    ]).slices
    let (found, leftOut) = MeasureFitter.fit(measures.map { slice(2, $0.0, $0.1) }, into: slices)
    let spans = found.filter { $0.name == 2 }.map {
      "\($0.depth) \($0.begin.nanoseconds / 1000)-\($0.end.nanoseconds / 1000)"
    }
    return (spans, leftOut)
  }

  @Test(arguments: [
    // Exact: within the call, around it, and behind it.
    (2000, 3000, "2 2000-3000"), (1010, 30_950, "1 1010-30950"), (30_910, 30_990, "1 30910-30990"),
    // Too early by less than the clock says: into the call it is within, into the task.
    (1020, 5000, "2 1050-5000"), (960, 5000, "2 1050-5000"), (940, 30_990, "1 1000-30990"),
    // Too late.
    (20_000, 30_930, "2 20000-30900"), (32_000, 40_090, "1 32000-40000"),
    // Begun right before its task, when the one before was still there.
    (30_940, 35_000, "1 31020-35000"),
  ])
  func `fits where that is no more than the clock is off`(
    _ begin: Int64, _ end: Int64, _ expected: String
  ) {
    let (spans, leftOut) = fitted((begin, end))
    #expect(spans == [expected])
    #expect(leftOut == 0)
  }

  @Test(arguments: [
    // Over more than one task, before all, between two, over the edge of one by too much.
    (2000, 35_000), (100, 500), (31_005, 31_015), (800, 5000), (35_000, 40_200),
  ])
  func `is left out otherwise`(_ begin: Int64, _ end: Int64) {
    let (spans, leftOut) = fitted((begin, end))
    #expect(spans.isEmpty)
    #expect(leftOut == 1)
  }

  @Test func `nests, and crosses none that began before`() {
    let (spans, leftOut) = fitted((5000, 9000), (2000, 10_000), (8000, 12_000), (12_000, 12_000))
    #expect(spans == ["2 2000-10000", "3 5000-9000", "2 12000-12000"])
    #expect(leftOut == 1)
  }

  /// Each measure against each slice would take an hour.
  @Test(.timeLimit(.minutes(2)))
  func `fits as many as there are slices in one task`() {
    let count: Int64 = 50_000
    let task = slice(0, 0, 1000 * count)
    let calls = (0..<count).map { slice(1, 1000 * $0 + 100, 1000 * $0 + 800) }
    let measures = (0..<count).map { slice(2, 1000 * $0 + 200, 1000 * $0 + 850) }
    let (found, leftOut) = MeasureFitter.fit(
      measures, into: SliceNester.nest([task] + calls).slices)
    #expect(leftOut == 0)
    #expect(found.filter { $0.name == 2 }.map(\.depth) == Array(repeating: 2, count: Int(count)))
  }

  @Test func `is left out beside more slices than a coarse clock tells apart`() {
    let calls = (0..<2000).map { slice(1, 1000 + $0 / 20, 1000 + $0 / 20) }
    let slices = SliceNester.nest([slice(0, 0, 10_000)] + calls).slices
    #expect(MeasureFitter.fit([slice(2, 1050, 5000)], into: slices).leftOut == 1)
    #expect(MeasureFitter.fit([slice(2, 3000, 5000)], into: slices).leftOut == 0)
  }
}
