internal import FrameBudget

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#else
  internal import Glibc
#endif

/// Curves to compare: a small picture for each, all with the same two axes and the other curves in grey.
struct Panels {
  let title: String
  /// The meaning of a point, and the source of the numbers.
  let summary: String
  let x: Axis
  let y: Axis
  let curves: [Curve]
  /// A limit with its name.
  var limitLine: (value: Double, words: String)?

  struct Curve {
    let name: String
    let points: [Point]
    /// The band around the points, such as a range of quantiles; empty without one.
    var band: [Band] = []
  }

  struct Band {
    let x: Double
    let range: ClosedRange<Double>
  }

  struct Point {
    let x: Double
    let y: Observation
    /// Empty for a point of a smooth curve, which has no mark.
    var words = ""
  }

  /// The limit for curves; further ones are only in the tables.
  private static let most = 12
  // A box of these units is stretched to any width; lines keep their width, and text is not part of it.
  static let width = 200.0
  static let height = 100.0

  func markup(_ heading: Markup) -> Markup {
    let shown = curves.prefix(Self.most)
    let rest = curves.count - shown.count
    let note: Markup =
      rest > 0 ? "<p class=\"note\">\(rest) more are only in the numbers below.</p>\n" : ""
    return """
      <section class="panels">\(heading)<p class="lead">\(summary) Vertical: \(y.title); horizontal: \(x.title)\
      \(limitLine.map { "; dashed: \($0.words)" } ?? ""); grey: the others.</p>
      <div class="grid">\(shown.indices.map(panel))</div>\(note)</section>

      """
  }

  private func panel(_ place: Int) -> Markup {
    let curve = curves[place]
    let others: [Markup] = curves.prefix(Self.most).enumerated().filter { $0.0 != place }.map {
      "<polyline class=\"other\" points=\"\(path($0.1))\"/>"
    }
    let ticks = Axis.labels(x.ticks.map { (x.place($0) / Self.width, x.tickText($0)) }, "left")
    let values = Axis.labels(
      y.ticks.map { (y.place($0) / Self.height, y.tickText($0)) }, "top")
    return """
      <figure class="panel"><figcaption>\(curve.name)</figcaption>
      <div class="plot"><div class="values" aria-hidden="true">\(values)</div>\
      <div class="box" role="img" aria-label="\(description(curve))">\
      <svg viewBox="0 0 200 100" preserveAspectRatio="none" aria-hidden="true">\(grid)\(band(curve))\
      \(others)\(limitLineMarkup)\
      <polyline class="curve" points="\(path(curve))"/></svg>\(curve.points.map(dot))</div>\
      <div class="ticks" aria-hidden="true">\(ticks)</div></div></figure>

      """
  }

  private func description(_ curve: Curve) -> String {
    let marked = curve.points.filter { !$0.words.isEmpty }
    let ends = [curve.points.first, curve.points.last].compactMap(\.self)
    let texts =
      marked.isEmpty
      ? ends.map { "\(y.tickText($0.y.value)) at \(x.tickText($0.x))" } : marked.map(\.words)
    return "\(curve.name): \(texts.prefix(40).joined(separator: "; "))"
  }

  private func path(_ curve: Curve) -> String {
    curve.points.map { "\(Self.text(x.place($0.x))),\(Self.text(y.place($0.y.value)))" }
      .joined(separator: " ")
  }

  /// Forward along the upper edge, back along the lower one.
  private func band(_ curve: Curve) -> Markup {
    guard !curve.band.isEmpty else { return "" }
    let upper = curve.band.map { ($0.x, $0.range.upperBound) }
    let lower = curve.band.reversed().map { ($0.x, $0.range.lowerBound) }
    let corners = (upper + lower).map {
      "\(Self.text(x.place($0.0))),\(Self.text(y.place($0.1)))"
    }
    return "<polygon class=\"band\" points=\"\(corners.joined(separator: " "))\"/>"
  }

  private var grid: Markup {
    let lines: [Markup] = y.ticks.map {
      "<line class=\"hair\" x1=\"0\" x2=\"200\" y1=\"\(Self.text(y.place($0)))\" y2=\"\(Self.text(y.place($0)))\"/>"
    }
    return "\(lines)"
  }

  private var limitLineMarkup: Markup {
    guard let limitLine else { return "" }
    let place = Self.text(y.place(limitLine.value))
    return "<line class=\"rule\" x1=\"0\" x2=\"200\" y1=\"\(place)\" y2=\"\(place)\"/>"
  }

  /// A disc, or a ring with an arrow for a lower bound.
  private func dot(_ point: Point) -> Markup {
    guard !point.words.isEmpty else { return "" }
    return """
      <i class="dot\(point.y.isBound ? " bound" : "")" style="left:\(share: x.place(point.x) / Self.width);\
      top:\(share: y.place(point.y.value) / Self.height)" title="\(point.words)"></i>
      """
  }

  private static func text(_ value: Double) -> String { Decimal.text(value, places: 1) }
}

/// Maps values to positions along one side of a plot, and chooses round numbers as labels.
struct Axis {
  let title: String
  private let low: Double
  private let high: Double
  private let isLogarithmic: Bool
  private let start: Double
  private let end: Double
  /// The label of a tick.
  var tickText: (Double) -> String = Axis.label

  /// An axis from zero to at least `maximum`, drawn from `start` to `end`.
  static func linear(_ title: String, to maximum: Double, from start: Double, to end: Double)
    -> Axis
  {
    let step = roundStep(max(maximum, 1e-9))
    let high = (maximum / step).rounded(.up) * step
    return Axis(
      title: title, low: 0, high: max(high, step), isLogarithmic: false, start: start, end: end)
  }

  /// An axis over the range of `values` as they are.
  static func span(_ title: String, _ values: [Double], from start: Double, to end: Double) -> Axis
  {
    let low = values.min() ?? 0
    let high = values.max() ?? 1
    // Closer values cannot be distinguished, and ticks between them cannot be counted.
    let size = max(1, low.magnitude, high.magnitude)
    return Axis(
      title: title, low: low, high: high - low > 1e-9 * size ? high : low + size,
      isLogarithmic: false, start: start, end: end)
  }

  /// A logarithmic axis over whole powers of ten: frames of 10 ms and hangs of 2 s in one picture.
  static func logarithmic(
    _ title: String, _ values: some Sequence<Double>, from start: Double, to end: Double
  ) -> Axis {
    let positive = values.filter { $0 > 0 }
    let low = max(positive.min() ?? 1, 0.01)
    let high = max(positive.max() ?? 10, low)
    let floor = log10(low).rounded(.down)
    return Axis(
      title: title, low: floor, high: max(log10(high).rounded(.up), floor + 1), isLogarithmic: true,
      start: start, end: end)
  }

  func place(_ value: Double) -> Double {
    let value = isLogarithmic ? log10(max(value, 1e-12)) : value
    let share = (min(max(value, low), high) - low) / (high - low)
    return start + share * (end - start)
  }

  /// The values with labels.
  var ticks: [Double] {
    if isLogarithmic { return stride(from: low, through: high, by: 1).map { pow(10, $0) } }
    let step = Self.roundStep(high - low)
    let first = (low / step).rounded(.up)
    let count = Int(((high - low) / step).rounded(.down))
    return (0...max(count, 0)).map { (first + Double($0)) * step }.filter { $0 <= high * 1.000001 }
  }

  /// A number for a label: `0.1`, `20`, `1500`, `2M`.
  static func label(_ value: Double) -> String {
    if abs(value) >= 1e6 { return Decimal.text(value / 1e6, places: 1) + "M" }
    return Decimal.text(value, places: abs(value) < 1 ? 3 : abs(value) < 10 ? 1 : 0)
  }

  /// At most four labels, evenly spaced, beginning with the first.
  static func labels(_ all: [(place: Double, text: String)], _ side: String) -> Markup {
    let step = max(1, (all.count + 3) / 4)
    let shown = all.enumerated().filter { $0.offset % step == 0 }.map(\.element)
    let spans: [Markup] = shown.map {
      let edge =
        $0.place > 0.9 ? " class=\"last\"" as Markup : $0.place < 0.1 ? " class=\"first\"" : ""
      return "<span\(edge) style=\"\(side):\(share: $0.place)\">\($0.text)</span>"
    }
    return "\(spans)"
  }

  /// 1, 2 or 5 times a power of ten, so that a range has four to ten steps.
  private static func roundStep(_ range: Double) -> Double {
    let power = pow(10, log10(range / 4).rounded(.down))
    let share = range / 4 / power
    return power * (share >= 5 ? 5 : share >= 2 ? 2 : 1)
  }
}

/// The common axis of all compared runs: positions are shares of its length, so that it fits any width.
struct TimeAxis: Sendable {
  /// In seconds.
  let from: Double
  let to: Double

  /// More labels do not fit on paper or on a phone.
  private static let most = 6

  init(from: Double = 0, to: Double) {
    self.from = from
    self.to = to > from ? to : from + 1
  }

  /// From 0 to 1; values beyond an end are drawn at that end.
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

extension Double {
  /// For files that need no other function of the system's library.
  func raised(to exponent: Double) -> Double { pow(self, exponent) }
}
