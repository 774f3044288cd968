/// The metrics of the items of one workload, or of several together.
public struct ItemMetrics: Sendable {
  /// Items that had arrived by the end.
  public let arrived: Int
  /// Items whose steps had all run by the end.
  public let done: Int
  /// Items that were neither done nor cancelled by the end.
  public let pending: Int
  /// Cancelled items.
  public let cancelled: Int
  /// Items that were done before one that had arrived earlier.
  public let orderViolations: Int
  /// From the first arrival to the last completion; nil if an item is not done.
  public let makespan: TimeSpan?
  /// From arrival to completion; unfinished items still wait, except for cancelled ones.
  public let latencies: Waits
  /// From arrival to the vsync that shows the result, with or without a response; open ones still wait.
  public let contents: Waits
  /// Nil if the work has no response. Responses that are open, but not yet late, are left out, because it is unknown whether
  /// they will be late.
  public let responses: Waits?
  /// Responses that took, or have been open for, longer than allowed; nil if the work has no response.
  public let responsesLate: Int?
  /// For workloads whose items are inputs; nil without any.
  public let interactions: Interactions?
  /// Items done per second of the run; nil for a run of zero length.
  public let perSecond: Double?

  /// The metrics of `logs` in a run that ended at `duration` and showed nothing after `lastVsync`.
  public init(_ logs: [ItemLog], duration: TimeSpan, lastVsync: Instant) {
    arrived = logs.reduce(0) { $0 + $1.arrivals.count }
    done = logs.reduce(0) { $0 + $1.doneCount }
    pending = logs.reduce(0) { $0 + $1.pendingCount }
    cancelled = logs.reduce(0) { $0 + $1.cancelledCount }
    orderViolations = logs.reduce(0) { $0 + $1.orderViolations }
    perSecond = duration > .zero ? Double(done) / duration.inSeconds : nil
    makespan = pending == 0 ? Self.makespan(logs) : nil
    latencies = Waits(
      ended: { body in for log in logs { Self.latencies(log, body) } },
      open: { body in for log in logs { Self.unfinished(log, end: duration, body) } })
    contents = Waits(
      ended: { body in for log in logs { Self.responses(log, by: lastVsync, body) } },
      open: { body in for log in logs { Self.unshown(log, by: lastVsync, end: duration, body) } })
    let inputs = logs.filter(\.isInput)
    interactions =
      inputs.isEmpty ? nil : Interactions(inputs, by: lastVsync, end: duration)
    let awaited = logs.filter { $0.respondWithin != nil }
    responses =
      awaited.isEmpty
      ? nil
      : Waits(
        ended: { body in for log in awaited { Self.responses(log, by: lastVsync, body) } },
        open: { body in
          for log in awaited { Self.unanswered(log, by: lastVsync, end: duration, body) }
        })
    responsesLate =
      awaited.isEmpty
      ? nil : awaited.reduce(0) { $0 + Self.late($1, by: lastVsync, end: duration) }
  }

  private static func makespan(_ logs: [ItemLog]) -> TimeSpan? {
    let first = logs.compactMap(\.arrivals.first).min()
    guard let first, let last = logs.compactMap({ $0.completions.max() }).max(), last >= 0 else {
      return nil
    }
    return TimeSpan(nanoseconds: last - first)
  }

  private static func latencies(_ log: ItemLog, _ body: (Int64) -> Void) {
    for (item, arrival) in log.arrivals.enumerated() where log.completions[item] >= 0 {
      body(log.completions[item] - arrival)
    }
  }

  /// The ages of items that are neither done nor cancelled.
  private static func unfinished(_ log: ItemLog, end: TimeSpan, _ body: (Int64) -> Void) {
    for (item, arrival) in log.arrivals.enumerated()
    where log.isWaitedFor(item) && log.completions[item] < 0 {
      body(end.nanoseconds - arrival)
    }
  }

  /// The waits of results that have not been shown.
  private static func unshown(
    _ log: ItemLog, by lastVsync: Instant, end: TimeSpan, _ body: (Int64) -> Void
  ) {
    for (item, arrival) in log.arrivals.enumerated()
    where log.isWaitedFor(item) && !isShown(log.responses[item], by: lastVsync) {
      body(end.nanoseconds - arrival)
    }
  }

  /// The waits of open responses that have already lasted as long as allowed.
  private static func unanswered(
    _ log: ItemLog, by lastVsync: Instant, end: TimeSpan, _ body: (Int64) -> Void
  ) {
    guard let allowed = log.respondWithin?.nanoseconds else { return }
    for (item, arrival) in log.arrivals.enumerated()
    where log.isWaitedFor(item) && !isShown(log.responses[item], by: lastVsync) {
      let waited = end.nanoseconds - arrival
      if waited >= allowed { body(waited) }
    }
  }

  private static func responses(
    _ log: ItemLog, by lastVsync: Instant, _ body: (Int64) -> Void
  ) {
    for (item, arrival) in log.arrivals.enumerated()
    where isShown(log.responses[item], by: lastVsync) {
      body(log.responses[item] - arrival)
    }
  }

  /// Late responses, including those that have been open for too long.
  private static func late(_ log: ItemLog, by lastVsync: Instant, end: TimeSpan) -> Int {
    guard let allowed = log.respondWithin?.nanoseconds else { return 0 }
    return log.arrivals.enumerated().count { item, arrival in
      guard log.isWaitedFor(item) else { return false }
      let shown = log.responses[item]
      let waited = (isShown(shown, by: lastVsync) ? shown : end.nanoseconds) - arrival
      return waited > allowed
    }
  }

  private static func isShown(_ shown: Int64, by lastVsync: Instant) -> Bool {
    shown >= 0 && shown <= lastVsync.nanoseconds
  }
}

/// Durations of waits: exact if the wait ended, lower bounds if it was still open.
///
/// Open waits rank above all finished ones, and among themselves by their age so far: an item without a response must not look
/// faster than one with a response. A percentile that depends on an open wait is a lower bound: it is computed with the waits
/// so far, below which it cannot fall.
public struct Waits: Sendable {
  private let ended: Percentiles
  /// Finished and open waits, by their duration so far.
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

  /// Waits that may grow between queries.
  package init(ended: Tally, open: [TimeSpan]) {
    self.ended = Percentiles(ended)
    var counted = ended
    for wait in open { counted.add(wait.nanoseconds) }
    all = Percentiles(counted)
  }

  /// The number of finished waits.
  public var endedCount: Int { ended.count }
  /// The number of open waits.
  public var openCount: Int { all.count - ended.count }

  /// The quantile `q`, from 0 to 1, in nanoseconds; nil without any wait.
  public func quantile(_ q: Double) -> Observation? {
    guard let place = all.place(of: q) else { return nil }
    let isBound = place > Double(ended.count - 1)
    return Observation((isBound ? all : ended).interpolated(at: place), isBound: isBound)
  }
}
