/// The metrics of the items of one workload, or of several together.
public struct ItemMetrics: Sendable {
  /// Items that had arrived by the end.
  public let arrived: Int
  /// Items whose steps had all run by the end.
  public let done: Int
  /// Items that were neither done, nor cancelled, nor replaced by the end.
  public let pending: Int
  /// Items that a vsync of the run has shown; those that the UI need not show if they are done.
  public let shown: Int
  /// Items that are done, and whose result no vsync of the run has shown.
  public let resultsWaiting: Int
  /// Items that are not shown at the end, of workloads whose backlog grows.
  public let backlog: Int
  /// Cancelled items.
  public let cancelled: Int
  /// Items that a newer one replaced, which answers for them.
  public let replaced: Int
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

  /// Items that are left undone: the backlog, and those that were cancelled.
  public var left: Int { backlog + cancelled }

  /// The metrics of the items of `logs` in the run of `log`: by default of all.
  public init(_ log: RunLog, of logs: [ItemLog]? = nil) {
    let (logs, duration) = (logs ?? log.items, log.duration)
    let lastVsync = log.frames.lastVsync
    arrived = logs.reduce(0) { $0 + $1.arrivals.count }
    done = logs.reduce(0) { $0 + $1.doneCount }
    pending = logs.reduce(0) { $0 + $1.pendingCount }
    cancelled = logs.reduce(0) { $0 + $1.cancelledCount }
    replaced = logs.reduce(0) { $0 + $1.replacedCount }
    orderViolations = logs.reduce(0) { $0 + $1.orderViolations }
    let items = logs.map {
      ShownItems($0, by: lastVsync, period: log.frames.refresh.period)
    }
    shown = items.reduce(0) { $0 + $1.shown }
    resultsWaiting = items.reduce(0) { $0 + $1.resultsWaiting }
    backlog = items.reduce(0) { $0 + $1.left }
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
    let first = logs.compactMap { $0.arrivals.first }.min()
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

  /// The ages of items that are neither done, nor cancelled, nor replaced.
  private static func unfinished(_ log: ItemLog, end: TimeSpan, _ body: (Int64) -> Void) {
    for (item, arrival) in log.arrivals.enumerated()
    where log.isWaitedFor(item) && !log.isReplaced(item) && log.completions[item] < 0 {
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
    self.ended = known
    all = Percentiles(ended, and: open, percentiles: known)
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
    guard let rank = all.rank(of: q) else { return nil }
    let isBound = rank > Double(ended.count - 1)
    return Observation((isBound ? all : ended).interpolated(at: rank), isBound: isBound)
  }
}

// MARK: Columns

extension Metric {
  package static let itemsDone = Metric(
    "items_done", .count, "items whose last step ended", .higherIsBetter,
    of: .items { .count($0.done) })
  package static let itemsPending = Metric(
    "items_pending", .count,
    "items that arrived before D and are neither done, cancelled nor replaced",
    of: .items { .count($0.pending) })
  package static let itemsCancelled = Metric(
    "items_cancelled", .count, "items cancelled on purpose", of: .items { .count($0.cancelled) })
  package static let itemsReplaced = Metric(
    "items_replaced", .count,
    "items that a newer one of their workload replaced, which answers for them",
    of: .items { .count($0.replaced) })
  package static let throughput = Metric(
    "throughput_per_s", .itemsPerSecond, itemsDone.name, over: .run, .higherIsBetter,
    of: .items { $0.perSecond.map(MetricValue.real) })
  package static let makespan = Metric(
    "makespan_ms", .milliseconds, "first arrival to last completion; empty while items are pending",
    of: .items { $0.makespan.map { .real($0.inMilliseconds) } })

  package static func itemLatency(_ quantile: Quantile) -> Metric {
    waits(
      "item_latency_ms_\(quantile)", quantile, { $0.latencies },
      "\(quantile) of arrival to done; items that are not done \(openRule)")
  }

  package static func response(_ quantile: Quantile) -> Metric {
    waits(
      "response_ms_\(quantile)", quantile, { $0.responses },
      "\(quantile) of arrival to the vsync that shows the frame in which the result ran; responses that have been open for "
        + "respond_within or longer \(openRule)")
  }

  package static func content(_ quantile: Quantile) -> Metric {
    waits(
      "content_ms_\(quantile)", quantile, { $0.contents },
      "\(quantile) of arrival to the vsync that shows an item's result, of all items; those that are not shown \(openRule)"
    )
  }

  /// The rule of `Waits` for open waits.
  private static let openRule =
    "rank above all others; a percentile that depends on one of them is computed with the waits so far, as a lower "
    + "bound"

  static func contentIsBound(_ quantile: Quantile) -> Metric {
    isBound(content(quantile), "a result is not shown", quantile) { $0.contents }
  }

  package static let responsesLate = Metric(
    "responses_late", .count,
    "responses that took longer than respond_within, or have been open for longer",
    of: .items { $0.responsesLate.map(MetricValue.count) })
  package static let responsesOpen = Metric(
    "responses_open", .count,
    "responses that are open at D, and have been for at least respond_within",
    of: .items { $0.responses.map { .count($0.openCount) } })

  static func itemLatencyIsBound(_ quantile: Quantile) -> Metric {
    isBound(itemLatency(quantile), "an item is not done", quantile) { $0.latencies }
  }

  static func responseIsBound(_ quantile: Quantile) -> Metric {
    isBound(response(quantile), "a response is open", quantile) { $0.responses }
  }

  private static func waits(
    _ name: String, _ quantile: Quantile, _ waits: @escaping @Sendable (ItemMetrics) -> Waits?,
    _ formula: String
  ) -> Metric {
    Metric(
      name, .milliseconds, formula,
      of: .items { waits($0)?.quantile(quantile.share).map { .real($0.value / 1e6) } })
  }

  private static func isBound(
    _ metric: Metric, _ reason: String, _ quantile: Quantile,
    _ waits: @escaping @Sendable (ItemMetrics) -> Waits?
  ) -> Metric {
    Metric(
      bound(of: metric.name), .none,
      "1 if \(metric.name) is a lower bound because \(reason), else 0",
      of: .items { waits($0)?.quantile(quantile.share).map { .count($0.isBound ? 1 : 0) } })
  }
}

// Interactions as Event Timing and web-vitals define them: inputs, their handlers and the pictures that follow.

extension Metric {
  package static let interactions = Metric(
    "interactions", .count,
    "items of workloads with input; on a page, interactions of Event Timing",
    .higherIsBetter, of: .items { $0.interactions.map { .count($0.count) } })

  package static let inp = Metric(
    "inp_ms", .milliseconds,
    "the longest interaction, from the input to the picture that follows its handlers, in steps of 8 ms, with one "
      + "left out for each 50; an interaction without a picture counts with its time so far",
    bands: .inp, of: .items { span($0) { $0.duration } })
  package static let inputDelay = Metric(
    "inp_input_delay_ms", .milliseconds,
    "of that interaction: from the input to its own first handler",
    of: .items { span($0) { $0.inputDelay } })
  package static let processing = Metric(
    "inp_processing_ms", .milliseconds,
    "of that interaction: from there to the end of the last handler before the same picture",
    of: .items { span($0) { $0.processing } })
  package static let presentationDelay = Metric(
    "inp_presentation_ms", .milliseconds, "of that interaction: from there to the next picture",
    of: .items { span($0) { $0.presentationDelay } })
  package static let inpIsBound = Metric(
    bound(of: inp.name), .none,
    "1 if \(inp.name) is a lower bound because no picture has followed that interaction, else 0",
    of: .items { $0.interactions?.inp.map { .count($0.isOpen ? 1 : 0) } })

  private static func span(
    _ items: ItemMetrics, _ part: (Interactions.Parts) -> TimeSpan
  ) -> MetricValue? {
    items.interactions?.inp.map { .real(part($0).inMilliseconds) }
  }
}
