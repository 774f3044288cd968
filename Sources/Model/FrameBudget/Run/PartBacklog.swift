/// What frames put off of a part of drawing: the rule of `FramePartRule.spread`.
///
/// Each frame runs the oldest work first, and of all together at most its budget. Nothing is skipped, so if frames need more than
/// that for ever, the backlog grows for ever.
struct PartBacklog: Sendable {
  private let budget: TimeSpan
  private let refresh: RefreshRate
  private let half: Instant
  /// The work that waits, the oldest first, with the vsync of the frame that needed it. Those before `first` are done.
  private var entries: [(vsync: Int, work: TimeSpan)] = []
  private var first = 0
  /// All that waits.
  private(set) var waiting = TimeSpan.zero
  /// The longest time from a frame to the one that completed its work.
  private var longest = TimeSpan.zero
  /// How long work had waited at most by the half of the run; nil before.
  private var longestByHalf: TimeSpan?

  /// No backlog yet, in a run of this duration.
  init(budget: TimeSpan, _ refresh: RefreshRate, duration: TimeSpan) {
    (self.budget, self.refresh) = (budget, refresh)
    half = Instant(nanoseconds: duration.nanoseconds / 2)
  }

  /// What a frame runs that needs `own`.
  func run(needing own: TimeSpan) -> TimeSpan { min(budget, waiting + own) }

  /// Records that the frame of `vsync`, which needed `own`, has run what it runs.
  mutating func ran(vsync: Int, needing own: TimeSpan) {
    let now = refresh.vsync(vsync)
    if longestByHalf == nil, now >= half { longestByHalf = longest(at: half) }
    var rest = run(needing: own)
    waiting += own - rest
    if own > .zero { entries.append((vsync, own)) }
    while first < entries.count, rest >= entries[first].work {
      rest -= entries[first].work
      longest = max(longest, age(of: first, at: now))
      first += 1
    }
    if first < entries.count {
      entries[first].work -= rest
    } else {
      entries.removeAll(keepingCapacity: true)
      first = 0
    }
  }

  private func age(of entry: Int, at now: Instant) -> TimeSpan {
    now - refresh.vsync(entries[entry].vsync)
  }

  /// The longest time from a frame to the one that completed its work, or to `now`.
  func longest(at now: Instant) -> TimeSpan {
    first < entries.count ? max(longest, age(of: first, at: now)) : longest
  }

  /// The work that waits when the run ends at `end`, without what is in flight at any time: that has waited longer, by more than a
  /// period, than any had by the half of the run.
  func left(at end: Instant) -> TimeSpan {
    let usual = (longestByHalf ?? longest(at: half)) + refresh.period + .nanoseconds(1)
    return entries[first...].indices.reduce(.zero) {
      age(of: $1, at: end) > usual ? $0 + entries[$1].work : $0
    }
  }
}

/// How late the work of spread parts of drawing was in a run.
public struct PartLateness: Hashable, Sendable {
  /// The longest time from a frame that needed such work to the one that completed it, or to the run's end.
  public let longest: TimeSpan
  /// The work that was left at the end, without what is in flight at any time.
  public let left: TimeSpan
}
