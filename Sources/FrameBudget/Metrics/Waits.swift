/// How long each of many waits lasted: exactly where it ended, at least so long where it was still open.
///
/// Open waits rank above all that ended, by how long they have lasted among themselves: nothing that has not come may
/// look faster than what has. A percentile on which one of them has a part is a lower bound: the percentile with the
/// waits so far in their place, which it cannot fall below however they end.
public struct Waits: Sendable {
  private let ended: Percentiles
  /// Those that ended and those that are open, by how long they have lasted.
  private let all: Percentiles

  init(ended: @escaping Percentiles.Sample, open: @escaping Percentiles.Sample) {
    let known = Percentiles(ended)
    let isAnyOpen = Percentiles(open).count > 0
    self.ended = known
    all =
      isAnyOpen
      ? Percentiles { body in
        ended(body)
        open(body)
      } : known
  }

  /// Waits that somebody counts, to ask again and again while they become more.
  package init(ended: Tally, open: [TimeSpan]) {
    self.ended = Percentiles(ended)
    var counted = ended
    for wait in open { counted.add(wait.nanoseconds) }
    all = Percentiles(counted)
  }

  /// How many have ended.
  public var endedCount: Int { ended.count }
  /// How many have not.
  public var openCount: Int { all.count - ended.count }

  /// The quantile `q`, from 0 to 1, in nanoseconds; nil without any wait.
  public func quantile(_ q: Double) -> Observation? {
    guard let place = all.place(of: q) else { return nil }
    let isBound = place > Double(ended.count - 1)
    return Observation((isBound ? all : ended).interpolated(at: place), isBound: isBound)
  }
}
