// Metrics of items: their waits, their responses, and those that were unfinished at the end.

extension Metric {
  package static let itemsDone = Metric(
    "items_done", .count, "items whose last step ended", .higherIsBetter,
    of: .items { .count($0.done) })
  package static let itemsPending = Metric(
    "items_pending", .count, "items that arrived before D and are not done",
    of: .items { .count($0.pending) })
  package static let itemsCancelled = Metric(
    "items_cancelled", .count, "items cancelled on purpose", of: .items { .count($0.cancelled) })
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
    "of that interaction: from the input to the first handler of its frame",
    of: .items { span($0) { $0.inputDelay } })
  package static let processing = Metric(
    "inp_processing_ms", .milliseconds,
    "of that interaction: from the begin of that handler to the end of the last one",
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
