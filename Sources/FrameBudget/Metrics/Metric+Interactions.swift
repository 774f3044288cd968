// Interactions as Event Timing and web-vitals define them: inputs, their handlers and the pictures that follow.

extension Metric {
  package static let interactions = Metric(
    "interactions", .count,
    "items of workloads with input; on a page, interactions of Event Timing",
    .higherIsBetter, of: .items { $0.interactions.map { .count($0.count) } })

  package static let inp = Metric(
    "inp_ms", .milliseconds,
    "the longest interaction, from the input to the picture that follows its handlers, in steps of 8 ms, with one "
      + "left out for each 50; one that no picture has followed counts as far as it has come",
    bands: .inp, of: .items { span($0) { $0.duration } })
  package static let inputDelay = Metric(
    "inp_input_delay_ms", .milliseconds,
    "of that interaction: from the input to the first handler of its frame",
    of: .items { span($0) { $0.inputDelay } })
  package static let processing = Metric(
    "inp_processing_ms", .milliseconds,
    "of that interaction: from the first handler of its frame to the end of the last one",
    of: .items { span($0) { $0.processing } })
  package static let presentationDelay = Metric(
    "inp_presentation_ms", .milliseconds, "of that interaction: from there to the next picture",
    of: .items { span($0) { $0.presentationDelay } })
  static let inpIsBound = Metric(
    bound(of: inp.name), .none,
    "1 where \(inp.name) is a lower bound because no picture has followed that interaction, else 0",
    of: .items { $0.interactions?.inp.map { .count($0.isOpen ? 1 : 0) } })

  private static func span(
    _ items: ItemMetrics, _ part: (Interactions.Parts) -> TimeSpan
  ) -> MetricValue? {
    items.interactions?.inp.map { .real(part($0).inMilliseconds) }
  }
}
