internal import Advice
internal import FrameBudget
internal import Reports

/// Advice whose arrangements have unique names.
struct NamedAdvice {
  let advice: Advice
  /// The current arrangement, then the proposals, or the nearest arrangement if there is no proposal.
  let rows: [Row]

  struct Row {
    let name: String
    let role: AdviceColumn.Role
    let trial: Trial
    let proposal: Proposal?
    let advice: Advice
    /// Whether it is the recommended one: the first proposal, or the current one if nothing has to change.
    let isRecommended: Bool
  }

  init(_ advice: Advice) {
    self.advice = advice
    let today = Row(
      name: advice.request.today.label, role: .today, trial: advice.today, proposal: nil,
      advice: advice, isRecommended: advice.verdict == .nothingToChange)
    let taken = Set(advice.request.scenario.strategies.map(\.name))
    let proposals = advice.proposals.enumerated().map { place, proposal in
      Row(
        name: Self.free("advice-\(place + 1)", taken), role: .advice, trial: proposal.trial,
        proposal: proposal, advice: advice, isRecommended: place == 0)
    }
    let nearest = advice.nearest.map { trial in
      Row(
        name: Self.free("nearest", taken), role: .nearest, trial: trial, proposal: nil,
        advice: advice, isRecommended: false)
    }
    rows = [today] + proposals + [nearest].compactMap(\.self)
  }

  private static func free(_ name: String, _ taken: Set<String>) -> String {
    taken.contains(name) ? free(name + "-new", taken) : name
  }

  /// The strategies of all rows, for a scenario that compares them.
  var strategies: [Strategy] {
    let today = advice.request.today
    return [Strategy(name: today.name, options: today.options, arrangement: today.arrangement)]
      + rows.dropFirst().map {
        Strategy(name: $0.name, arrangement: $0.trial.arrangement, isAdvised: true)
      }
  }

  /// For programs.
  var table: RecordTable {
    RecordTable("arrangements", schema: Self.schema, Self.columns, rows)
  }

  /// Schema 2: margins are over other random numbers and moments; in schema 1 they were those of one run.
  private static let schema = 2

  private static let columns: [Column<Row>] =
    [
      Column(RunKey.scenario.name, RunKey.scenario.meaning) {
        .text($0.advice.request.scenario.name)
      },
      Column("verdict", "nothing-to-change, change or nothing-helps") {
        .text($0.advice.verdict.rawValue)
      },
      Column(.arrangement, "its name") { .text($0.name) },
      Column(.role, "today, advice, or nearest") { .text($0.role.rawValue) },
      Column(.moves, "changes to today's arrangement") {
        .text($0.trial.words.joined(separator: "; "))
      },
      Column(.change, "size of the change") { .count($0.trial.weight) },
      Column("moved", "number of moved services") { .count($0.trial.change.moved.count) },
      Column("new_lanes", "number of new lanes") { .count($0.trial.change.lanes) },
      Column("new_locks", "number of new locks") { .count($0.trial.change.locks) },
      Column("new_rules", "number of changed rules") { .count($0.trial.change.policies) },
      Column("split_calls", "number of calls that now go to another thread") {
        .count($0.trial.change.splits)
      },
      Column(.meetsAims, "1 if it meets the aims, else 0") {
        .count($0.trial.outcome.meets ? 1 : 0)
      },
    ] + measured + certainty + looked + placed + ended

  private static let placed: [Column<Row>] = [
    Column(.places, "place of each service: main, a lane, a lock, or several of these") { row in
      .text(places(row.trial.arrangement, of: row.advice.request.scenario))
    },
    Column(Metric.expectedFrames.name, "see summary.csv") { .count($0.trial.outcome.frames) },
    Column(.drawingAlone, "if nothing helps: dropped frames of drawing alone, without any work") {
      ($0.advice.drawingAlone?.dropped).map(MetricValue.count)
    },
  ]

  /// `gallery=main;hasher=lane background`, with the copies of a service as one entry.
  private static func places(_ arrangement: Arrangement, of scenario: Scenario) -> String {
    var names: [String] = []
    var places: [String: String] = [:]
    for (index, service) in scenario.services.indexed {
      let (name, place) = (service.fileName, place(of: index, in: arrangement))
      if places[name] == nil { names.append(name) }
      places[name] = places[name].map { $0 == place ? place : "places of their own" } ?? place
    }
    return names.map { "\($0)=\(places[$0] ?? "")" }.joined(separator: AdviceColumn.separator)
  }

  private static func place(of service: ServiceIndex, in arrangement: Arrangement) -> String {
    switch arrangement.placement[service] {
    case .home(.main): "main"
    case .home(let lane): "lane \(arrangement.lanes[lane].name)"
    case .guarded(let lock): "lock \(arrangement.locks[lock].name)"
    }
  }

  private static let measured: [Column<Row>] = [
    Column(Metric.droppedFrames.name, "see summary.csv") { .count($0.trial.outcome.dropped) },
    Column(Metric.responsesLate.name, "see summary.csv") {
      $0.trial.outcome.late.map(MetricValue.count)
    },
    Column(Metric.itemsPending.name, "see summary.csv") { .count($0.trial.outcome.pending) },
    Column(.handOff, "handing work over, on main") { .real($0.trial.outcome.price.handOff) },
    Column(.copying, "copying state for snapshots") { .real($0.trial.outcome.price.copying) },
    Column(.waiting, "main blocked on locks") { .real($0.trial.outcome.price.lockWait) },
    Column(Metric.response(.p99).name, "see summary.csv") {
      ($0.trial.outcome.price.response?.value).map(MetricValue.real)
    },
    Column(Metric.content(.p95).name, "see summary.csv") {
      ($0.trial.outcome.price.content?.value).map(MetricValue.real)
    },
  ]

  private static let certainty: [Column<Row>] = [
    Column(.margin, "by how much all costs may grow") {
      ($0.proposal?.margins.first?.percent).map(MetricValue.count)
    },
    Column("margins", "by how much the costs of each service may grow, in percent") { row in
      row.proposal.map { proposal in
        .text(
          proposal.margins.dropFirst().map { "\($0.service ?? "")=\($0.percent)" }
            .joined(separator: ";"))
      }
    },
    Column(.variants, "runs with other random numbers and arrival times") {
      ($0.proposal?.steadiness?.variants).map(MetricValue.count)
    },
    Column(.variantsMet, "of these, runs that meet the aims") {
      ($0.proposal?.steadiness?.met).map(MetricValue.count)
    },
    Column("effects", "dropped frames without each move, and with it alone") { row in
      row.proposal.map { .text($0.effects.map(\.sentence).joined(separator: "; ")) }
    },
  ]

  /// Columns that were added later, after all others.
  private static let ended: [Column<Row>] = [
    Column("recommended", "1 for the recommended arrangement: the first advised one, or today's") {
      row in
      .count(row.isRecommended ? 1 : 0)
    },
    Column("margin_ended_by", "the aim that limits margin_pct; empty if none does") { row in
      (row.proposal?.margins.first?.end).map { .text($0.aim.metric) }
    },
    Column(.marginEnds, "by how much all costs may grow before each aim is missed, in percent") {
      row in
      (row.proposal?.margins.first).map {
        .text(AdviceCertainty.End.text($0.ends.map(AdviceCertainty.End.init)))
      }
    },
    Column("margins_ended_by", "the aim that limits each of the margins") { row in
      row.proposal.map { proposal in
        .text(
          proposal.margins.dropFirst().map { "\($0.service ?? "")=\($0.end?.aim.metric ?? "")" }
            .joined(separator: AdviceColumn.separator))
      }
    },
    Column(
      .proven,
      "1 if it is proven that no frame is dropped at any phase of the arrivals; 0 if open; empty without --prove"
    ) {
      row in
      (row.role == .today ? row.advice.isTodayProven : row.proposal?.isProven).map {
        .count($0 ? 1 : 0)
      }
    },
  ]

  private static let looked: [Column<Row>] = [
    Column(.demand, "full cores that the work needs") { .real($0.advice.demand.perSecond) },
    Column(.capacity, "full cores of the machine") { .real($0.advice.demand.cores) },
    Column("placements", "number of placements; empty if there are too many to list") {
      $0.advice.count.placements.map(MetricValue.count)
    },
    Column("candidates", "number of candidates") { .count($0.advice.count.candidates) },
    Column("ruled_out", "of these, ruled out by a bound") { .count($0.advice.count.ruledOut) },
    Column("tried", "of these, number that were run") { .count($0.advice.count.tried) },
    Column("exhaustive", "1 if every placement with no larger change was considered") {
      .count($0.advice.count.isExhaustive && !$0.advice.count.isCut ? 1 : 0)
    },
    .learnedMark { $0.advice.request.scenario.learned },
  ]
}

extension MoveEffect {
  /// `hasher: without it 390 dropped and 6 late, alone 12 dropped and 0 late`
  var sentence: String {
    let figures = [
      without.map { "without it \(Self.figures($0))" }, alone.map { "alone \(Self.figures($0))" },
    ]
    return "\(words): \(figures.compactMap(\.self).joined(separator: ", "))"
  }

  private static func figures(_ outcome: Outcome) -> String {
    [
      "\(outcome.dropped) dropped", outcome.late.map { "\($0) late" },
      outcome.pending > 0 ? "\(outcome.pending) undone" : nil,
    ].compactMap(\.self).joined(separator: " and ")
  }
}

/// The gain of one move of an arrangement, as a line of `moves.csv`.
struct MoveRow {
  private let scenario: String
  private let arrangement: String
  private let effect: MoveEffect

  /// The moves of all proposed arrangements.
  static func table(_ advice: NamedAdvice) -> RecordTable {
    let rows = advice.rows.flatMap { row in
      (row.proposal?.effects ?? []).map { effect in
        MoveRow(
          scenario: row.advice.request.scenario.name, arrangement: row.name, effect: effect)
      }
    }
    return RecordTable("moves", columns, rows)
  }

  private static let columns: [Column<MoveRow>] =
    [
      Column(RunKey.scenario.name, RunKey.scenario.meaning) { .text($0.scenario) },
      Column(.arrangement, "the arrangement to which it belongs") { .text($0.arrangement) },
      Column(.move, "the service that moves, or the rule that changes") { .text($0.effect.words) },
    ]
    + outcome([.droppedWithout, .lateWithout, .pendingWithout], "all the others without it") {
      $0.effect.without
    }
    + outcome([.droppedAlone, .lateAlone, .pendingAlone], "it alone") { $0.effect.alone }

  /// Empty if the move cannot be undone or made alone.
  private static func outcome(
    _ names: [AdviceColumn], _ what: String,
    _ outcome: @escaping @Sendable (MoveRow) -> Outcome?
  ) -> [Column<MoveRow>] {
    let values: [@Sendable (Outcome) -> Int?] = [{ $0.dropped }, { $0.late }, { $0.pending }]
    let words = ["dropped frames", "late responses", "undone items"]
    return zip(zip(names, words), values).map { name, value in
      Column(name.0, "\(name.1) with \(what)") { row in
        outcome(row).flatMap(value).map(MetricValue.count)
      }
    }
  }
}

extension Column {
  /// Creates a row from a file, for the page.
  init(
    _ column: AdviceColumn, _ meaning: String, _ value: @escaping @Sendable (Row) -> MetricValue?
  ) {
    self.init(column.rawValue, meaning, Metric.Unit.none, value)
  }
}
