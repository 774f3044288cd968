internal import FrameBudget

/// A column of the comparison: its cells, and its priority if the width is insufficient.
struct ComparisonColumn: Sendable {
  let title: [String]
  /// The name for the note about hidden columns.
  let name: String
  /// Columns of a higher rank are hidden first.
  let rank: Int
  let value: @Sendable (RunRecord) -> Observation?
  let cell: @Sendable (RunRecord) -> TextTable.Cell
  /// Whether a column of zeros is hidden: prices that are all zero, frames dropped by the machine.
  var isPrice = false
  /// Whether a platform's own numbers replace this number of frames.
  var isReplaced = false
  /// The metric whose range it has, if it has one.
  var ranged: Metric?

  func applies(to runs: [RunRecord]) -> Bool {
    runs.contains { value($0).map { !isPrice || $0.value != 0 } ?? false }
  }

  /// In order: the columns of frames, or those of the platforms in `sets` instead; with all platforms both.
  static func columns(_ sets: [MetricSet]) -> [ComparisonColumn] {
    guard !sets.isEmpty, let place = all.firstIndex(where: \.isReplaced) else { return all }
    let kept = sets.count == 1 ? all.filter { !$0.isReplaced } : all
    let ofFrames =
      sets.count == 1 ? place : all.lastIndex(where: \.isReplaced).map { $0 + 1 } ?? place
    let ofPlatforms = platformColumns(
      sets, without: sets.count == 1 ? [] : [Metric.hitchRatio.name])
    return Array(kept[..<ofFrames]) + ofPlatforms + Array(kept[ofFrames...])
  }

  /// The columns of the platforms in `sets`, each number once, without those in `others`.
  static func platformColumns(_ sets: [MetricSet], without others: [String] = [])
    -> [ComparisonColumn]
  {
    var shown = others
    var columns: [ComparisonColumn] = []
    for metric in sets.flatMap(\.metrics) where !shown.contains(metric.metric.name) {
      shown.append(metric.metric.name)
      columns.append(column(metric, place: columns.count))
    }
    return columns
  }

  /// The columns that fit into `width`, by rank, and those that do not.
  static func fitting(
    _ columns: [ComparisonColumn], into width: Int, _ table: ([ComparisonColumn]) -> TextTable
  ) -> (kept: [ComparisonColumn], hidden: [ComparisonColumn]) {
    var kept = columns
    while table(kept).width > width, kept.count > 1 {
      let rank = kept.map(\.rank).max() ?? 0
      kept.removeAll { $0.rank == rank }
    }
    let ranks = Set(kept.map(\.rank))
    return (kept, columns.filter { !ranks.contains($0.rank) })
  }

  /// The first few are hidden late, the others one by one from the last.
  private static func column(_ theirs: PlatformMetric, place: Int) -> ComparisonColumn {
    let metric = theirs.metric
    return ComparisonColumn(
      title: theirs.title, name: theirs.title.filter { !$0.isEmpty }.joined(separator: " "),
      rank: place < 4 ? 2 : 10 + place,
      value: { $0.observed(metric.name) },
      cell: { run in
        guard let found = run.observed(metric.name) else { return cell(nil) }
        let value = found.value
        let text = metric.unit == .percent ? Figure.percent(value) : Figure.text(found)
        guard let bands = metric.bands else { return cell(text) }
        let band = bands.band(of: value)
        return cell(bands.fair < bands.poor ? "\(text) \(band.rawValue)" : text, style: band.style)
      })
  }

  /// The columns of our own metrics.
  static let all: [ComparisonColumn] = [
    ComparisonColumn(
      title: ["dropped", "frames"], name: "dropped frames", rank: 0,
      value: { $0.observed(Metric.droppedFrames.name) }, cell: dropped),
    ComparisonColumn(
      title: ["by the", "machine"], name: "dropped by the machine", rank: 0,
      value: exactly { Double(MachineFrames($0).count) },
      cell: { cell(String(MachineFrames($0).count)) }, isPrice: true),
    ComparisonColumn(
      title: ["", "%"], name: "dropped %", rank: 1, value: exactly { $0[.droppedPercent] },
      cell: { cell($0[.droppedPercent].map(Figure.percent)) }),
    range("%", "dropped %", rank: 1, .droppedPercent),
    figure("incom-", "plete", "incomplete frames", rank: 1, .incompleteFrames, isPrice: true),
    figure("age", "of parts ms", "age of parts", rank: 3, .partAge, isPrice: true),
    ComparisonColumn(
      title: ["", "of all vsyncs"], name: "bar", rank: 13,
      value: exactly { $0[.droppedPercent] },
      cell: { cell($0[.droppedPercent].map(bar)) }),
    ComparisonColumn(
      title: ["hitch", "ms/s"], name: "hitch ratio", rank: 2,
      value: exactly { $0[.hitchRatio] },
      cell: hitch, isReplaced: true),
    figure("frame", "p99 ms", "frame p99", rank: 10, .frameTime(.p99)).replaced,
    range("p99 ms", "frame p99", rank: 10, .frameTime(.p99)).replaced,
    figure("worst", "ms", "worst frame", rank: 6, .frameTime(.max)).replaced,
    ComparisonColumn(
      title: ["items", "done"], name: "items done", rank: 3,
      value: exactly(ifAny { Double($0.itemsShown) }),
      cell: { cell(ifAny { Double($0.itemsShown) }($0).map { Figure.text($0) }) }),
    ComparisonColumn(
      title: ["items", "left"], name: "items left", rank: 4,
      value: exactly(ifAny { Double($0.undone) }), cell: left),
    figure("response", "p99 ms", "response p99", rank: 7, .response(.p99)),
    range("p99 ms", "response p99", rank: 7, .response(.p99)),
    ComparisonColumn(
      title: ["late", "resp."], name: "late responses", rank: 5,
      value: exactly { $0[.responsesLate] }, cell: late),
    figure("lock", "wait ms", "lock wait", rank: 8, .lockWait, isPrice: true),
    figure("publish", "ms", "publishing", rank: 9, .publishing, isPrice: true),
    figure("hand-off", "µs/item", "hand-off", rank: 11, .handOff, isPrice: true),
    figure("hops", "/item", "hops", rank: 12, .hops, isPrice: true),
  ]

  private var replaced: ComparisonColumn {
    var column = self
    column.isReplaced = true
    return column
  }

  private static func figure(
    _ first: String, _ second: String, _ name: String, rank: Int, _ metric: Metric,
    isPrice: Bool = false
  ) -> ComparisonColumn {
    ComparisonColumn(
      title: [first, second], name: name, rank: rank, value: { $0.observed(metric.name) },
      cell: { cell($0.observed(metric.name).map(Figure.text)) }, isPrice: isPrice)
  }

  /// The range of the previous figure, if the run has one.
  private static func range(
    _ first: String, _ name: String, rank: Int, _ metric: Metric
  ) -> ComparisonColumn {
    let predicted: @Sendable (RunRecord) -> ClosedRange<Double>? = { run in
      run.shownRange(of: metric).flatMap { metric.isWorthShowing($0) ? $0 : nil }
    }
    return ComparisonColumn(
      title: [first, "range"], name: "\(name) range", rank: rank,
      value: exactly { predicted($0)?.upperBound },
      cell: { TextTable.Cell(text: predicted($0).map { Figure.range($0, of: metric) } ?? "") },
      ranged: metric)
  }

  /// Red if the app itself dropped frames.
  @Sendable private static func dropped(_ run: RunRecord) -> TextTable.Cell {
    guard run[.droppedFrames] != nil else { return cell(nil) }
    let dropped = run.count(.droppedFrames)
    return cell(String(dropped), style: dropped > MachineFrames(run).count ? .red : .plain)
  }

  @Sendable private static func hitch(_ run: RunRecord) -> TextTable.Cell {
    guard let ratio = run[.hitchRatio] else { return cell(nil) }
    let band = Bands.hitches.band(of: ratio)
    return cell("\(Figure.text(ratio)) \(band.rawValue)", style: band.style)
  }

  @Sendable private static func left(_ run: RunRecord) -> TextTable.Cell {
    guard run.itemsArrived > 0 else { return cell(nil) }
    let left = run.undone
    return cell(String(left), style: left > 0 ? .yellow : .plain)
  }

  @Sendable private static func late(_ run: RunRecord) -> TextTable.Cell {
    guard run[.responsesLate] != nil else { return cell(nil) }
    let late = run.count(.responsesLate)
    let awaited = run.workloads.filter { $0[.responsesLate] != nil }
    let arrived = awaited.reduce(0) { $0 + $1.itemsArrived }
    return cell("\(late)/\(arrived)", style: late > 0 ? .yellow : .plain)
  }

  /// For values that are never lower bounds.
  private static func exactly(
    _ value: @escaping @Sendable (RunRecord) -> Double?
  ) -> @Sendable (RunRecord) -> Observation? {
    { value($0).map { Observation($0) } }
  }

  private static func ifAny(
    _ value: @escaping @Sendable (RunRecord) -> Double
  ) -> @Sendable (RunRecord) -> Double? {
    { $0.itemsArrived > 0 ? value($0) : nil }
  }

  private static func cell(_ text: String?, style: TextStyle = .plain) -> TextTable.Cell {
    TextTable.Cell(text: text ?? "-", style: style)
  }

  /// Twelve cells, in eighths of a cell.
  private static func bar(_ percent: Double) -> String {
    let eighths = Int((percent * 12 * 8 / 100).rounded(.up))
    let part = eighths % 8 == 0 ? "" : String(Array("▏▎▍▌▋▊▉")[eighths % 8 - 1])
    let full = String(repeating: "█", count: eighths / 8)
    return full + part + String(repeating: "·", count: 12 - full.count - part.count)
  }
}
