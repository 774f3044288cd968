internal import Parsing

/// The clocks that a Perfetto trace counts by, each as the one that the trace is in.
struct PerfettoClocks {
  /// The time since the machine began, which everything is in that does not say otherwise.
  static let boot: UInt64 = 6
  /// Clocks from here on belong to one sequence of packets.
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
    /// What lies between it and the trace's clock.
    var offset: Int64
    /// Where each count is from the last one on, that one.
    var last: Int64?
    var unit: Int64
  }

  /// What a clock showed at the moment of a snapshot.
  struct Shown {
    var number: UInt64 = 0
    var value: Int64 = 0
    var isIncremental = false
    /// In nanoseconds.
    var unit: Int64 = 1

    var nanoseconds: Int64 { value &* unit }
  }

  private var readings: [Clock: Reading] = [:]

  /// Takes in what several clocks showed at the same moment.
  mutating func take(_ shown: [Shown], sequence: UInt64) {
    guard let moment = moment(of: shown) else { return }
    for clock in shown {
      readings[Clock(clock.number, of: sequence)] = Reading(
        offset: moment &- clock.nanoseconds, last: clock.isIncremental ? clock.nanoseconds : nil,
        unit: clock.unit)
    }
  }

  /// The moment of a snapshot by the trace's clock, or by one of which it is known how they differ. A trace that never
  /// shows its own clock is in the first one that it shows.
  private func moment(of shown: [Shown]) -> Int64? {
    if let boot = shown.first(where: { $0.number == Self.boot }) { return boot.nanoseconds }
    let shared = shown.filter { $0.number < Self.firstOfSequence }
    for clock in shared {
      if let reading = readings[Clock(clock.number, of: 0)] {
        return clock.nanoseconds &+ reading.offset
      }
    }
    return shared.first?.nanoseconds
  }

  /// When something happened; nil by a clock that nothing is known of.
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
