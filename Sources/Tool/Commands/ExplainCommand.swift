internal import Advice
internal import ArgumentParser
internal import FrameBudget
internal import RealTime
internal import Reports

/// Attributes dropped frames to parts of an app, or new ones to the parts that changed.
struct ExplainCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Attribute dropped frames to parts of an app, or new ones to changed parts.",
    discussion: """
      With one scenario, it prints the dropped frames without each service, each workload and drawing, and with each of them \
      alone. With two scenarios, it replaces the parts of the first by those of the second in every order; a part's share is \
      the mean number of frames that it adds (Shapley values). The shares of services, drawing, arrivals, arrangement and \
      settings add up to the difference. With more than eight changed parts, a random sample of orders is used, and each \
      share has a confidence interval.

      Both scenarios run in virtual time under their first strategy, or under that of --strategy.

      EXAMPLES:
        framebudget explain camera-upload
        framebudget explain before.yaml after.yaml
        framebudget explain before.yaml after.yaml --format csv -o shares.csv
      """)

  @Argument(help: .scenario)
  var scenario: String

  @Argument(help: "A later version of it, to explain the difference.")
  var after: String?

  @OptionGroup var subject: ScenarioOptions

  @Option(parsing: .unconditional, help: .jobs, transform: WholeNumber.jobs)
  var jobs: Int?

  @OptionGroup var output: OutputOptions<OutputFormat>

  @OptionGroup var target: FileOptions

  func perform(on console: Console) throws(ToolError) -> ExitStatus {
    let first = try AdvisedSubject(scenario, subject, on: console)
    let second = try after.map { path throws(ToolError) in
      try AdvisedSubject(path, subject, on: console)
    }
    var place = try target.open(on: console, quiet: output.quiet)
    Interruption.install()
    let bar = output.quiet ? nil : RunCountBar(on: console)
    let maker = ConcurrentRuns(jobs: jobs, showing: bar)
    let account =
      if let second {
        Explanation(
          before: first.scenario, under: first.today, after: second.scenario, under: second.today,
          costs: first.costs, maker: maker
        ).map { ExplainedDrops($0, first, second) }
      } else {
        Inventory(of: first.scenario, under: first.today, costs: first.costs, maker: maker)
          .map { ExplainedDrops($0, first) }
      }
    bar?.wipe()
    guard let account else { return .interrupted(by: Interruption.signal ?? 2) }
    let text = account.text(width: place.width, isColored: place.isColored(output.color))
    try place.write(output.format.text(account.table, text))
    return .success
  }
}

/// The sources of dropped frames, for people and for programs.
struct ExplainedDrops {
  let table: RecordTable
  private let sentence: String
  private let lines: TextTable

  func text(width: Int, isColored: Bool) -> String {
    let parts = [Paragraph.wrapped(sentence, width: width), lines.text(isColored: isColored)]
    return parts.map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n")
  }

  // MARK: One scenario

  init(_ inventory: Inventory, _ subject: AdvisedSubject) {
    let effects = inventory.effects.sorted { $0.without < $1.without }
    let scenario = subject.scenario.name
    var sentence =
      "\(subject.scenario.name) drops \(inventory.dropped) of \(inventory.frames) frames under "
      + "\(subject.today.label)"
    if let most = effects.first, most.without < inventory.dropped {
      sentence += "; without \(most.part) it would drop \(most.without)"
    }
    let learned = subject.scenario.learned
    self.sentence = sentence + Learned.origin(learned) + "."
    lines = Self.lines(
      [["", "part"], ["dropped", "without it"], ["dropped", "with it alone"]],
      effects.map { ["\($0.part)", "\($0.without)", "\($0.alone)"] })
    table = RecordTable(
      "parts",
      [
        Column(.part, "the part") { .text("\($0.part)") },
        Column(.dropped, "dropped frames of the whole app") { _ in .count(inventory.dropped) },
        Column(.without, "dropped frames without it") { .count($0.without) },
        Column(.alone, "dropped frames with it alone") { .count($0.alone) },
        Column(RunKey.scenario.name, RunKey.scenario.meaning) { _ in .text(scenario) },
        .learnedMark { _ in learned },
      ] as [Column<PartEffect>], effects)
  }

  // MARK: Before and after

  init(_ explanation: Explanation, _ before: AdvisedSubject, _ after: AdvisedSubject) {
    let difference = explanation.after - explanation.before
    let scenario = after.scenario.name
    let change =
      "\(before.source.name) drops \(explanation.before) frames, \(after.source.name) "
      + "\(explanation.after)"
    let first = explanation.shares.first.map { share in
      difference == 0
        ? "" : ": \(share.part) accounts for \(Figure.text(share.frames)) of \(difference)"
    }
    let learned = before.scenario.learned ?? after.scenario.learned
    sentence = change + (first ?? ", and nothing differs") + Learned.origin(learned) + "."
    let places = explanation.isExact ? 2 : 1
    let printed = Self.printed(explanation.shares, places: places, total: difference)
    var rows = zip(explanation.shares, printed).map { share, text in
      ["\(share.part)", text] + (explanation.isExact ? [] : ["± \(Figure.text(share.error ?? 0))"])
    }
    rows.append(["together", "\(difference)"] + (explanation.isExact ? [] : [""]))
    lines = Self.lines(
      [["", "part"], ["dropped", "frames"]] + (explanation.isExact ? [] : [["", "95 %"]]), rows)
    table = RecordTable(
      "shares",
      [
        Column(.part, "the changed part") { .text("\($0.part)") },
        Column(.frames, "dropped frames that it accounts for") { .real($0.frames) },
        Column("numerator", "numerator of the exact share") { .count($0.numerator) },
        Column("denominator", "denominator of the exact share") { .count($0.denominator) },
        Column(.error, "half of a 95 % interval; empty if all orders were tried") {
          $0.error.map(MetricValue.real)
        },
        Column(.before, "dropped frames before") { _ in .count(explanation.before) },
        Column(.after, "dropped frames after") { _ in .count(explanation.after) },
        Column(RunKey.scenario.name, "name of the later scenario") { _ in .text(scenario) },
        .learnedMark { _ in learned },
      ] as [Column<Explanation.Share>], explanation.shares)
  }

  /// Rounds so that the printed numbers add up to the total, by the largest remainders.
  private static func printed(
    _ shares: [Explanation.Share], places: Int, total: Int
  ) -> [String] {
    let unit = places == 2 ? 100 : 10
    var units: [Int] = []
    var rests: [(place: Int, rest: Int)] = []
    for (place, share) in shares.enumerated() {
      let (quotient, rest) = Self.floored(share.numerator * unit, by: share.denominator)
      units.append(quotient)
      rests.append((place, rest))
    }
    let missing = total * unit - units.reduce(0, +)
    for (place, _) in rests.sorted(by: { $0.rest > $1.rest }).prefix(max(0, missing)) {
      units[place] += 1
    }
    return units.map { Decimal.text(Double($0) / Double(unit), places: places) }
  }

  private static func floored(_ number: Int, by divisor: Int) -> (Int, Int) {
    let (quotient, rest) = number.quotientAndRemainder(dividingBy: divisor)
    return rest < 0 ? (quotient - 1, rest + divisor) : (quotient, rest)
  }

  private static func lines(_ titles: [[String]], _ rows: [[String]]) -> TextTable {
    var table = TextTable(titles: titles)
    table.lines = rows.map { .cells($0.map { TextTable.Cell(text: $0) }) }
    return table
  }
}
