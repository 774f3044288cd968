internal import FrameBudget
internal import FrameBudgetParsing

/// The data of an event about a page's timer. A class, because all events are copied and few have it.
final class TimerEvent: Sendable {
  /// The timer's number, and a fingerprint of the document that it belongs to.
  let number: Int64
  let document: UInt64
  /// For an event that starts the timer: its delay in nanoseconds, and whether it fires only once.
  let delay: Int64?
  let isOnce: Bool

  init(number: Int64, document: UInt64, delay: Int64?, isOnce: Bool) {
    (self.number, self.document, self.delay, self.isOnce) = (number, document, delay, isOnce)
  }
}

/// The times at which a page's timers were due. Events say when timers fired, which is later if the thread was busy.
struct PageTimers {
  private struct Identity: Hashable {
    var thread: Int
    var document: UInt64
    var number: Int64
  }

  private struct Start {
    var instant: Int64
    var delay: Int64
    var isOnce: Bool
  }

  private var starts: [Identity: Start] = [:]
  private var firings: [Identity: [Int64]] = [:]

  mutating func take(_ event: ChromeEvent) {
    guard let timer = event.timer else { return }
    let identity = Identity(
      thread: event.thread, document: timer.document, number: timer.number)
    switch event.kind {
    case .timerStart:
      starts[identity] = timer.delay.map {
        Start(instant: event.instant, delay: $0, isOnce: timer.isOnce)
      }
    case .timerFiring: firings[identity, default: []].append(event.instant)
    default: break
    }
  }

  /// By thread: an arrow from when a firing was due, for those of which this is known, in no order. A timer without a delay
  /// posts its task as a message does.
  var arrows: [(thread: Int, arrow: FlowPosts.Arrow)] {
    var arrows: [(thread: Int, arrow: FlowPosts.Arrow)] = []
    for (timer, instants) in firings {
      let instants = instants.sorted()
      let due = starts[timer].map { Self.due(instants, after: $0) } ?? Self.due(instants)
      let isDelayed = starts[timer].map { $0.delay > 0 } ?? true
      for case (let fired, let due?) in zip(instants, due)
      where due <= fired && InputTime.spans.contains(fired &- due) {
        let arrow = FlowPosts.Arrow(from: due, to: fired, target: .task, isTimer: isDelayed)
        arrows.append((timer.thread, arrow))
      }
    }
    return arrows
  }

  private static func due(_ firings: [Int64], after start: Start) -> [Int64?] {
    firings.map { fired in
      let passed = fired - start.instant
      guard passed >= start.delay else { return nil }
      guard !start.isOnce, start.delay > 0 else { return start.instant + start.delay }
      return start.instant + passed / start.delay * start.delay
    }
  }

  // A timer that repeats is due at multiples of its delay, a whole number of milliseconds. So if most of its firings lie on
  // such a grid, the others were late. If it was started before the recording, this is the only evidence.
  private static let minFirings = 5
  private static let tolerance: Int64 = 1_000_000

  private static func due(_ firings: [Int64]) -> [Int64?] {
    let unknown = [Int64?](repeating: nil, count: firings.count)
    guard firings.count >= minFirings,
      let usual = zip(firings.dropFirst(), firings).map({ Double($0 - $1) }).median,
      usual >= Double(tolerance), InputTime.spans.contains(Int64(usual))
    else { return unknown }
    let millisecond: Int64 = 1_000_000
    let middle = Int64((usual / Double(millisecond)).rounded())
    let grids = (max(2, middle - 2)...middle + 2).map { Grid(firings, $0 * millisecond) }
    guard let best = grids.max(by: { $0.inTime < $1.inTime }), 2 * best.inTime > firings.count
    else { return unknown }
    return firings.map { best.due(at: $0) }
  }

  /// The instants `origin + n * delay`, with the origin at which most firings are in time.
  private struct Grid {
    private let delay: Int64
    private let origin: Int64
    /// The number of firings in time.
    let inTime: Int

    init(_ firings: [Int64], _ delay: Int64) {
      let offsets = firings.map { Self.remainder($0, delay) }.sorted()
      // Repeated after the first turn, because firings just before and just after a multiple belong together.
      let turns = offsets + offsets.map { $0 + delay }
      var (origin, inTime, end) = (Int64(0), 0, 0)
      for begin in offsets.indices {
        while end < turns.count, turns[end] - turns[begin] <= PageTimers.tolerance { end += 1 }
        if end - begin > inTime { (origin, inTime) = (turns[begin], end - begin) }
      }
      (self.delay, self.origin, self.inTime) = (delay, origin, min(inTime, firings.count))
    }

    /// The last due time at or before a firing; the firing itself if it was in time.
    func due(at fired: Int64) -> Int64 {
      let late = Self.remainder(fired - origin, delay)
      return (PageTimers.tolerance...delay - PageTimers.tolerance).contains(late)
        ? fired - late : fired
    }

    private static func remainder(_ value: Int64, _ delay: Int64) -> Int64 {
      (value % delay + delay) % delay
    }
  }
}
