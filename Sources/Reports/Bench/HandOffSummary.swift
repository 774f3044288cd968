internal import FrameBudget

/// One subject of `bench` over all repetitions; its figures are medians, which one bad moment does not move.
struct HandOffSummary {
  let carrier: CarrierKind
  let queue: String?
  private let measured: [HandOffMeasurement]

  /// In the order in which the subjects first appear.
  static func grouped(_ measured: [HandOffMeasurement]) -> [HandOffSummary] {
    var summaries: [HandOffSummary] = []
    for row in measured
    where !summaries.contains(where: { $0.carrier == row.carrier && $0.queue == row.queue }) {
      let same = measured.filter { $0.carrier == row.carrier && $0.queue == row.queue }
      summaries.append(HandOffSummary(carrier: row.carrier, queue: row.queue, measured: same))
    }
    return summaries
  }

  var name: String { queue.map { "\(carrier.rawValue) (\($0))" } ?? carrier.rawValue }

  /// The median of what `value` takes from each repetition with so many producers; nil where it is known of none.
  func median(_ producers: Int, _ value: (HandOffMeasurement) -> Double?) -> Double? {
    measured.filter { $0.producers == producers }.compactMap(value).median
  }

  func rate(_ producers: Int) -> Double? { median(producers) { $0.eventsPerSecond } }
}
