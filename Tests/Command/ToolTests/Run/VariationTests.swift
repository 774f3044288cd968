import FrameBudget
import FrameBudgetScenarios
import Testing

@testable import FrameBudgetCLI

struct `--vary` {
  private func values(_ text: String) throws -> [String] {
    let variation = try Variation(parsing: text)
    return (0..<(variation.count ?? 0)).map { variation.override(at: $0).value }
  }

  @Test(arguments: [
    ("a.b=1..4", ["1", "2", "3", "4"]), ("a=3..3", ["3"]), ("a=-1..1", ["-1", "0", "1"]),
    ("a=1,5,9", ["1", "5", "9"]), ("a=60 Hz,120 Hz", ["60 Hz", "120 Hz"]),
    ("a=1.5,2.5", ["1.5", "2.5"]), ("a=9..10 ms", ["9 ms", "10 ms"]), ("a=1..2/s", ["1/s", "2/s"]),
    ("a=x", ["x"]), ("a=1...3", ["1...3"]), ("a=b=c", ["b=c"]),
    ("a=4..16:4 ms", ["4 ms", "8 ms", "12 ms", "16 ms"]), ("a=1..6:2", ["1", "3", "5"]),
    ("a=0.5..1.25:0.25 ms", ["0.5 ms", "0.75 ms", "1 ms", "1.25 ms"]),
    ("a=-1..1:0.5", ["-1", "-0.5", "0", "0.5", "1"]), ("a=0.1..0.3:0.1", ["0.1", "0.2", "0.3"]),
    ("a=7..7:10/s", ["7/s"]),
  ])
  func `takes a range, with or without a step, or a list`(
    _ text: String, _ values: [String]
  ) throws {
    #expect(try self.values(text) == values)
  }

  @Test(arguments: [
    ("a", "is not a variation"), ("=1", "is not a variation"), ("a=", "is not a variation"),
    ("a=1,,2", "has an empty value"), ("a=1,2,1", "has 1 twice"),
    ("a=4..1", "ends before it begins; swap its ends: 1..4"),
    ("a=4..1 ms", "ends before it begins; swap its ends: 1..4 ms"),
    ("a=1.5..1:0.1 ms", "ends before it begins; swap its ends: 1..1.5"),
    ("a=1..4:0", "a step that is not above 0"),
    ("a=1..4:-1", "a step that is not above 0"), ("a=1..4:", "values that are not numbers"),
    ("a=100..2000..50", "is not a range"), ("a=4 ms..8 ms", "as in 4..8:1 ms"),
    ("a=0.5..1.5", "is not a range"), ("a=1..4:1.5.2", "values that are not numbers"),
    ("a=1..4:ms", "values that are not numbers"),
    ("a=1..4:0.0000000001", "at most 9 decimals"),
    ("a=-9223372036854775808..9223372036854775807:1", "has too many values"),
  ])
  func `says what is wrong`(_ text: String, _ problem: String) {
    do {
      _ = try Variation(parsing: text)
      Issue.record("it was taken")
    } catch {
      #expect(error.status == .usage)
      #expect(error.message.contains(problem), "\(error.message)")
    }
  }

  @Test func `counts a million values without making them`() throws {
    #expect(try Variation(parsing: "a=1..1000000").count == 1_000_000)
    let all = "a=-9223372036854775808..9223372036854775807"
    #expect(try Variation(parsing: all).count == nil)
  }
}

struct `A grid of variations` {
  private func changes(_ texts: String...) throws -> [String] {
    let grid = try VariationGrid(parsing: texts)
    return (0..<grid.count).map { place in
      grid.overrides(at: place).map { "\($0.path)\($0.value)" }.joined(separator: " ")
    }
  }

  @Test func `turns the last fastest`() throws {
    #expect(
      try changes("a=1,2", "b=5..7", "c=x,y") == [
        "a1 b5 cx", "a1 b5 cy", "a1 b6 cx", "a1 b6 cy", "a1 b7 cx", "a1 b7 cy", "a2 b5 cx",
        "a2 b5 cy", "a2 b6 cx", "a2 b6 cy", "a2 b7 cx", "a2 b7 cy",
      ])
  }

  @Test func `is one combination where nothing varies`() throws { #expect(try changes() == [""]) }

  @Test func `tries the ends of ranges and all of lists, not each combination`() throws {
    let grid = try VariationGrid(parsing: ["a=1..100", "b=1,2,3", "c=1..1000"])
    #expect(grid.count == 300_000)
    #expect(grid.representatives == [0, 999, 1000, 2000, 297_000])
  }

  @Test(arguments: [
    ["a=1..2", "a=5"], ["a=1..4000000000", "b=1..4000000000"],
    ["a=-9223372036854775808..9223372036854775807"],
  ])
  func `refuses a path twice, and more than can be counted`(_ texts: [String]) {
    #expect(throws: ToolError.self) { try VariationGrid(parsing: texts) }
  }
}
