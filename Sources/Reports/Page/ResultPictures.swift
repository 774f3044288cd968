internal import FrameBudget

/// Pictures of whole runs, a row or a point for each.
struct ResultPictures {
  let rows: [PageRow]

  /// Dropped frames by cause, a bar for each run.
  func drops() -> Plot? {
    let causes = Cause.allCases.map { (name: $0.name, drops: Metric.drops(by: $0).name) }
    let most = rows.compactMap { $0.value(Metric.droppedFrames.name) }.max() ?? 0
    guard most > 0 else { return nil }
    let x = Axis.linear("dropped frames", to: most, from: Self.left, to: Plot.right)
    var plot = bars(
      "Dropped frames by cause", x: x, unit: "dropped frames",
      header: ["run"] + causes.map(\.name) + ["all"]
    ) { row in
      (causes.map(\.drops) + [Metric.droppedFrames.name]).map(row.text)
    }
    for (index, row) in rows.enumerated() {
      var from = x.place(0)
      for cause in causes {
        guard let count = row.value(cause.drops), count > 0 else { continue }
        let width = x.place(count) - x.place(0)
        plot.marks.append(
          Plot.bar(
            from: (from, barTop(index)), width: width, height: barHeight,
            color: FramePictures.color(of: cause.name),
            tip: "\(row.name): \(Axis.label(count)) dropped by \(cause.name)"))
        from += width
      }
    }
    plot.legend = causes.filter { cause in
      rows.contains { $0.value(cause.drops) ?? 0 > 0 }
    }.map { ($0.name, FramePictures.color(of: $0.name)) }
    return plot
  }

  /// How long somebody waited, a line from the median to the longest, and how many answers came late.
  func responses(_ title: String) -> Plot? {
    let waited = ResultPictures(
      rows: rows.filter {
        $0.value(Metric.responsesLate.name) != nil || $0.value(Self.responses[2]) != nil
      })
    guard !waited.rows.isEmpty else { return nil }
    let x = Axis.logarithmic(
      "response, ms", waited.rows.flatMap { row in Self.responses.compactMap(row.value) },
      from: Self.left, to: Plot.right)
    let columns = Self.responses + [Metric.responsesLate.name]
    var plot = waited.bars(title, x: x, unit: "ms", header: ["run"] + columns) { row in
      columns.map(row.text)
    } suffix: { row in
      let late = row.value(Metric.responsesLate.name) ?? 0
      return late > 0 ? ": \(Axis.label(late)) late" : ""
    }
    for (index, row) in waited.rows.enumerated() {
      plot.marks += Self.span(row, x, waited.barTop(index) + waited.barHeight / 2)
    }
    plot.legend = Self.responses.enumerated().map { ($1, Plot.color($0)) }
    return plot
  }

  private static let responses = [Metric.response(.p50), .response(.p99), .response(.max)].map(
    \.name)

  /// The marks of one row; where they coincide the smaller ones lie on the larger.
  private static func span(_ row: PageRow, _ x: Axis, _ y: Double) -> [String] {
    guard let first = row.value(responses[0]).map(x.place),
      let last = row.value(responses[2]).map(x.place)
    else { return [] }
    let line = Plot.line([(first, y), (last, y)], color: "var(--calm)", tip: row.name)
    let dots = responses.indices.reversed().compactMap { index in
      row.observed(responses[index]).map { observed in
        Plot.dot(
          (x.place(observed.value), y), of: observed, toward: .right,
          radius: 3 + 1.5 * Double(index), color: Plot.color(index),
          tip: "\(row.name), \(responses[index]): \(row.text(responses[index])) ms")
      }
    }
    return [line] + dots
  }

  /// What the simulation predicted against what was measured: on the line they agree.
  static func predicted(_ pairs: [(name: String, virtual: Double, real: Double)]) -> Plot? {
    guard !pairs.isEmpty else { return nil }
    let most = pairs.map { max($0.virtual, $0.real) }.max() ?? 1
    let x = Axis.linear("predicted, % dropped", to: most, from: Plot.left, to: Plot.right)
    let y = Axis.linear("measured, % dropped", to: most, from: Plot.bottom, to: Plot.top)
    var plot = Plot(
      title: "Predicted against measured", summary: "Dropped frames of \(pairs.count) runs", x: x,
      y: y,
      table: (
        ["run", "predicted, %", "measured, %"],
        pairs.map {
          [$0.name, Decimal.text($0.virtual, places: 3), Decimal.text($0.real, places: 3)]
        }
      ))
    let end = x.ticks.last ?? most
    plot.marks.append(
      Plot.line(
        [(x.place(0), y.place(0)), (x.place(end), y.place(end))], color: "var(--grid)", tip: "equal"
      ))
    for (index, pair) in pairs.enumerated() {
      plot.marks.append(
        Plot.dot(
          (x.place(pair.virtual), y.place(pair.real)), color: Plot.color(index),
          tip: "\(pair.name): predicted \(Decimal.text(pair.virtual, places: 2)) %,"
            + " measured \(Decimal.text(pair.real, places: 2)) %"))
    }
    plot.legend = pairs.enumerated().prefix(8).map { ($1.name, Plot.color($0)) }
    return plot
  }

  // No numbers stand at the left of these: a row's name is above its marks.
  private static let left = 16.0
  private var pitch: Double { 36 }
  private var barHeight: Double { 13 }
  private var bottom: Double { Plot.top + pitch * Double(rows.count) + 4 }

  private func barTop(_ index: Int) -> Double {
    Plot.top + pitch * (Double(index) + 1) - barHeight - 4
  }

  /// As many letters as are as wide as the picture.
  private static let longestLabel = 54

  /// A row's name, shortened where it would not fit, and what is said behind it.
  private static func label(_ name: String, _ suffix: String) -> String {
    let room = longestLabel - suffix.count
    guard name.count > room else { return HTML.escaped(name + suffix) }
    let short = "\(name.prefix(room / 2))…\(name.suffix(room - room / 2 - 1))"
    return "\(HTML.escaped(short + suffix))<title>\(HTML.escaped(name))</title>"
  }

  /// A plot with a row for each run, its name above its marks.
  private func bars(
    _ title: String, x: Axis, unit: String, header: [String], cells: (PageRow) -> [String],
    suffix: (PageRow) -> String = { _ in "" }
  ) -> Plot {
    var plot = Plot(
      title: title, summary: "\(title): \(rows.map(\.name).joined(separator: ", "))",
      x: x, y: Axis.linear("", to: 1, from: bottom, to: Plot.top),
      table: (header, rows.map { [$0.name] + cells($0) }), names: rows.map(\.name), bottom: bottom)
    plot.marks = x.ticks.map { tick in
      """
      <text class="label middle" x="\(Plot.text(x.place(tick)))" y="\(Plot.text(bottom + 16))">\(Axis.label(tick))</text>
      """
    }
    plot.marks += rows.enumerated().map { index, row in
      """
      <text class="label" x="\(Plot.text(Self.left))" y="\(Plot.text(barTop(index) - 4))">\
      \(Self.label(row.name, suffix(row)))</text>
      """
    }
    return plot
  }
}
