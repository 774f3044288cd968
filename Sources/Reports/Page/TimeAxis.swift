internal import FrameBudget

/// The one axis on which everything that is compared lies: places are shares of its length, so that it fits any width.
struct TimeAxis: Sendable {
  /// In seconds.
  let from: Double
  let to: Double

  /// More labels than this have no room on paper or on a phone.
  private static let most = 6

  init(from: Double = 0, to: Double) {
    self.from = from
    self.to = to > from ? to : from + 1
  }

  /// From 0 to 1; what lies beyond an end is drawn there.
  func share(_ second: Double) -> Double { min(max((second - from) / (to - from), 0), 1) }

  func share(from begin: Double, to end: Double) -> Double { max(0, share(end) - share(begin)) }

  func share(_ instant: Instant) -> Double { share(instant.sinceZero.inSeconds) }

  /// Round numbers of seconds with their labels, and lines below them.
  var labels: Markup {
    let all = Axis.linear("", to: to, from: 0, to: 1).ticks.filter { $0 <= to }
    let ticks = stride(from: 0, to: all.count, by: (all.count + Self.most - 1) / Self.most).map {
      all[$0]
    }
    let spans: [Markup] = ticks.map { tick in
      let edge = share(tick) > 0.97 ? " last" : tick == 0 ? " first" : ""
      return
        "<span class=\"tick\(edge)\" style=\"left:\(share: share(tick))\">\(Axis.label(tick)) s</span>"
    }
    return "\(spans)"
  }
}
