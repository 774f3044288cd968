import FrameBudget
import Testing

@testable import FrameBudgetReports

struct `Figures for people` {
  @Test(arguments: [
    (0, "0"), (0.001, "<0.01"), (0.02, "0.02"), (1.849, "1.85"), (9.999, "10"), (16.667, "16.7"),
    (99.96, "100"), (650, "650"), (6510.4, "6510"),
  ])
  func `have about three digits`(_ value: Double, _ text: String) {
    #expect(Figure.text(value) == text)
  }

  @Test(arguments: [(5760, ">5760"), (16.667, ">16.7"), (0.001, ">0"), (0, ">0")])
  func `are marked where they are lower bounds`(_ value: Double, _ text: String) {
    #expect(Figure.text(Observation(value, isBound: true)) == text)
    #expect(Figure.text(Observation(value)) == Figure.text(value))
  }

  @Test(arguments: [(0, "0"), (0.01, "<0.1"), (0.05, "0.1"), (65, "65"), (0.1667, "0.2")])
  func `do not hide one frame of many`(_ percent: Double, _ text: String) {
    #expect(Figure.percent(percent) == text)
  }

  @Test(arguments: [
    (0, "0 ms"), (0.012, "12 µs"), (0.9999, "1 ms"), (16.667, "16.7 ms"), (999.6, "1 s"),
    (6510, "6.5 s"), (60_000, "1 min"), (61_800, "1 min 2 s"),
  ])
  func `come in the unit that suits them`(_ milliseconds: Double, _ text: String) {
    #expect(Figure.span(milliseconds: milliseconds) == text)
  }

  @Test(arguments: [(1, "+1"), (-0.3, "-0.3"), (0, "0")])
  func `have a sign where they are differences`(_ value: Double, _ text: String) {
    #expect(Figure.signed(value) == text)
  }
}

struct `English words` {
  @Test(arguments: [(0, "0 frames"), (1, "1 frame"), (2, "2 frames")])
  func `follow their number`(_ count: Int, _ text: String) {
    #expect(English.count(count, "frame") == text)
  }

  @Test(arguments: [
    ("tap", "taps"), ("query", "queries"), ("key", "keys"), ("touch", "touches"),
    ("photos", "photos"), ("add-file", "add-files"), ("scan-2", "scan-2"), ("", ""),
    ("key press", "key presses"), ("class", "classes"), ("bus", "buses"), ("touche", "touches"),
  ])
  func `have a plural`(_ noun: String, _ plural: String) {
    #expect(English.plural(noun) == plural)
  }

  @Test(arguments: [
    ([], ""), (["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c"),
  ])
  func `make a list`(_ parts: [String], _ text: String) {
    #expect(English.list(parts) == text)
  }

  @Test func `are broken into lines, but never within a word`() {
    #expect(
      Paragraph.wrapped("one two three fourteenth", width: 9, indent: "  ")
        == ["one two", "  three", "  fourteenth"])
    #expect(Paragraph.wrapped("", width: 9) == [])
  }
}
