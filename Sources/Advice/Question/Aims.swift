public import FrameBudget

/// What an arrangement must reach to be advised.
public struct Aims: Hashable, Sendable {
  /// Each of them.
  public let list: [Aim]
  /// Whether nobody named them: then nothing may be left undone that today's arrangement would have finished.
  public let areUsual: Bool

  /// Those that somebody named.
  init(_ list: [Aim]) {
    self.list = list
    areUsual = false
  }

  /// Those of whoever names none, where today's arrangement left so much undone.
  init(usualFor scenario: Scenario, pendingToday: Int) {
    let isAwaited = scenario.workloads.contains { $0.respondWithin != nil }
    list =
      [Aim(Metric.droppedFrames.name, maximum: 0)]
      + (isAwaited ? [Aim(Metric.responsesLate.name, maximum: 0)] : [])
      + [Aim(Metric.itemsPending.name, maximum: Double(pendingToday))]
    areUsual = true
  }

  /// How many frames may be dropped; nil where nobody says.
  public var mostDropped: Double? {
    list.first { $0.metric == Metric.droppedFrames.name }?.maximum
  }

  /// Whether not a single frame may be dropped.
  var forbidDrops: Bool {
    list.contains { $0.metric == Metric.droppedFrames.name && ($0.maximum ?? 1) < 1 }
  }

  /// How many items may be undone at the end; nil where nobody says.
  var mostPending: Double? {
    list.first { $0.metric == Metric.itemsPending.name }?.maximum
  }
}

extension Aim {
  /// By how much it is missed, in the metric's unit; 0 where it is met. What does not apply is missed by 1.
  func miss(_ found: Observation?) -> Double {
    guard let found else { return 1 }
    if holds(for: found) { return 0 }
    let above = maximum.map { found.value - $0 } ?? 0
    let below = minimum.map { $0 - found.value } ?? 0
    // A lower bound within the bounds is no proof.
    return max(above, below, Double.leastNormalMagnitude)
  }

}

extension Aim {
  /// As the command line says it: `dropped_frames<=0`.
  public var words: String {
    let least = minimum.map { "\(metric)>=\(Decimal.text($0, places: 6))" }
    let most = maximum.map { "\(metric)<=\(Decimal.text($0, places: 6))" }
    return [least, most].compactMap(\.self).joined(separator: ",")
  }
}
