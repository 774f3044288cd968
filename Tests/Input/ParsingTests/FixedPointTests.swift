import FrameBudgetParsing
import Testing

struct FixedPointTests {
  static func parse(_ text: String, _ places: Int) -> FixedPoint {
    let bytes = Array(text.utf8)
    return FixedPoint.parse(bytes.span, 0..<bytes.count, places: places)
  }

  @Test(arguments: [
    ("16.6393", 6, 16_639_300), ("-16.5", 3, -16_500), ("7", 9, 7_000_000_000), ("0.0000019", 6, 1),
    (" 12 ", 0, 12), ("1.84e3", 0, 1840), ("5e-05", 6, 50), (".5", 1, 5), ("5.", 1, 50),
    ("9223372036854775799", 0, 9_223_372_036_854_775_799),
  ])
  func `a number is read in its units, and truncated to them`(
    _ text: String, _ places: Int, _ value: Int64
  ) {
    #expect(Self.parse(text, places) == .value(value))
  }

  @Test(arguments: ["", "NA", "n/a", "nan", "NaN", " "])
  func `a word for nothing is missing`(_ text: String) {
    #expect(Self.parse(text, 6) == .missing)
  }

  @Test(arguments: ["99999999999999999999", "1e300", "10000000000000", "-9223372036854775808"])
  func `a number beyond any log is out of range`(_ text: String) {
    #expect(Self.parse(text, 6) == .outOfRange)
  }

  @Test(arguments: ["abc", "1.2.3", "-", ".", "1,5", "0x10", "1e", "--1", "inf"])
  func `anything else is malformed`(_ text: String) {
    #expect(Self.parse(text, 6) == .malformed)
  }
}
