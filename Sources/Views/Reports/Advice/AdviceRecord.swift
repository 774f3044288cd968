package import FrameBudgetAdvice
package import FrameBudget
public import FrameBudgetParsing

/// The answer of `advise`: the current arrangement, the advised ones or the nearest one, their costs and certainty.
///
/// `advice.csv` has a line for each arrangement, which repeats what is true of all; `moves.csv` has the moves.
public struct AdviceRecord: Equatable, Sendable {
  /// Today's arrangement first.
  package var rows: [Row]

  package init(rows: [Row]) { self.rows = rows }

  package struct Row: Equatable, Sendable {
    // MARK: The question and the search
    package var subject = QuestionSubject()
    package var aims: [Aim] = []
    package var verdict = Advice.Verdict.nothingToChange
    package var count = SearchCount()
    /// The full cores that the work needs, and those of the machine.
    package var demand: Double?
    package var capacity: Double?
    /// The work of all items and the time for drawing, in seconds of a full core.
    package var work: Double?
    package var drawing: Double?
    /// What only the main thread can do, and the results among it, in seconds of the fastest core; nil in earlier versions.
    package var onlyMain: Double?
    package var results: Double?
    /// What takes longest of all that serves a limited number of items at a time; nil in earlier versions.
    package var bottleneck: Bottleneck?
    /// If nothing helps: frames that drawing alone drops, the part of drawing without which it drops fewest, and how many then.
    package var drawingAlone: Int?
    package var drawingPart = ""
    package var drawingWithoutPart: Int?
    package var foresight = Foresight()
    package var keeping = Keeping()

    // MARK: The arrangement
    package var arrangement = ""
    package var role = Role.today
    package var isRecommended = false
    /// The changes to the current arrangement, in words.
    package var moves: [String] = []
    /// The size of the change, and what it consists of.
    package var change = 0
    package var moved = 0
    package var newLanes = 0
    package var newLocks = 0
    package var newRules = 0
    package var splitCalls = 0
    package var homes: [ServiceHome] = []

    // MARK: Its run
    package var meetsAims = false
    package var outcome = Outcome()
    package var frames: Int?
    package var price = StrategyPrice(lockWait: 0, copying: 0, handOff: 0)
    /// Frames that are shown incomplete, and for how long at most, in milliseconds; nil if no part of drawing is spread.
    package var incomplete: Int?
    package var partAge: Double?
    /// How much later than today every frame is shown, in milliseconds; nil if it is not.
    package var later: Double?
    /// The 99th percentile of responses and the 95th of content latency, in milliseconds.
    package var response: Double?
    package var content: Double?
    /// Whether these are lower bounds.
    package var isResponseBound = false
    package var isContentBound = false
    /// The ranges of its figures, as `run` has them; empty if they are unknown.
    package var ranges = StatedRanges()

    // MARK: Its certainty
    package var certainty = AdviceCertainty()
    /// How far the costs of each service may grow by themselves.
    package var margins: [ServiceMargin] = []
    /// The gain of each move.
    package var effects: [Effect] = []

    package init() {}

    /// The changes as one text.
    var words: String { moves.joined(separator: "; ") }

    /// The changes in a headline; the arrangement's name if nothing changes.
    package var title: String { moves.isEmpty ? arrangement : moves.joined(separator: ", ") }
  }

  /// The role of an arrangement in advice.
  package enum Role: String, CellValue {
    case today, advice, nearest
  }

  /// The results of frames and answers.
  package struct Outcome: Equatable, Sendable {
    package var dropped = 0
    package var late: Int?
    package var pending = 0
    /// Nil in files of earlier versions.
    package var backlog: Int?

    /// The items that are left undone.
    package var left: Int { backlog ?? pending }

    package init(dropped: Int = 0, late: Int? = nil, pending: Int = 0, backlog: Int? = nil) {
      (self.dropped, self.late) = (dropped, late)
      (self.pending, self.backlog) = (pending, backlog)
    }
  }

  /// The place of a service.
  package struct ServiceHome: Equatable, Sendable {
    let service: String
    /// `main`, `lane background`, `lock catalogue`.
    let place: String

    package init(service: String, place: String) { (self.service, self.place) = (service, place) }
  }

  /// If nothing helps: what would, if the input of parts of drawing were known earlier; empty if nothing would.
  package struct Foresight: Equatable, Sendable {
    /// By part, the number of frames.
    package var parts: [Lead] = []
    package var moves: [String] = []
    package var dropped: Int?

    package init() {}

    /// By how many frames the input of a part must be known earlier.
    package struct Lead: Equatable, Sendable {
      package let part: String
      package let frames: Int

      package init(part: String, frames: Int) { (self.part, self.frames) = (part, frames) }
    }
  }

  /// If nothing helps: what a cache for a part of drawing would buy; empty if nothing.
  package struct Keeping: Equatable, Sendable {
    package var part = ""
    /// The assumed percentage of frames that find it.
    package var percent: Int?
    /// Frames that are dropped at most in `Steadiness.least` of the runs: today, and with the cache.
    package var today: Int?
    package var dropped: Int?

    package init() {}
  }

  /// How far the costs of one service may grow before an aim is missed.
  package struct ServiceMargin: Equatable, Sendable {
    package let service: String
    /// In percent.
    package let percent: Int
    /// The metric of the aim that is missed first; empty if none is.
    package var endedBy = ""

    package init(service: String, percent: Int, endedBy: String = "") {
      (self.service, self.percent, self.endedBy) = (service, percent, endedBy)
    }
  }

  /// The gain of one of several moves.
  package struct Effect: Equatable, Sendable {
    package var words = ""
    /// The outcome of all other moves without it, and of it alone; nil if that is impossible.
    package var without: Outcome?
    package var alone: Outcome?

    package init() {}

    /// `hasher: without it 390 dropped and 6 late, alone 12 dropped and 0 late`
    package var sentence: String {
      let figures = [
        without.map { "without it \(Self.figures($0))" }, alone.map { "alone \(Self.figures($0))" },
      ]
      return "\(words): \(figures.compactMap(\.self).joined(separator: ", "))"
    }

    private static func figures(_ outcome: Outcome) -> String {
      [
        "\(outcome.dropped) dropped", outcome.late.map { "\($0) late" },
        outcome.left > 0 ? "\(outcome.left) undone" : nil,
      ].compactMap(\.self).joined(separator: " and ")
    }
  }

  package var scenario: String { rows.first?.subject.scenario ?? "" }
  package var today: Row? { rows.first { $0.role == .today } }
  /// The first advice.
  package var first: Row? { rows.first { $0.role == .advice } }
  package var nearest: Row? { rows.first { $0.role == .nearest } }

  /// The arrangements that may be recommended, by name, the preferred one first: the advised ones; without any, the nearest
  /// one; without one, the current one.
  var recommended: [String] {
    let advised = rows.filter { $0.role == .advice }
    if !advised.isEmpty { return advised.map(\.arrangement) }
    return [nearest ?? today].compactMap(\.self).map(\.arrangement)
  }

  /// The dropped frames that its aims allow; 0 if no aim counts them.
  var allowedDrops: Int {
    let aim = today?.aims.first { $0.metric == Metric.droppedFrames.name }
    return aim?.maximum.map { Int($0) } ?? 0
  }
}

// MARK: Files

extension AdviceRecord {
  /// Schema 2: margins are over other random numbers and moments; in schema 1 they were those of one run.
  private static let schema = 2

  /// The arrangements, for programs: `advice.csv`.
  package var table: RecordTable {
    RecordTable("arrangements", schema: Self.schema, Row.columns, rows)
  }

  /// The gain of each move, for programs: `moves.csv`.
  package var movesTable: RecordTable {
    let lines = rows.flatMap { row in
      row.effects.map { effect in
        var line = AdviceMove()
        (line.scenario, line.arrangement, line.effect) = (scenario, row.arrangement, effect)
        return line
      }
    }
    return RecordTable("moves", AdviceMove.columns, lines)
  }

  /// Whether a file with that header has the columns of an `advice.csv`.
  public static func recognises(_ header: FileHeader) -> Bool {
    header.has(["verdict", "arrangement", "role"])
  }

  /// Reads the output of `advise --format csv` and `advise -o DIR/`, in any order of columns.
  public init(_ source: consuming ByteSource) throws(InputError) {
    self.init(rows: try Row.read(source))
  }

  /// Reads the `moves.csv` beside it.
  public mutating func addMoves(_ source: consuming ByteSource) throws(InputError) {
    let moves = Dictionary(
      grouping: try AdviceMove.read(source, mayBeEmpty: true), by: \.arrangement)
    for place in rows.indices {
      rows[place].effects = (moves[rows[place].arrangement] ?? []).map(\.effect)
    }
  }
}

extension AdviceRecord.Row: FileRecord {
  package static let file = "advice.csv"
  package static let required = [
    "scenario", "arrangement", "role", Metric.droppedFrames.name, "places",
  ]
  package static let maxLines = 1000

  package static let columns: [Column<Self>] =
    [
      SubjectColumn.scenario.of(\.subject),
      Column("verdict", "nothing-to-change, change or nothing-helps", at: \.verdict),
      Column("arrangement", "its name", at: \.arrangement),
      Column("role", "today, advice, or nearest", at: \.role),
      Column(
        "moves", "changes to today's arrangement", separator: "; ", list: \.moves, \.self,
        reading: { $0 }),
      Column("change", "size of the change", at: \.change),
      Column("moved", "number of moved services", at: \.moved),
      Column("new_lanes", "number of new lanes", at: \.newLanes),
      Column("new_locks", "number of new locks", at: \.newLocks),
      Column("new_rules", "number of changed rules", at: \.newRules),
      Column("split_calls", "number of calls that now go to another thread", at: \.splitCalls),
      Column("meets_aims", "1 if it meets the aims, else 0", at: \.meetsAims),
    ] + measured + certain + searched + placed + later + ranges

  private static let measured: [Column<Self>] = [
    Column(Metric.droppedFrames.name, "see summary.csv", at: \.outcome.dropped),
    Column(Metric.responsesLate.name, "see summary.csv", at: \.outcome.late),
    Column(Metric.itemsPending.name, "see summary.csv", at: \.outcome.pending),
    Column("handoff_ms", "handing work over, on main", at: \.price.handOff),
    Column("copying_ms", "copying state for snapshots", at: \.price.copying),
    Column("waiting_ms", "main blocked on locks", at: \.price.lockWait),
    Column(Metric.response(.p99).name, "see summary.csv", at: \.response),
    Column(Metric.content(.p95).name, "see summary.csv", at: \.content),
  ]

  private static let certain: [Column<Self>] = [
    Column("margin_pct", "by how much all costs may grow", at: \.certainty.margin),
    ofAdvice(
      Column(
        "margins", "by how much the costs of each service may grow, in percent",
        list: \.margins, { "\($0.service)=\($0.percent)" },
        reading: margin)),
    Column("variants", "runs with other random numbers and arrival times") {
      ($0.certainty.steadiness?.variants).map(MetricValue.count)
    } read: { (row, text) throws(InputError) in
      row.certainty.steadiness = try Int?.read(text, in: "variants").map {
        Steadiness(met: 0, variants: $0)
      }
    },
    Column("variants_met", "of these, runs that meet the aims") {
      ($0.certainty.steadiness?.met).map(MetricValue.count)
    } read: { (row, text) throws(InputError) in
      guard let met = try Int?.read(text, in: "variants_met"),
        let variants = row.certainty.steadiness?.variants
      else { return }
      row.certainty.steadiness = Steadiness(met: met, variants: variants)
    },
    ofAdvice(
      Column("effects", "dropped frames without each move, and with it alone") { row in
        .text(row.effects.map(\.sentence).joined(separator: "; "))
      }),
  ]

  private static let searched: [Column<Self>] = [
    Column("demand", "full cores that the work needs", at: \.demand),
    Column("capacity", "full cores of the machine", at: \.capacity),
    Column(
      "placements", "number of placements; empty if there are too many to list",
      at: \.count.placements),
    Column("candidates", "number of candidates", at: \.count.candidates),
    Column("ruled_out", "of these, ruled out by a bound", at: \.count.ruledOut),
    Column("tried", "of these, number that were run", at: \.count.tried),
    Column(
      "exhaustive", "1 if every placement with no larger change was considered",
      at: \.count.isExhaustive),
    SubjectColumn.replay.of(\.subject),
  ]

  private static let placed: [Column<Self>] = [
    Column(
      "places", "place of each service: main, a lane, a lock, or several of these",
      list: \.homes, { "\($0.service)=\($0.place)" },
      reading: { text in
        CellList.setting(text).map { AdviceRecord.ServiceHome(service: $0, place: $1) }
      }),
    Column(Metric.expectedFrames.name, "see summary.csv", at: \.frames),
    Column(
      "drawing_alone_dropped",
      "if nothing helps: dropped frames of drawing alone, without any work", at: \.drawingAlone),
  ]

  /// Columns that were added later, after all others.
  private static let later: [Column<Self>] = [
    Column(
      "recommended", "1 for the recommended arrangement: the first advised one, or today's",
      at: \.isRecommended),
    Column("margin_ended_by", "the aim that limits margin_pct; empty if none does") {
      ($0.certainty.end?.metric).map(MetricValue.text)
    },
    only(
      Column(
        "margin_ends", "by how much all costs may grow before each aim is missed, in percent",
        list: \.certainty.ends, \.entry,
        reading: { AdviceCertainty.End(entry: $0) })
    ) { $0.certainty.margin != nil },
    ofAdvice(
      Column("margins_ended_by", "the aim that limits each of the margins") { row in
        .text(CellList.text(settings: row.margins.map { ($0.service, $0.endedBy) }))
      } read: { (row, text) in
        let ends = CellList.elements(text).compactMap(CellList.setting)
        let byService = Dictionary(ends.map { ($0.name, $0.value) }) { first, _ in first }
        for place in row.margins.indices {
          row.margins[place].endedBy = byService[row.margins[place].service] ?? ""
        }
      }),
    Column(
      "proven",
      "1 if it is proven that no frame is dropped at any phase of the arrivals; 0 if open; empty without --prove",
      at: \.certainty.isProven),
    SubjectColumn.source.of(\.subject), SubjectColumn.refresh.of(\.subject),
    SubjectColumn.duration.of(\.subject), SubjectColumn.seed.of(\.subject),
    SubjectColumn.cores.of(\.subject),
    Column(
      "aims", "what an arrangement must reach", list: \.aims, \.words,
      reading: { Aim(words: $0) }),
    Column("work_s", "work of all items, in seconds of a full core", at: \.work),
    Column("drawing_s", "time for drawing, in seconds of a full core", at: \.drawing),
    Column("interrupted", "1 if the search was interrupted", at: \.count.isCut),
    Column(Metric.bound(of: Metric.response(.p99).name), "see summary.csv", at: \.isResponseBound),
    Column(Metric.bound(of: Metric.content(.p95).name), "see summary.csv", at: \.isContentBound),
    Column(Metric.backlog.name, "see summary.csv", at: \.outcome.backlog),
    Column(
      "main_s", "what only the main thread can do, in seconds of the fastest core", at: \.onlyMain),
    Column("results_s", "of this, the results of items", at: \.results),
    Column(
      "bottleneck",
      "of services with state and of resources, which serve a limited number of items at a time: the one that takes longest"
    ) {
      ($0.bottleneck?.name).map(MetricValue.text)
    } read: { (row, text) in
      row.bottleneck = text.isEmpty ? nil : Bottleneck(name: text, parallel: 1, time: 0)
    },
    Column("bottleneck_parallel", "how many items it serves at a time") {
      ($0.bottleneck?.parallel).map(MetricValue.count)
    } read: { (row, text) throws(InputError) in
      guard let known = row.bottleneck,
        let parallel = try Int?.read(text, in: "bottleneck_parallel")
      else { return }
      row.bottleneck = Bottleneck(name: known.name, parallel: parallel, time: known.time)
    },
    Column("bottleneck_s", "the least time in which it serves all items, in seconds") {
      ($0.bottleneck?.time).map(MetricValue.real)
    } read: { (row, text) throws(InputError) in
      guard let known = row.bottleneck, let time = try Double?.read(text, in: "bottleneck_s")
      else { return }
      row.bottleneck = Bottleneck(name: known.name, parallel: known.parallel, time: time)
    },
    Column(
      "drawing_part", "of drawing alone: the part without which it drops fewest frames",
      at: \.drawingPart),
    Column(
      "drawing_without_part_dropped", "the frames that it drops without that part",
      at: \.drawingWithoutPart),
    Column(
      "foresight",
      "if nothing helps: by how many frames the input of parts of drawing must be known earlier so that something does",
      list: \.foresight.parts, { "\($0.part)=\($0.frames)" },
      reading: { text in
        guard let (part, frames) = CellList.setting(text) else { return nil }
        return InputNumber.whole(frames).map { AdviceRecord.Foresight.Lead(part: part, frames: $0) }
      }),
    Column(
      "foresight_moves", "the changes that help then", separator: "; ", list: \.foresight.moves,
      \.self, reading: { $0 }),
    Column(
      "foresight_dropped", "the frames that are dropped then", at: \.foresight.dropped),
    Column(
      "kept_part",
      "if nothing helps: the part of drawing whose cache would save most frames from being dropped",
      at: \.keeping.part),
    Column(
      "kept_percent", "the percentage of frames that would have to find it there, an assumption",
      at: \.keeping.percent),
    Column(
      "kept_today_dropped",
      "the frames that are dropped today, at most in \(Steadiness.least.words)",
      at: \.keeping.today),
    Column(
      "kept_dropped", "the same with the cache", at: \.keeping.dropped),
    Column(Metric.incompleteFrames.name, "see summary.csv", at: \.incomplete),
    Column(Metric.partAge.name, "see summary.csv", at: \.partAge),
    Column(
      "later_ms", "how much later than today every frame is shown; empty if it is not",
      at: \.later),
    Column(Column<RunRecord>.waitsFor.name, "see summary.csv") {
      $0.price.waits.cell
    } read: { (row, text) throws(InputError) in
      row.price.waits = StrategyPrice.Waits(cell: text)
    },
  ]

  private static let ranges: [Column<Self>] = StatedRanges.columns.map { $0.of(\.ranges) }

  /// The same column, empty for today's arrangement and the nearest one.
  private static func ofAdvice(_ column: Column<Self>) -> Column<Self> {
    only(column) { $0.role == .advice }
  }

  /// The same column, empty for rows that `condition` refuses.
  private static func only(
    _ column: Column<Self>, _ condition: @escaping @Sendable (Self) -> Bool
  ) -> Column<Self> {
    var only = Column<Self>(column.name, column.meaning, column.unit) { row in
      condition(row) ? column.value(row) : nil
    }
    only.read = column.read
    return only
  }

  @Sendable private static func margin(_ entry: String) -> AdviceRecord.ServiceMargin? {
    guard let (service, percent) = CellList.setting(entry) else { return nil }
    return InputNumber.whole(percent).map {
      AdviceRecord.ServiceMargin(service: service, percent: $0)
    }
  }
}

extension Advice.Verdict: CellValue {}

/// A line of `moves.csv`.
struct AdviceMove: FileRecord {
  var scenario = ""
  var arrangement = ""
  var effect = AdviceRecord.Effect()

  static let file = "moves.csv"
  static let required = ["arrangement", "move", "without_dropped", "alone_dropped"]
  static let maxLines = 1000

  static let columns: [Column<AdviceMove>] =
    [
      Column(.scenario, at: \.scenario),
      Column("arrangement", "the arrangement to which it belongs", at: \.arrangement),
      Column("move", "the service that moves, or the rule that changes", at: \.effect.words),
    ] + outcome("without", "all the others without it", \.effect.without)
    + outcome("alone", "it alone", \.effect.alone)
    + [
      left("without", "all the others without it", \.effect.without),
      left("alone", "it alone", \.effect.alone),
    ]

  /// Empty if the move cannot be undone or made alone.
  private static func outcome(
    _ name: String, _ what: String,
    _ path: PropertyPath<AdviceMove, AdviceRecord.Outcome?>
  ) -> [Column<AdviceMove>] {
    [
      Column("\(name)_dropped", "dropped frames with \(what)") {
        ($0[keyPath: path]?.dropped).map(MetricValue.count)
      } read: { (row, text) throws(InputError) in
        row[keyPath: path] = try Int?.read(text, in: "\(name)_dropped").map {
          AdviceRecord.Outcome(dropped: $0)
        }
      },
      Column("\(name)_late", "late responses with \(what)") {
        ($0[keyPath: path]?.late).map(MetricValue.count)
      } read: { (row, text) throws(InputError) in
        row[keyPath: path]?.late = try Int?.read(text, in: "\(name)_late")
      },
      Column("\(name)_pending", "pending items with \(what)") {
        ($0[keyPath: path]?.pending).map(MetricValue.count)
      } read: { (row, text) throws(InputError) in
        row[keyPath: path]?.pending = try Int?.read(text, in: "\(name)_pending") ?? 0
      },
    ]
  }

  private static func left(
    _ name: String, _ what: String, _ path: PropertyPath<AdviceMove, AdviceRecord.Outcome?>
  ) -> Column<AdviceMove> {
    Column("\(name)_backlog", "items left undone with \(what)") {
      ($0[keyPath: path]?.backlog).map(MetricValue.count)
    } read: { (row, text) throws(InputError) in
      row[keyPath: path]?.backlog = try Int?.read(text, in: "\(name)_backlog")
    }
  }
}
