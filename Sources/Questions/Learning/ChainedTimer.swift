internal import FrameBudget
internal import FrameBudgetCaptures

/// A timer that its own callback sets again, as a chain of `setTimeout`: it fires earlier if the callback becomes shorter.
struct ChainedTimer: Equatable, Sendable {
  /// The service that its callbacks call.
  let service: Int
  /// The usual time between two firings, in nanoseconds.
  let period: Int64
  /// The mean time of the service in a callback, in nanoseconds.
  let time: Int64

  /// The period when the service runs elsewhere.
  var shorter: Int64 { period - time }

  private static let minFirings = 5
  /// The share of the values at either end that may be disturbed.
  private static let apart = 0.1

  /// That of a service; nil if none of the timers that call it is such a one, as far as `tasks` show: the time from the end of a
  /// callback until it is due again is much more even than that between two firings.
  init?(
    calling service: Int, _ tasks: [RecordedTask], _ choice: ServiceChoice,
    _ slices: [RecordedSlice]
  ) {
    var callbacks: [(due: Int64, end: Int64, time: Int64)] = []
    for task in tasks where task.isTimer {
      guard let due = task.posted else { continue }
      let time = task.pieces.lazy.filter { choice.role(of: slices[$0.slice]) == .service(service) }
        .reduce(0) { $0 + $1.length }
      if time > 0 { callbacks.append((due, task.end, time)) }
    }
    guard callbacks.count >= Self.minFirings else { return nil }
    let pairs = zip(callbacks, callbacks.dropFirst())
    let delays = pairs.map { $1.due - $0.end }.sorted()
    let periods = pairs.map { $1.due - $0.due }.sorted()
    guard delays[0] >= 0, 2 * Self.spread(delays) < Self.spread(periods) else { return nil }
    self.service = service
    // A pause is one of the longest delays.
    let length = callbacks.reduce(0) { $0 + $1.end - $1.due } / Int64(callbacks.count)
    period = delays[delays.count / 2] + length
    time = callbacks.reduce(0) { $0 + $1.time } / Int64(callbacks.count)
  }

  /// That of the middle of sorted values.
  private static func spread(_ sorted: [Int64]) -> Int64 {
    let left = Int(Double(sorted.count) * apart)
    return sorted[sorted.count - 1 - left] - sorted[left]
  }
}
