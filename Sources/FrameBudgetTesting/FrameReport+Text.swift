internal import FrameBudget

extension FrameReport: CustomStringConvertible {
  /// A few lines for a test's log: what was measured beside what follows, then each closure.
  public var description: String {
    (["\(test): \(settings.refresh), \(settings.duration), \(model.cores) cores"] + metrics
      + closures.map(Self.line) + Self.lines(undeclared) + doubts.map { "not seen: \($0)" })
      .joined(separator: "\n")
  }

  private var metrics: [String] {
    let shown: [ReportedMetric] = [
      .droppedFrames, .droppedPercent, .frameTime, .lateResponses, .contentTime,
    ]
    return shown.compactMap { metric in
      guard let measured = measured(metric), let range = range(metric) else { return nil }
      return "  \(metric): \(Self.number(measured)) measured, "
        + "\(Self.number(range.lowerBound)) to \(Self.number(range.upperBound)) in virtual time"
    }
      + (causes.isEmpty
        ? [] : ["  causes: " + causes.map { "\($0.name) \($0.frames)" }.joined(separator: ", ")])
  }

  private static func line(_ closure: ClosureCost) -> String {
    let places = closure.places.map { "\($0.name) \($0.segments)" }.joined(separator: ", ")
    return
      "  \(closure.name): \(closure.items) items, \(closure.main.spoken) each on main (longest at once "
      + "\(closure.longestOnMain.spoken)), \(closure.elsewhere.spoken) elsewhere; segments: \(places)"
  }

  private static func lines(_ undeclared: UndeclaredWork) -> [String] {
    guard !undeclared.pieces.isEmpty else { return [] }
    let count = undeclared.pieces.count
    return [
      "  undeclared: \(undeclared.total.spoken) of the main thread in \(count) \(count == 1 ? "piece" : "pieces") "
        + "(\(number(undeclared.share * 100)) % of the time, longest \(undeclared.longest.spoken)), part of the verdict; "
        + "post it as tasks of a workload's closure, or declare a workload for it (app.workload)"
    ]
  }

  private static func number(_ value: Double) -> String { Decimal.text(value, places: 2) }
}

extension Duration {
  fileprivate var spoken: String {
    "\(Decimal.text(TimeSpan(self).inMilliseconds, places: 3)) ms"
  }
}
