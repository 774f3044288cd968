internal import FrameBudget

/// One subject of `bench` over all repetitions; its figures are medians, which one bad moment does not move.
struct HandOffSummary {
  let carrier: CarrierKind?
  let queue: String?
  let verb: String?
  private var measured: [HandOffMeasurement]

  /// In the order in which the subjects first appear.
  static func grouped(_ measured: [HandOffMeasurement]) -> [HandOffSummary] {
    var summaries: [HandOffSummary] = []
    for row in measured where !summaries.contains(where: { $0.isOf(row) }) {
      var summary = HandOffSummary(
        carrier: row.carrier, queue: row.queue, verb: row.verb, measured: [])
      summary.measured = measured.filter(summary.isOf)
      summaries.append(summary)
    }
    return summaries
  }

  private func isOf(_ row: HandOffMeasurement) -> Bool {
    row.carrier == carrier && row.queue == queue && row.verb == verb
  }

  var name: String {
    let name = HandOffMeasurement.name(of: carrier)
    let details = [queue, verb].compactMap(\.self)
    return details.isEmpty ? name : "\(name) (\(details.joined(separator: ", ")))"
  }

  /// The median of what `value` takes from each repetition with so many producers; nil where it is known of none.
  func median(_ producers: Int, _ value: (HandOffMeasurement) -> Double?) -> Double? {
    measured.filter { $0.producers == producers }.compactMap(value).median
  }

  func rate(_ producers: Int) -> Double? { median(producers) { $0.eventsPerSecond } }
}
