package import FrameBudget
package import FrameBudgetParsing
package import FrameBudgetAdvice

/// The answer of `prove` for one strategy.
package struct ProofRecord: FileRecord {
  package var subject = QuestionSubject()
  package var strategy = ""
  package var options = ""
  package var changes = ""
  package var verdict = Proof.Verdict.open
  /// The number of frames that a run may drop.
  package var limit = 0

  // MARK: The bound
  /// The tightest budget, and its parts; nil without a bound.
  package var tightest: String?
  package var available: TimeSpan?
  package var parts: [FrameBound.Part] = []
  /// Unbounded parts, with remedies.
  package var gaps: [FrameBound.Gap] = []
  /// The largest factor of the stated costs for which it is proven, in thousandths.
  package var growth: Int?
  package var mostDropped: Int?
  package var mostInARow: Int?

  // MARK: The search for a worse run
  package var runs = 0
  package var isComplete = true
  /// The longest frame and the dropped frames of the worst run.
  package var longest: TimeSpan?
  package var dropped: Int?
  /// The items that the run as stated leaves undone.
  package var left: Int?
  /// Its first arrivals, if they are not those of the scenario, and whether costs have their largest values.
  package var starts: [Start] = []
  package var hasLargestCosts = false
  /// The command that shows the drop; nil unless refuted.
  package var command: String?

  /// The first arrival of a workload.
  package struct Start: Equatable, Sendable {
    package let workload: String
    package let at: TimeSpan
  }

  package init() {}

  /// The answer of `proof`, whose witness `command` repeats.
  package init(
    _ proof: Proof, _ subject: QuestionSubject, changes: String, command: String?
  ) {
    (self.subject, self.changes, self.command) = (subject, changes, command)
    (strategy, options) = (proof.strategy.name, proof.strategy.options)
    (verdict, limit, growth) = (proof.verdict, proof.limit, proof.growth)
    let bound = proof.bound
    (tightest, available) = (bound.tightest?.name, bound.tightest?.available)
    (parts, gaps) = (bound.tightest?.parts ?? [], bound.gaps)
    (mostDropped, mostInARow) = (bound.dropped, bound.droppedInARow)
    (runs, isComplete) = (proof.runs, !proof.isCut)
    longest = proof.worst.map { TimeSpan(nanoseconds: $0.longestFrame) }
    (dropped, left) = (proof.worst?.dropped, proof.left)
    let found = proof.witness?.starts.sorted { $0.key < $1.key } ?? []
    starts = found.map { Start(workload: $0.key, at: $0.value) }
    hasLargestCosts = proof.witness?.hasLargestCosts ?? false
  }

  package var label: String { Strategy.label(strategy, options) }

  /// The largest use of the tightest budget.
  package var bound: TimeSpan? { budget?.total }

  /// `10.6 of 16.7 ms`: the largest use of the tightest budget, and that budget; nil without a bound.
  var use: String? {
    guard let bound, let available else { return nil }
    return "\(Figure.text(bound.inMilliseconds)) of \(Figure.text(available.inMilliseconds)) ms"
  }

  /// Whether no frame can be late.
  package var isKept: Bool { gaps.isEmpty && budget?.isKept ?? false }

  private var budget: FrameBound.Budget? {
    guard let tightest, let available else { return nil }
    return FrameBound.Budget(name: tightest, available: available, parts: parts)
  }
}

extension ProofRecord {
  /// As `prove --format csv` and `--format json` write it.
  package static func table(_ records: [ProofRecord]) -> RecordTable {
    RecordTable("proofs", columns, records)
  }

  /// Whether a file with that header has the columns of 'prove --format csv'.
  package static func recognises(_ header: FileHeader) -> Bool {
    header.has(["verdict", "bound_ms", "budget_ms"])
  }

  /// Reads the output of 'prove --format csv', with its columns in any order.
  package static func records(_ source: consuming ByteSource) throws(InputError) -> [ProofRecord] {
    try read(source)
  }

  package static let file = "file of 'prove'"
  package static let required = ["scenario", "strategy", "verdict", "budget_ms"]
  package static let maxLines = 1000

  package static let columns: [Column<Self>] =
    [
      SubjectColumn.scenario.of(\.subject),
      Column(.strategy, at: \.strategy),
      Column(.options, at: \.options),
      Column(.changes, at: \.changes),
      SubjectColumn.cores.of(\.subject),
      Column("verdict", "proven, refuted or open", at: \.verdict),
    ] + bounds + found + later

  private static let bounds: [Column<Self>] = [
    Column("bound_ms", "largest use of the tightest budget; empty without a bound") {
      $0.bound?.cell
    },
    Column("budget_ms", "the tightest budget", at: \.available),
    Column("tightest", "name of the tightest budget", at: \.tightest),
    Column("parts", "its parts, in ms: KIND NAME=MS;...") { row in
      row.tightest.map { _ in .text(CellList.text(row.parts.map(words))) }
    } read: { (row, text) in
      row.parts = CellList.elements(text).compactMap(part)
    },
    Column("growth", "largest factor of the stated costs for which it is proven") {
      $0.growth.map { .real(Double($0) / 1000) }
    } read: { (row, text) throws(InputError) in
      row.growth = try Double?.read(text, in: "growth").map { Int(($0 * 1000).rounded()) }
    },
    Column(
      "unbounded", "unbounded parts, with remedies", separator: "; ", list: \.gaps,
      { "\($0.reason): \($0.remedy)" }, reading: gap),
  ]

  private static let found: [Column<Self>] = [
    Column("runs", "number of runs of the search for a dropped frame", at: \.runs),
    Column("complete", "1 if the search was completed, 0 if it was interrupted", at: \.isComplete),
    Column("found_ms", "longest frame in the worst run", at: \.longest),
    Column(Metric.droppedFrames.name, "dropped frames in the worst run", at: \.dropped),
    Column("command", "command that shows the drop; empty unless refuted", at: \.command),
    Column("limit", "frames that a run may drop", at: \.limit),
    Column(
      "most_dropped", "most frames that any run drops; empty without a bound", at: \.mostDropped),
    Column(
      "most_in_a_row", "most consecutive vsyncs without a new frame; empty without a bound",
      at: \.mostInARow),
    SubjectColumn.replay.of(\.subject),
  ]

  /// Columns that were added after the others.
  private static let later: [Column<Self>] = [
    SubjectColumn.source.of(\.subject), SubjectColumn.refresh.of(\.subject),
    SubjectColumn.duration.of(\.subject), SubjectColumn.seed.of(\.subject),
    Column("part_counts", "how often each of the parts occurs in a frame") { row in
      .text(CellList.text(row.parts.map { String($0.count) }))
    } read: { (row, text) in
      let counts = CellList.elements(text).map { InputNumber.whole($0) ?? 1 }
      row.parts = zip(row.parts, counts).map { part, count in
        FrameBound.Part(
          kind: part.kind, name: part.name, count: count,
          each: TimeSpan(nanoseconds: part.total.nanoseconds / Int64(max(1, count))))
      }
    },
    Column(
      "first_arrivals", "of workloads in the run that drops frames: NAME=TIME;...",
      list: \.starts, { "\($0.workload)=\($0.at)" }, reading: start),
    Column("largest_costs", "1 if costs have their largest values there", at: \.hasLargestCosts),
    Column(
      "items_left", "items that are left undone as the scenario is stated, or cancelled", at: \.left
    ),
  ]

  /// `logic upload=7.8`
  @Sendable private static func words(_ part: FrameBound.Part) -> String {
    let name = part.name.isEmpty ? "" : " \(part.name)"
    return "\(part.kind.rawValue)\(name)=\(part.total.inCell)"
  }

  private static func part(_ entry: String) -> FrameBound.Part? {
    guard let (text, time) = CellList.setting(entry), let total = InputTime.span(inCell: time)
    else { return nil }
    let names = text.split(separator: " ", maxSplits: 1)
    guard let kind = names.first.flatMap({ FrameBound.Kind(rawValue: String($0)) }) else {
      return nil
    }
    return FrameBound.Part(
      kind: kind, name: names.count > 1 ? String(names[1]) : "", count: 1, each: total)
  }

  @Sendable private static func gap(_ entry: String) -> FrameBound.Gap? {
    let parts = entry.split(separator: ": ", maxSplits: 1).map(String.init)
    return parts.count == 2 ? FrameBound.Gap(reason: parts[0], remedy: parts[1]) : nil
  }

  @Sendable private static func start(_ entry: String) -> Start? {
    guard let (workload, time) = CellList.setting(entry), let at = try? Quantity.timeSpan(time)
    else { return nil }
    return Start(workload: workload, at: at)
  }
}

extension Proof.Verdict: CellValue {}

extension TimeSpan: CellValue {
  /// In milliseconds.
  package var cell: MetricValue? { .real(inMilliseconds) }
  package static func read(_ text: String, in column: String) throws(InputError) -> TimeSpan {
    guard let span = InputTime.span(inCell: text) else {
      throw InputError(
        "\(InputError.quoted(text)) in column \(column) is not a duration in milliseconds")
    }
    return span
  }
}
