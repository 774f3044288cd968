internal import FrameBudgetParsing

/// The clocks of a Perfetto trace, converted to the trace's main clock.
struct PerfettoClocks {
  /// The time since the machine started, which is the default clock.
  static let boot: UInt64 = 6
  /// Clocks from this number on belong to one sequence of packets.
  private static let firstOfSequence: UInt64 = 64

  private struct Clock: Hashable {
    var sequence: UInt64
    var number: UInt64

    init(_ number: UInt64, of sequence: UInt64) {
      self.number = number
      self.sequence = number < PerfettoClocks.firstOfSequence ? 0 : sequence
    }
  }

  private struct Reading {
    /// Its offset from the trace's clock.
    var offset: Int64
    /// The last value, for clocks whose values are increments.
    var last: Int64?
    var unit: Int64
  }

  /// The value of a clock at a snapshot.
  struct ClockValue {
    var number: UInt64 = 0
    var value: Int64 = 0
    var isIncremental = false
    /// In nanoseconds.
    var unit: Int64 = 1

    var nanoseconds: Int64 { value &* unit }
  }

  private var readings: [Clock: Reading] = [:]

  /// Adds the values of several clocks at the same moment.
  mutating func take(_ snapshot: [ClockValue], sequence: UInt64) {
    guard let moment = moment(of: snapshot) else { return }
    for clock in snapshot {
      readings[Clock(clock.number, of: sequence)] = Reading(
        offset: moment &- clock.nanoseconds, last: clock.isIncremental ? clock.nanoseconds : nil,
        unit: clock.unit)
    }
  }

  /// The moment of a snapshot on the trace's clock, or on a clock with a known offset from it. If a trace never has its own
  /// clock, the first clock in it takes its place.
  private func moment(of snapshot: [ClockValue]) -> Int64? {
    if let boot = snapshot.first(where: { $0.number == Self.boot }) { return boot.nanoseconds }
    let shared = snapshot.filter { $0.number < Self.firstOfSequence }
    for clock in shared {
      if let reading = readings[Clock(clock.number, of: 0)] {
        return clock.nanoseconds &+ reading.offset
      }
    }
    return shared.first?.nanoseconds
  }

  /// The time of an event; nil if its clock is unknown.
  mutating func instant(_ count: Int64, of number: UInt64, sequence: UInt64) -> Int64? {
    let clock = Clock(number, of: sequence)
    guard var reading = readings[clock] else {
      return number < Self.firstOfSequence ? count : nil
    }
    let own = (reading.last ?? 0) &+ count &* reading.unit
    if reading.last != nil {
      reading.last = own
      readings[clock] = reading
    }
    return own &+ reading.offset
  }
}
