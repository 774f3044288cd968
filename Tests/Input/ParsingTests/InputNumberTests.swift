import FrameBudgetParsing
import Testing

struct InputNumberTests {
  @Test(arguments: [
    ("1", 1.0), ("-0.5", -0.5), ("+2e3", 2000), ("999999999999999", 999_999_999_999_999),
  ])
  func `digits with a sign, a point and an exponent are a number`(_ text: String, _ number: Double)
  {
    #expect(InputNumber.real(text) == number)
  }

  @Test(arguments: [
    "", " ", "word", "nan", "NaN", "inf", "Infinity", "-infinity", "0x10", "1e999", "-1e999", "1,5",
    "٣",
    "1e15", "-1e15", "1e308",
  ])
  func `text that is not a number, or out of range, is nil`(_ text: String) {
    #expect(InputNumber.real(text) == nil)
    #expect(InputNumber.whole(text) == nil)
  }

  /// The bytes of a field are read without making a text of them.
  @Test func `bytes are the same number as their text`() {
    let texts = [
      "0", "-0", "7", "-7.5", "007", "0.1", "123456789012345", "1234567890.12345",
      "0.000000000000001",
      "999999999999999", "9999999999999999", "0.30000000000000004", "16.666667", "1.", ".5", "-",
      "",
      "+1", "1e3", "1-2", "1.2.3", "--1", "-.5", "12345678901234567890", "1e400", "\"1\"", " 1",
      "\u{664}",
    ]
    var random = SystemRandomNumberGenerator()
    let drawn = (0..<2000).map { _ in
      let count = Int.random(in: 1...17, using: &random)
      return String((0..<count).map { _ in "0123456789.-".randomElement(using: &random) ?? "0" })
    }
    for text in texts + drawn {
      let bytes = Array(text.utf8)
      #expect(
        InputNumber.decimal(bytes.span).map(\.bitPattern)
          == InputNumber.decimal(text).map(\.bitPattern),
        "\(text)")
    }
  }

  @Test func `the sum of the largest count over all rows of a file fits into 64 bits`() {
    #expect(InputNumber.whole("1099511627776") == 1 << 40)
    #expect(InputNumber.whole("1099511627777") == nil && InputNumber.whole("-1") == nil)
    #expect(!InputNumber.counts.upperBound.multipliedReportingOverflow(by: 1_000_000).overflow)
  }

  @Test func `a seed may have 64 bits`() {
    #expect(InputNumber.seed("18446744073709551615") == .max)
    #expect(InputNumber.seed("18446744073709551616") == nil)
  }
}
