// Metrics of how long items and whoever waits for them waited, and of what had not ended by the end.

extension MetricCatalog {
  static let latencies: [ItemMetric] = quantiles.map { name, q in
    waits(
      "item_latency_ms_\(name)", q, { $0.latencies },
      "\(name) of arrival to done; an item that is not done counts as its wait so far, above all that are"
    )
  }

  static let responses: [ItemMetric] = quantiles.map { name, q in
    waits(
      "response_ms_\(name)", q, { $0.responses },
      "\(name) of arrival to the vsync that shows the frame in which the result ran; a response that is open "
        + "for respond_within or longer counts as its wait so far, above all that came")
  }

  static let openWaits: [ItemMetric] =
    [
      ItemMetric(
        name: "responses_open", unit: .count,
        formula: "responses that are open at D, for respond_within or longer"
      ) { $0.responses.map { .count($0.openCount) } }
    ]
    + zip(latencies, quantiles).map { isBound($0, "an item is not done", $1.q) { $0.latencies } }
    + zip(responses, quantiles).map { isBound($0, "a response is open", $1.q) { $0.responses } }

  private static let quantiles: [(name: String, q: Double)] = [
    ("p50", 0.5), ("p99", 0.99), ("max", 1),
  ]

  private static func waits(
    _ name: String, _ q: Double, _ waits: @escaping @Sendable (ItemMetrics) -> Waits?,
    _ formula: String
  ) -> ItemMetric {
    ItemMetric(name: name, unit: .milliseconds, formula: formula) {
      waits($0)?.quantile(q).map { .real($0.value / 1e6) }
    }
  }

  private static func isBound(
    _ metric: ItemMetric, _ reason: String, _ q: Double,
    _ waits: @escaping @Sendable (ItemMetrics) -> Waits?
  ) -> ItemMetric {
    ItemMetric(
      name: Metric.bound(of: metric.name), unit: .none,
      formula: "1 where \(metric.name) is a lower bound because \(reason), else 0"
    ) { waits($0)?.quantile(q).map { .count($0.isBound ? 1 : 0) } }
  }
}
