internal import FrameBudget

/// The time that several strategies side by side share: the same instant stands in the same column of each.
///
/// Its ruler is the display of the first of them. A column has one or more vsyncs of it and shows the worst, so that
/// no dropped frame is lost between others.
struct SharedAxis {
  /// How many columns fit.
  let count: Int
  private let ruler: RefreshRate
  private let zoom: Int
  /// The newest vsync of the ruler, and which of its columns is the last one shown.
  private let newest: Int
  private let last: Int
  /// The column that is inspected, from the left.
  let inspected: Int?

  init(_ model: LiveModel, columns: Int) {
    let run = model.panes[0].run
    let (zoom, newest) = (model.zoom, run.expected)
    let look = model.look?.showing(columns * zoom)
    let count = min(columns, newest / zoom + 1)
    let last = max(count - 1, (newest - (look?.back ?? 0)) / zoom)
    let column = look?.inspected.map { max(0, newest - $0) / zoom - last + count - 1 }
    inspected = column.flatMap { (0..<count).contains($0) ? $0 : nil }
    (ruler, self.zoom, self.newest) = (run.refresh, zoom, newest)
    (self.count, self.last) = (count, last)
  }

  /// The number of the axis' first column, from time 0.
  private var first: Int { last - count + 1 }

  /// The columns of `pane`, each where its instant is.
  func columns(of pane: Pane) -> [VsyncColumn] {
    (first...last).map { worst(of: pane, in: vsyncs(of: $0, pane.run.refresh)) }
  }

  private func worst(of pane: Pane, in vsyncs: ClosedRange<Int>) -> VsyncColumn {
    let all = vsyncs.map { pane.run.column(at: $0, run: pane.timeline.run) }
    return all.max { $0.shape.badness < $1.shape.badness }
      ?? VsyncColumn(blankAt: vsyncs.lowerBound, run: pane.timeline.run, pane.run.refresh)
  }

  /// Vsyncs of a display of `refresh` in a column: at least the one that is still to be seen there.
  private func vsyncs(of column: Int, _ refresh: RefreshRate) -> ClosedRange<Int> {
    let vsyncs = column * zoom...column * zoom + zoom - 1
    guard refresh != ruler else { return vsyncs }
    let next = refresh.firstVsync(atOrAfter: ruler.vsync(vsyncs.upperBound + 1))
    let first = refresh.firstVsync(atOrAfter: ruler.vsync(vsyncs.lowerBound))
    return max(0, min(first, next - 1))...max(0, next - 1)
  }

  /// In which column, from the left, `instant` is; it may be none that is shown.
  func place(of instant: Instant) -> Int { ruler.vsyncs(through: instant) / zoom - first }

  /// The whole second that begins in each column.
  var seconds: [Int?] {
    (first...last).map { column in
      (column * zoom..<(column + 1) * zoom).lazy.compactMap { VsyncColumn.second($0, ruler) }.first
    }
  }

  /// How many vsyncs lie between each column and the newest one.
  var backs: [Int] { (first...last).map { max(0, newest - $0 * zoom) } }

  /// What a column is, where that is not one vsync.
  var scale: String? { zoom > 1 ? "\(zoom) vsyncs" : nil }
}

extension VsyncColumn.Shape {
  /// Whatever stands for others must be the worst of them.
  fileprivate var badness: Double {
    switch self {
    case .dropped: .infinity
    case .frame(let budgets, _): budgets
    case .blank: -1
    }
  }
}
