import FrameBudget
import Testing

@testable import FrameBudgetCaptures

/// Measures that a page made itself, with a coarse clock.
struct MeasureFitterTests {
  private func slice(_ name: Int32, _ begin: Int64, _ end: Int64) -> RecordedSlice {
    RecordedSlice(
      name: name, depth: 0, begin: .microseconds(begin), length: .microseconds(end - begin))
  }

  /// Two tasks, the first of which contains a call, in microseconds: 1000 to 31 000 with 1050 to 30 900, and 31 020 to 40 000.
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
    // Exact: within the call, around it, and after it.
    (2000, 3000, "2 2000-3000"), (1010, 30_950, "1 1010-30950"), (30_910, 30_990, "1 30910-30990"),
    // Too early by less than the resolution of the clock: moved into the enclosing call, or into the task.
    (1020, 5000, "2 1050-5000"), (960, 5000, "2 1050-5000"), (940, 30_990, "1 1000-30990"),
    // Too late.
    (20_000, 30_930, "2 20000-30900"), (32_000, 40_090, "1 32000-40000"),
    // Begins right before its task, while the previous task was still running.
    (30_940, 35_000, "1 31020-35000"),
  ])
  func `fits if it exceeds its place by no more than the clock's resolution`(
    _ begin: Int64, _ end: Int64, _ expected: String
  ) {
    let (spans, leftOut) = fitted((begin, end))
    #expect(spans == [expected])
    #expect(leftOut == 0)
  }

  @Test(arguments: [
    // Before all tasks, between two tasks, and too far across the edge of the first or the last.
    (100, 500), (31_005, 31_015), (800, 5000), (35_000, 40_200), (800, 40_200),
  ])
  func `is left out if it does not begin and end in tasks`(_ begin: Int64, _ end: Int64) {
    let (spans, leftOut) = fitted((begin, end))
    #expect(spans.isEmpty)
    #expect(leftOut == 1)
  }

  @Test func `is cut at the edges of slices that it crosses, and of tasks`() throws {
    #expect(fitted((2000, 35_000)).spans == ["2 2000-30900", "1 31020-35000"])
    let slices = SliceNester.nest([
      slice(0, 0, 20_000), slice(1, 1000, 8000), slice(1, 2000, 6000), slice(1, 9000, 18_000),
      slice(1, 10_000, 11_000),
    ]).slices
    let (found, leftOut) = MeasureFitter.fit([slice(2, 3000, 15_000)], into: slices)
    let parts = found.filter { $0.name == 2 }
    #expect(
      parts.map { "\($0.depth) \($0.begin.nanoseconds / 1000)-\($0.end.nanoseconds / 1000)" }
        == ["3 3000-6000", "2 6000-8000", "1 8000-9000", "2 9000-15000"])
    #expect(parts.map(\.continues) == [false, true, true, true])
    #expect(leftOut == 0)
    // Enclosed slices stay enclosed.
    #expect(found.first { $0.begin == .microseconds(10_000) }?.depth == 3)
  }

  @Test func `nests inside slices that call the app, and around slices that the app calls`() {
    let slices = SliceNester.nest([
      slice(0, 0, 10_000), slice(1, 100, 4000), slice(3, 1000, 2000), slice(1, 4500, 5500),
      slice(1, 6000, 9000),
    ]).slices
    let found = MeasureFitter.fit([slice(2, 500, 7000)], into: slices, entries: [1]).slices
    #expect(
      found.filter { $0.name == 2 }.map {
        "\($0.depth) \($0.begin.nanoseconds / 1000)-\($0.end.nanoseconds / 1000)"
      } == ["2 500-4000", "1 4000-4500", "2 4500-5500", "1 5500-6000", "2 6000-7000"])
    #expect(found.first { $0.name == 3 }?.depth == 3)
  }

  @Test func `has a part in each task that its own parts posted, and in no others`() {
    let slices = SliceNester.nest((0..<6).map { slice(0, 10_000 * $0, 10_000 * $0 + 5000) }).slices
    // The first posts the third, the third posts the fourth, and the second posts the fifth.
    let posts = [(2, 3000), (3, 22_000), (4, 11_000)].map {
      RecordedPost(slice: $0.0, instant: .microseconds($0.1))
    }
    let found = MeasureFitter.fit([slice(2, 1000, 52_000)], into: slices, selfPosts: posts).slices
    #expect(
      found.filter { $0.name == 2 }.map {
        "\($0.begin.nanoseconds / 1000)-\($0.end.nanoseconds / 1000)"
      } == ["1000-5000", "20000-25000", "30000-35000", "50000-52000"])
  }

  @Test func `nests, and is cut at the ends of those that began before it`() {
    let (spans, leftOut) = fitted((5000, 9000), (2000, 10_000), (8000, 12_000), (12_000, 12_000))
    #expect(
      spans == [
        "2 2000-10000", "3 5000-9000", "4 8000-9000", "3 9000-10000", "2 10000-12000",
        "2 12000-12000",
      ])
    #expect(leftOut == 0)
  }

  /// In a false file each measure may cross all others.
  @Test(.timeLimit(.minutes(2)))
  func `nests in a time that grows with the number of measures`() {
    let count: Int64 = 20_000
    let measures = (0..<count).map { slice(2, 1000 + $0, 1000 + count + $0) }
    let task = SliceNester.nest([slice(0, 0, 1000 + 3 * count)]).slices
    let found = MeasureFitter.fit(measures, into: task).slices
    #expect(found.count <= 20 * Int(count))
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

  @Test func `keeps its place among more slices than a coarse clock can distinguish`() {
    let calls = (0..<2000).map { slice(1, 1000 + $0 / 20, 1000 + $0 / 20) }
    let slices = SliceNester.nest([slice(0, 0, 10_000), slice(1, 1060, 6000)] + calls).slices
    for (begin, spans) in [(1050, ["1050-1060", "1060-5000"]), (3000, ["3000-5000"])]
      as [(Int64, [String])]
    {
      let (found, leftOut) = MeasureFitter.fit([slice(2, begin, 5000)], into: slices)
      #expect(leftOut == 0)
      #expect(
        found.filter { $0.name == 2 }.map {
          "\($0.begin.nanoseconds / 1000)-\($0.end.nanoseconds / 1000)"
        } == spans.filter { $0 != "1050-1060" })
    }
  }
}
