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
