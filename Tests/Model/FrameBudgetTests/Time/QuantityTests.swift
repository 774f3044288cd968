import FrameBudget
import Testing

@Suite struct QuantityTests {
  @Test(arguments: [
    ("0", 0), ("0 s", 0), ("1 ns", 1), ("1500 ns", 1500), ("150 us", 150_000), ("150 µs", 150_000),
    ("2.6 ms", 2_600_000), ("2.6ms", 2_600_000), ("  2.6   ms  ", 2_600_000),
    ("0.000001 ms", 1), ("5 s", 5_000_000_000), ("1.5 min", 90_000_000_000),
    ("86400 s", 86_400_000_000_000), ("1440 min", 86_400_000_000_000),
  ])
  func `a duration has a number and a unit`(text: String, nanoseconds: Int64) throws {
    #expect(try Quantity.timeSpan(text) == TimeSpan(nanoseconds: nanoseconds))
  }

  @Test(arguments: [
    ("", "is not a duration"), ("ms", "is not a duration"), ("soon", "is not a duration"),
    ("2.6", "has no unit; allowed: ns, us, ms, s or min"), ("00", "has no unit"),
    ("5 h", "has the unit 'h'; allowed: ns, us, ms, s or min"), ("5 MS", "has the unit 'MS'"),
    ("1e3 ms", "has the unit 'e3 ms'"), ("1,5 s", "has the unit ',5 s'"),
    ("1-2 ms", "is not a duration"), ("1.2.3 s", "is not a duration"),
    ("0.5 ns", "is not a duration"), ("-1 ns", "is out of range"), ("-5 s", "is out of range"),
    ("86400.000000001 s", "is out of range"), ("1441 min", "is out of range"),
    ("9223372036.854775807 min", "is out of range"), ("-9223372036 min", "is out of range"),
    ("99999999999999999999 s", "is not a duration"),
  ])
  func `an invalid duration is refused with the reason`(text: String, reason: String) {
    expectFailure(reason) { () throws(Quantity.Failure) in try Quantity.timeSpan(text) }
  }

  @Test(arguments: [
    ("60 Hz", 60, 1), ("60Hz", 60, 1), ("60.0 Hz", 60, 1), ("1 Hz", 1, 1), ("1000 Hz", 1000, 1),
    ("59.95 Hz", 1199, 20), ("23.976 Hz", 24000, 1001), ("29.97 Hz", 30000, 1001),
    ("59.94 Hz", 60000, 1001), ("59.940 Hz", 60000, 1001), ("119.88 Hz", 120_000, 1001),
    ("1.000001 Hz", 1_000_001, 1_000_000),
  ])
  func `a refresh rate is an exact fraction`(text: String, hertz: Int64, divisor: Int64) throws {
    #expect(try Quantity.refreshRate(text) == RefreshRate(hertz, over: divisor))
  }

  @Test(arguments: [
    ("60", "has no unit; allowed: Hz"), ("60 fps", "has the unit 'fps'"),
    ("0 Hz", "is out of range; allowed: rates from 1 Hz to 1000 Hz"),
    ("0.999999 Hz", "is out of range"), ("1000.000001 Hz", "is out of range"),
    ("-60 Hz", "is out of range"), ("sixty Hz", "is not a rate"),
    ("60.0000001 Hz", "is not a rate"),
  ])
  func `an invalid refresh rate is refused with the reason`(text: String, reason: String) {
    expectFailure(reason) { () throws(Quantity.Failure) in try Quantity.refreshRate(text) }
  }

  @Test(arguments: [("30/s", 30), ("0.5 /s", 0.5), ("1000000/s", 1e6), ("0.000001/s", 1e-6)])
  func `an arrival rate is a number per second`(text: String, rate: Double) throws {
    #expect(try Quantity.itemsPerSecond(text) == rate)
  }

  @Test(arguments: [
    ("30", "has no unit"), ("0/s", "is out of range"), ("-1/s", "is out of range"),
    ("1000000.1/s", "is out of range"), ("many/s", "is not a rate such as 30/s"),
  ])
  func `an invalid arrival rate is refused with the reason`(text: String, reason: String) {
    expectFailure(reason) { () throws(Quantity.Failure) in try Quantity.itemsPerSecond(text) }
  }

  @Test(arguments: [
    ("0 B", 0), ("17 B", 17), ("1.5 kB", 1500), ("1 MB", 1_000_000), ("1 GB", 1_000_000_000),
    ("1 KiB", 1024), ("1.5 KiB", 1536), ("1 MiB", 1 << 20), ("1 GiB", 1 << 30),
    ("0.001 KiB", 1),
  ])
  func `a size can use powers of 1000 and of 1024`(text: String, bytes: Int) throws {
    #expect(try Quantity.bytes(text) == bytes)
  }

  @Test(arguments: [
    ("1", "has no unit"), ("1 mb", "has the unit 'mb'"), ("1.5 B", "is not a size"),
    ("KiB", "is not a size"), ("-1 B", "is out of range"), ("-1 GiB", "is out of range"),
    ("1.001 GiB", "is out of range"), ("1073741825 B", "is out of range"),
    // These once overflowed and stopped the program.
    ("1073741824 GiB", "is out of range"), ("9000000000000 GiB", "is out of range"),
    ("-9000000000000000 GiB", "is out of range"), ("9223372036854775 KiB", "is out of range"),
  ])
  func `an invalid size is refused with the reason`(text: String, reason: String) {
    expectFailure(reason) { () throws(Quantity.Failure) in try Quantity.bytes(text) }
  }

  private func expectFailure<Value>(
    _ reason: String, of read: () throws(Quantity.Failure) -> Value,
    at location: SourceLocation = #_sourceLocation
  ) {
    do {
      let value = try read()
      Issue.record("was read as \(value)", sourceLocation: location)
    } catch {
      #expect(error.reason.hasPrefix(reason), sourceLocation: location)
    }
  }
}
