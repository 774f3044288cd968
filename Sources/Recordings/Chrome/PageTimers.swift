internal import FrameBudget
internal import Parsing

/// What an event says of a page's timer. A class, as few events have it and all are copied.
final class TimerEvent: Sendable {
  /// The timer's number, and a fingerprint of the document that it belongs to.
  let number: Int64
  let document: UInt64
  /// Of an event that starts the timer: its delay in nanoseconds, and whether it fires only once.
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

  /// The firings of which it is known when they were due, in no order.
  var due: [(thread: Int, due: Int64, fired: Int64)] {
    firings.flatMap { timer, instants in
      let instants = instants.sorted()
      let due = starts[timer].map { Self.due(instants, after: $0) } ?? Self.due(instants)
      return zip(instants, due).compactMap { fired, due in
        due.flatMap { OutsideTime.spans.contains(fired &- $0) ? (timer.thread, $0, fired) : nil }
      }
    }
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
  private static let fewest = 5
  private static let tolerance: Int64 = 1_000_000

  private static func due(_ firings: [Int64]) -> [Int64?] {
    let unknown = [Int64?](repeating: nil, count: firings.count)
    guard firings.count >= fewest,
      let usual = zip(firings.dropFirst(), firings).map({ Double($0 - $1) }).median,
      usual >= Double(tolerance) / 2
    else { return unknown }
    var steps: [Int64] = [0]
    for (next, fired) in zip(firings.dropFirst(), firings) {
      steps.append(steps[steps.count - 1] + max(1, Int64((Double(next - fired) / usual).rounded())))
    }
    let millisecond: Int64 = 1_000_000
    let middle = Int64((usual / Double(millisecond)).rounded())
    let grids = (max(1, middle - 2)...middle + 2).map { Grid(firings, steps, $0 * millisecond) }
    guard let best = grids.max(by: { $0.inTime < $1.inTime }), 2 * best.inTime > firings.count
    else { return unknown }
    return steps.map { best.origin &+ $0 &* best.delay }
  }

  /// The latest grid on which no firing is early.
  private struct Grid {
    let delay: Int64
    let origin: Int64
    /// The number of firings in time.
    let inTime: Int

    init(_ firings: [Int64], _ steps: [Int64], _ delay: Int64) {
      let offsets = zip(firings, steps).map { $0 &- $1 &* delay }
      let origin = offsets.min() ?? 0
      self.delay = delay
      self.origin = origin
      inTime = offsets.count { $0 &- origin <= PageTimers.tolerance }
    }
  }
}
