import FrameBudget
import Testing

@Suite struct DecimalTests {
  @Test(arguments: [
    (16.666666666666668, 6, "16.666667"), (2610, 6, "2610"), (0.02, 6, "0.02"), (0, 3, "0"),
    (-0.0000001, 6, "0"), (-1.25, 6, "-1.25"), (0.5, 0, "1"), (123.456, 1, "123.5"),
    (1e12, 6, "1000000000000"),
  ])
  func `a number is written without trailing zeros`(value: Double, places: Int, text: String) {
    #expect(Decimal.text(value, places: places) == text)
  }

  @Test func `a number too large for exact decimals is still written`() {
    #expect(Decimal.text(1e300, places: 6) == "1e+300")
  }

  @Test(arguments: [9_007_199_254.740993, 73_685_425_067.62, -4_375_686_838_123.31, 1e15, 9.1e18])
  func `a large number is written so that it reads back`(value: Double) {
    #expect(Double(Decimal.text(value, places: 6)) == value)
  }

  @Test(arguments: [
    ("0", 3, 0), ("-0", 3, 0), ("1", 3, 1000), ("1.5", 3, 1500), ("-1.5", 3, -1500),
    ("0001.500000", 3, 1500), ("2.6", 6, 2_600_000), ("7", 0, 7), ("7.000", 0, 7),
    ("9223372036854775807", 0, Int64.max), ("-9223372036854775807", 0, -Int64.max),
    ("9223372036.854775807", 9, Int64.max),
  ])
  func `a decimal number is read exactly`(text: String, places: Int, units: Int64) {
    #expect(Decimal.units(text, places: places) == units)
    #expect(Decimal.units(Array(text.utf8).span, places: places) == units)
  }

  @Test(arguments: [
    "", "-", ".", "5.", ".5", "-.5", "1.2.3", "--1", "+1", "1-", "1e3", " 1", "1 ", "0x10", "१",
    "NaN", "inf", "1,5", "1.2345", "9223372036854775808", "99999999999999999999999999",
  ])
  func `anything else is not a number`(text: String) {
    let places = text.count < 7 ? 3 : 0
    #expect(Decimal.units(text, places: places) == nil)
    #expect(Decimal.units(Array(text.utf8).span, places: places) == nil)
  }

  @Test func `a written number reads back as itself`() {
    var stream = RandomStream(seed: 1, name: "decimals")
    for _ in 0..<1000 {
      let units = Int64(bitPattern: stream.next()) >> Int64(stream.next() % 63)
      for places in [0, 1, 3, 9, 18] {
        let text = Decimal.text(units: units, places: places)
        #expect(Decimal.units(text, places: places) == units, "\(text)")
      }
    }
  }
}
