internal import FrameBudget

/// Curves that are compared: a small picture for each, all with the same two axes, the others in grey behind it.
struct Panels {
  let title: String
  /// What a point is, and where the numbers come from.
  let summary: String
  let x: Axis
  let y: Axis
  let curves: [Curve]
  /// A value that must not be exceeded, and what it is called.
  var rule: (value: Double, words: String)?

  struct Curve {
    let name: String
    let points: [Point]
    /// Where most of what the points are the middle of lies; empty where there is nothing around them.
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

  /// More curves than this are in the tables.
  private static let most = 12
  // A box of these units is drawn to any width; lines keep theirs, and text is no part of it.
  static let width = 200.0
  static let height = 100.0

  func markup(_ heading: Markup) -> Markup {
    let shown = curves.prefix(Self.most)
    let rest = curves.count - shown.count
    let note: Markup =
      rest > 0 ? "<p class=\"note\">\(rest) more are in the numbers below.</p>\n" : ""
    return """
      <section class="panels">\(heading)<p class="lead">\(summary) Upwards: \(y.title); to the right: \(x.title)\
      \(rule.map { "; dashed: \($0.words)" } ?? ""). In grey the others.</p>
      <div class="grid">\(shown.indices.map(panel))</div>\(note)</section>

      """
  }

  private func panel(_ place: Int) -> Markup {
    let curve = curves[place]
    let others: [Markup] = curves.prefix(Self.most).enumerated().filter { $0.0 != place }.map {
      "<polyline class=\"other\" points=\"\(path($0.1))\"/>"
    }
    let ticks = labels(x.ticks.map { (x.place($0) / Self.width, x.tickText($0)) }, "left")
    let values = labels(
      y.ticks.map { (y.place($0) / Self.height, y.tickText($0)) }, "top")
    return """
      <figure class="panel"><figcaption>\(curve.name)</figcaption>
      <div class="plot"><div class="values" aria-hidden="true">\(values)</div>\
      <div class="box" role="img" aria-label="\(description(curve))">\
      <svg viewBox="0 0 200 100" preserveAspectRatio="none" aria-hidden="true">\(grid)\(band(curve))\
      \(others)\(ruleLine)\
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

  /// There along the upper edge, back along the lower one.
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

  private var ruleLine: Markup {
    guard let rule else { return "" }
    let place = Self.text(y.place(rule.value))
    return "<line class=\"rule\" x1=\"0\" x2=\"200\" y1=\"\(place)\" y2=\"\(place)\"/>"
  }

  /// A disc; for a lower bound a ring with an arrow.
  private func dot(_ point: Point) -> Markup {
    guard !point.words.isEmpty else { return "" }
    return """
      <i class="dot\(point.y.isBound ? " bound" : "")" style="left:\(share: x.place(point.x) / Self.width);\
      top:\(share: y.place(point.y.value) / Self.height)" title="\(point.words)"></i>
      """
  }

  /// The first and last label and as many between as have room.
  private func labels(_ all: [(place: Double, text: String)], _ side: String) -> Markup {
    let step = max(1, (all.count + 3) / 4)
    let shown = all.enumerated().filter { $0.offset % step == 0 }.map(\.element)
    let spans: [Markup] = shown.map {
      let edge =
        $0.place > 0.9 ? " class=\"last\"" as Markup : $0.place < 0.1 ? " class=\"first\"" : ""
      return "<span\(edge) style=\"\(side):\(share: $0.place)\">\($0.text)</span>"
    }
    return "\(spans)"
  }

  private static func text(_ value: Double) -> String { Decimal.text(value, places: 1) }
}
