internal import FrameBudget

/// Pictures of the frames of one run.
struct FramePictures {
  let series: FrameSeries

  private static let columns = 200
  private static let causes = Cause.allCases.map(\.name)

  static func color(of cause: String) -> String {
    causes.firstIndex(of: cause).map { "var(--c\($0))" } ?? "var(--calm)"
  }

  /// Frame time over time: the longest frame in each column, coloured by the cause if it was late.
  func timeline() -> Plot {
    let x = Axis.linear("seconds", to: length, from: Plot.left, to: Plot.right)
    let budget = series.refresh.milliseconds(ofPeriods: 1)
    // Half of the shortest as well, so that its bar has a height.
    let times = worst.map(\.milliseconds) + [budget]
    let y = Axis.logarithmic(
      "frame time, ms", times + [(times.filter { $0 > 0 }.min() ?? budget) / 2], from: Plot.bottom,
      to: Plot.top)
    let dropped = series.frames.reduce(0) { $0 + $1.late }
    var plot = Plot(
      title: "Frames of \(series.name)",
      summary: "\(series.frames.count) frames, \(dropped) dropped, over \(Axis.label(length)) s",
      x: x, y: y,
      table: (
        ["second", "frame time, ms", "dropped", "cause"],
        worst.map { frame in
          [
            Decimal.text(frame.second, places: 3), Decimal.text(frame.milliseconds, places: 3),
            String(frame.late), frame.cause,
          ]
        }
      ))
    let width = (Plot.right - Plot.left) / Double(Self.columns) * 0.85
    plot.marks = worst.map { frame in
      let top = y.place(frame.milliseconds)
      return Plot.bar(
        from: (x.place(frame.second), top),
        width: max(
          width, x.place(frame.second + frame.milliseconds / 1000) - x.place(frame.second)),
        height: Plot.bottom - top,
        color: frame.late > 0 ? Self.color(of: frame.cause) : "var(--calm)",
        tip: tip(frame))
    }
    plot.marks.append(
      Plot.rule(y: y.place(budget), label: "budget \(Decimal.text(budget, places: 2)) ms"))
    plot.legend = [("on time", "var(--calm)")] + legend
    return plot
  }

  private func tip(_ frame: FrameSeries.Frame) -> String {
    let late = frame.late > 0 ? ", \(frame.late) dropped by \(frame.cause)" : ""
    return "at \(Decimal.text(frame.second, places: 3)) s:"
      + " \(Decimal.text(frame.milliseconds, places: 2)) ms\(late)"
  }

  private var legend: [(name: String, color: String)] {
    Self.causes.filter { cause in series.frames.contains { $0.late > 0 && $0.cause == cause } }
      .map { ("late: \($0)", Self.color(of: $0)) }
  }

  /// The longest frame in each column of the picture.
  private var worst: [FrameSeries.Frame] {
    var worst: [Int: FrameSeries.Frame] = [:]
    for frame in series.frames {
      // Where a file is out of order, frames come later than the last.
      let share = min(1, frame.second / max(length, 1e-9))
      let column = Int(share * Double(Self.columns))
      if let known = worst[column], known.milliseconds >= frame.milliseconds { continue }
      worst[column] = frame
    }
    return worst.keys.sorted().compactMap { worst[$0] }
  }

  private var length: Double { series.frames.last?.end ?? 1 }

  /// Items handled so far, and items waiting, over time.
  ///
  /// It is known in which frame items were handled, not when in it: they rise from its begin to its end. What waits is
  /// counted at the begin.
  func items() -> Plot? {
    guard series.frames.contains(where: { $0.items > 0 || $0.waiting > 0 }) else { return nil }
    var handled = 0
    var points: [(second: Double, handled: Int, waiting: Int?)] = []
    let stride = max(1, series.frames.count / Self.columns)
    for (index, frame) in series.frames.enumerated() {
      // What a hang handled would seem to rise from the frame that is drawn before it.
      let isLong = frame.end - frame.second > length / Double(Self.columns)
      let isDrawn = index % stride == 0 || isLong || index == series.frames.count - 1
      if isDrawn { points.append((frame.second, handled, frame.waiting)) }
      handled += frame.items
      if isDrawn { points.append((frame.end, handled, nil)) }
    }
    let waiting = points.compactMap { point in point.waiting.map { (point.second, $0) } }
    let most = points.map { Double(max($0.handled, $0.waiting ?? 0)) }.max() ?? 1
    let x = Axis.linear("seconds", to: length, from: Plot.left, to: Plot.right)
    let y = Axis.linear("items", to: most, from: Plot.bottom, to: Plot.top)
    var plot = Plot(
      title: "Items of \(series.name)",
      summary: "\(handled) items or results handled on the main thread", x: x, y: y,
      table: (
        ["second", "handled on the main thread", "waiting"],
        points.map {
          [
            Decimal.text($0.second, places: 3), "\($0.handled)",
            $0.waiting.map(String.init) ?? "",
          ]
        }
      ))
    plot.marks = [
      Plot.line(
        points.map { (x.place($0.second), y.place(Double($0.handled))) }, color: Plot.color(0),
        tip: "handled on the main thread: \(handled)"),
      Plot.line(
        waiting.map { (x.place($0.0), y.place(Double($0.1))) }, color: Plot.color(1),
        tip: "waiting"),
    ]
    plot.legend = [("handled on the main thread", Plot.color(0)), ("waiting", Plot.color(1))]
    return plot
  }
}
