internal import FrameBudgetAdvice
internal import ArgumentParser
internal import FrameBudget
internal import FrameBudgetRealTime
internal import FrameBudgetReports
internal import Glibc

/// Attributes dropped frames and late answers to parts of an app, or new dropped frames to the parts that changed.
struct ExplainCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Attribute dropped frames and late answers to parts of an app.",
    discussion: """
      With one scenario, it prints the dropped frames, and late answers if there are any, without each service, each workload \
      and drawing, and with each of them alone. With two scenarios, it replaces the parts of the first by those of the second in every order; a part's share is \
      the mean number of frames that it adds (Shapley values). The shares of services, drawing, arrivals, arrangement and \
      settings add up to the difference. With more than eight changed parts, a random sample of orders is used, and each \
      share has a confidence interval.

      Both scenarios run in virtual time under their first strategy, or under that of --strategy.

      EXAMPLES:
        framebudget explain camera-upload
        framebudget explain before.yaml after.yaml
        framebudget explain before.yaml after.yaml --format csv -o shares.csv
      """)

  @Argument(help: .scenario, completion: .scenario)
  var scenario: String

  @Argument(help: "A later version of it, to explain the difference.", completion: .scenario)
  var after: String?

  @OptionGroup var subject: ScenarioOptions

  @Option(parsing: .unconditional, help: .jobs, transform: WholeNumber.jobs)
  var jobs: Int?

  @OptionGroup var output: OutputOptions<OutputFormat>

  @OptionGroup var target: FileOptions

  func perform(on console: Console) throws(ToolError) -> ExitStatus {
    let first = try AdvisedSubject(scenario, subject.choice, on: console)
    let second = try after.map { path throws(ToolError) in
      try AdvisedSubject(path, subject.choice, on: console)
    }
    if first.isOneOfSeveral, !subject.strategy.isEmpty, !output.quiet {
      console.note("explains only \(first.today.label), the first strategy of --strategy")
    }
    var place = try target.open(on: console, quiet: output.quiet)
    Interruption.install()
    let bar = output.quiet ? nil : RunCountBar(on: console)
    let maker = ConcurrentRuns(jobs: jobs, showing: bar)
    let record =
      second.map { ExplainedRecord(first, $0, maker) } ?? ExplainedRecord(first, maker)
    bar?.wipe()
    guard let record else {
      let file = target.file.map { ", so \($0) is not written" } ?? ""
      console.note("interrupted before the answer was known\(file)")
      return .interrupted(by: Interruption.signal ?? SIGINT)
    }
    let text = ExplainedText(record).text(
      width: place.width, isColored: place.isColored(output.color))
    try place.write(output.format.text(record.table, text))
    return .success
  }
}

extension ExplainedRecord {
  /// Runs `subject` without each part; nil if it was interrupted.
  init?(_ subject: AdvisedSubject, _ maker: some RunMaker) {
    let inventory = Inventory(
      of: subject.scenario, under: subject.today, costs: subject.costs, maker: maker)
    guard let inventory else { return nil }
    var whole = Drops()
    whole.subject = subject.stated
    (whole.dropped, whole.late) = (inventory.whole.dropped, inventory.whole.late)
    (whole.frames, whole.strategy) = (inventory.whole.frames, subject.today.label)
    let effects = inventory.effects.sorted {
      ($0.without.dropped, $0.without.late ?? 0) < ($1.without.dropped, $1.without.late ?? 0)
    }
    self = .drops(whole, effects.map(Part.init))
  }

  /// Runs what lies between `before` and `after`; nil if it was interrupted.
  init?(_ before: AdvisedSubject, _ after: AdvisedSubject, _ maker: some RunMaker) {
    let explanation = Explanation(
      before: before.scenario, under: before.today, after: after.scenario, under: after.today,
      costs: before.costs, maker: maker)
    guard let explanation else { return nil }
    var whole = Difference()
    whole.subject = after.stated
    let learned = before.scenario.learned ?? after.scenario.learned
    (whole.subject.replay, whole.subject.source) = (learned?.replay, learned?.source)
    (whole.before, whole.after) = (explanation.before, explanation.after)
    (whole.beforeName, whole.afterName) = (before.source.name, after.source.name)
    self = .difference(
      whole,
      explanation.shares.map { share in
        var part = Share()
        part.part = "\(share.part)"
        (part.numerator, part.denominator) = (share.numerator, share.denominator)
        part.error = share.error?.asWritten
        return part
      })
  }
}

extension ExplainedRecord.Part {
  fileprivate init(_ effect: PartEffect) {
    self.init()
    part = "\(effect.part)"
    (without, alone) = (effect.without.dropped, effect.alone.dropped)
    (lateWithout, lateAlone) = (effect.without.late, effect.alone.late)
  }
}

/// The sources of dropped frames, for people.
struct ExplainedText {
  private let sentence: String
  private let lines: TextTable

  init(_ record: ExplainedRecord) {
    switch record {
    case .drops(let whole, let parts): self.init(whole, parts)
    case .difference(let whole, let shares): self.init(whole, shares)
    }
  }

  func text(width: Int, isColored: Bool) -> String {
    let parts = [Paragraph.wrapped(sentence, width: width), lines.text(isColored: isColored)]
    return Paragraph.joined(parts)
  }

  // MARK: One scenario

  private init(_ whole: ExplainedRecord.Drops, _ parts: [ExplainedRecord.Part]) {
    let frames = whole.frames.map { " of \($0)" } ?? ""
    sentence =
      "\(whole.subject.scenario) drops \(whole.dropped)\(frames) frames\(whole.answers) under \(whole.strategy)"
      + "\(ExplainedRecord.gains(whole, parts))\(whole.subject.origin)."
    let isLate = whole.late ?? 0 > 0
    let titles = [["", "part"], ["dropped", "without it"], ["dropped", "with it alone"]]
    lines = Self.lines(
      titles + (isLate ? [["late", "without it"], ["late", "with it alone"]] : []),
      parts.map { part in
        let answers = [part.lateWithout, part.lateAlone].map { $0.map { "\($0)" } ?? "" }
        return [part.part, "\(part.without)", "\(part.alone)"] + (isLate ? answers : [])
      })
  }

  // MARK: Before and after

  private init(_ whole: ExplainedRecord.Difference, _ shares: [ExplainedRecord.Share]) {
    let difference = whole.after - whole.before
    let change =
      "\(whole.beforeName) drops \(whole.before) frames, \(whole.afterName) \(whole.after)"
    let first = shares.first.map { share in
      difference == 0
        ? "" : ": \(Figure.text(share.frames)) of \(difference) because of \(share.part)"
    }
    sentence = change + (first ?? ", and nothing differs") + whole.subject.origin + "."
    let isExact = shares.allSatisfy { $0.error == nil }
    let printed = Self.printed(shares, places: isExact ? 2 : 1, total: difference)
    var rows = zip(shares, printed).map { share, text in
      [share.part, text] + (isExact ? [] : ["± \(Figure.text(share.error ?? 0))"])
    }
    rows.append(["together", "\(difference)"] + (isExact ? [] : [""]))
    lines = Self.lines(
      [["", "part"], ["dropped", "frames"]] + (isExact ? [] : [["", "95 %"]]), rows)
  }

  /// Rounds so that the printed numbers add up to the total, by the largest remainders.
  private static func printed(
    _ shares: [ExplainedRecord.Share], places: Int, total: Int
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
