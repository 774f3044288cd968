/// The metrics of the items of one workload, or of several together.
public struct ItemMetrics: Sendable {
  /// Items that had arrived by the end.
  public let arrived: Int
  /// Items of which every step had run by the end.
  public let done: Int
  /// Items that were neither done nor cancelled by the end.
  public let pending: Int
  /// Items that were given up.
  public let cancelled: Int
  /// Items that were done before one that had arrived earlier.
  public let orderViolations: Int
  /// From the first arrival to the last completion; nil where something is not done.
  public let makespan: TimeSpan?
  /// Items that are not done wait still, except for those that were given up.
  public let latencies: Waits
  /// From the arrival to the vsync that shows the result, with or without a response; open ones still wait.
  public let contents: Waits
  /// Nil where nobody waits for a response. One that is open, but not for as long as it may take, is left out: nobody
  /// knows whether it will be late.
  public let responses: Waits?
  /// Responses that took, or have been open for, longer than allowed; nil if the work has no response.
  public let responsesLate: Int?
  /// Of workloads whose items are inputs; nil where there are none.
  public let interactions: Interactions?
  /// Items done per second of the run; nil for a run of no length.
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

  /// How long the items have waited that are neither done nor given up.
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

  /// Responses that took longer than they may, and those still open for longer than that.
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

  /// Waits that grow between queries.
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
