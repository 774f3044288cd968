internal import FrameBudget

/// A picture with axes, as SVG, and the numbers behind it as a table.
struct Plot {
  // Small enough that its text stays readable when a phone shows it at three quarters of its size.
  static let left = 66.0
  static let right = 450.0
  static let top = 14.0
  /// Where the horizontal axis lies, unless a plot has many rows.
  static let bottom = 222.0

  let title: String
  /// What a reader learns without seeing the picture.
  let summary: String
  let x: Axis
  let y: Axis
  var marks: [String] = []
  var legend: [(name: String, color: String)] = []
  let table: (header: [String], rows: [[String]])
  /// Where the plot's rows name things, the axis has names and no numbers.
  var names: [String] = []
  var bottom = Plot.bottom

  /// The most rows that a table behind a picture has; beyond that the CSV is the place.
  static let mostRows = 400

  func html() -> String {
    let rows = table.rows.prefix(Self.mostRows)
    let rest =
      table.rows.count > rows.count
      ? "<p>The first \(rows.count) of \(table.rows.count) rows.</p>" : ""
    return """
      <figure><figcaption>\(HTML.escaped(title))</figcaption>
      <svg viewBox="0 0 480 \(Self.text(bottom + 48))" role="img" aria-label="\(HTML.escaped(summary))">
      \(grid())\(marks.joined(separator: "\n"))
      \(axisTitles())</svg>
      \(legendHTML())<details><summary>Numbers</summary>
      \(HTML.table(table.header, Array(rows)))\(rest)</details></figure>

      """
  }

  private func grid() -> String {
    let horizontal = y.ticks.map { tick in
      let place = Self.text(y.place(tick))
      return """
        <line class="grid" x1="\(Self.text(Self.left))" x2="\(Self.text(Self.right))" y1="\(place)" \
        y2="\(place)"/><text class="label end" x="60" y="\(Self.text(y.place(tick) + 4))">\
        \(y.tickText(tick))</text>

        """
    }
    let vertical = (names.isEmpty ? x.ticks : []).map { tick in
      """
      <text class="label middle" x="\(Self.text(x.place(tick)))" y="\(Self.text(bottom + 16))">\(x.tickText(tick))</text>

      """
    }
    return (names.isEmpty ? horizontal : []).joined() + vertical.joined()
  }

  private func axisTitles() -> String {
    """
    <text class="axis middle" x="258" y="\(Self.text(bottom + 38))">\(HTML.escaped(x.title))</text>
    <text class="axis middle" transform="translate(13 \(Self.text((Self.top + bottom) / 2))) rotate(-90)">\(HTML.escaped(y.title))</text>

    """
  }

  private func legendHTML() -> String {
    guard !legend.isEmpty else { return "" }
    let entries = legend.map { entry in
      "<li><span class=\"key\" style=\"background:\(entry.color)\"></span>"
        + "\(HTML.escaped(entry.name))</li>"
    }
    return "<ul class=\"legend\">\(entries.joined())</ul>\n"
  }

  /// A coordinate, short.
  static func text(_ value: Double) -> String { Decimal.text(value, places: 1) }

  /// The colour of the series at `index`, which the style sheet knows for light and dark.
  static func color(_ index: Int) -> String { "var(--c\(index % 8))" }

  static func bar(
    from origin: (x: Double, y: Double), width: Double, height: Double, color: String, tip: String
  ) -> String {
    """
    <rect x="\(text(origin.x))" y="\(text(origin.y))" width="\(text(max(width, 0.5)))" \
    height="\(text(max(height, 0)))" fill="\(color)"><title>\(HTML.escaped(tip))</title></rect>
    """
  }

  static func line(_ points: [(x: Double, y: Double)], color: String, tip: String) -> String {
    let path = points.map { "\(text($0.x)),\(text($0.y))" }.joined(separator: " ")
    return """
      <polyline class="series" points="\(path)" stroke="\(color)"><title>\(HTML.escaped(tip))</title>\
      </polyline>
      """
  }

  static func dot(
    _ point: (x: Double, y: Double), radius: Double = 4.5, color: String, tip: String
  ) -> String {
    """
    <circle cx="\(text(point.x))" cy="\(text(point.y))" r="\(text(radius))" fill="\(color)">\
    <title>\(HTML.escaped(tip))</title></circle>
    """
  }

  /// Where larger values are.
  enum Direction { case up, right }

  /// A dot; for a lower bound a ring, and an arrow to where the value is that nobody knows.
  static func dot(
    _ point: (x: Double, y: Double), of observation: Observation, toward direction: Direction,
    radius: Double = 4.5, color: String, tip: String
  ) -> String {
    guard observation.isBound else { return dot(point, radius: radius, color: color, tip: tip) }
    let (dx, dy): (Double, Double) = direction == .up ? (0, -1) : (1, 0)
    func place(_ along: Double, _ across: Double) -> String {
      "\(text(point.x + dx * along + dy * across)),\(text(point.y + dy * along + dx * across))"
    }
    let head = radius + 9
    return """
      <g class="open" stroke="\(color)"><circle cx="\(text(point.x))" cy="\(text(point.y))" \
      r="\(text(radius))"/><path d="M\(place(radius, 0))L\(place(head, 0))M\(place(head - 4, -3))\
      L\(place(head, 0))L\(place(head - 4, 3))"/><title>\(HTML.escaped(tip))</title></g>
      """
  }

  static func rule(y: Double, label: String) -> String {
    """
    <line class="rule" x1="\(text(left))" x2="\(text(right))" y1="\(text(y))" y2="\(text(y))"/>\
    <text class="rulelabel end" x="\(text(right))" y="\(text(y - 4))">\(HTML.escaped(label))</text>
    """
  }
}
