internal import FrameBudget
public import FrameBudgetParsing

/// The answer of `explain`: the parts of an app that its dropped frames come from, or those that account for a difference.
public enum ExplainedRecord: Equatable, Sendable {
  /// For two scenarios: the dropped frames that each changed part accounts for, the largest first.
  case difference(Difference, [Share])
  /// For one scenario: its dropped frames without each part.
  case drops(Drops, [Part])

  /// Two scenarios.
  public struct Difference: Equatable, Sendable {
    /// The later one, and the recording that either was learned from.
    package var subject = QuestionSubject()
    /// Dropped frames.
    package var before = 0
    package var after = 0
    package var beforeName = ""
    package var afterName = ""

    package init() {}
  }

  /// The share of a changed part.
  public struct Share: Equatable, Sendable {
    package var part = ""
    /// Dropped frames as a fraction, so that the shares add up exactly; negative if the part saves some.
    package var numerator = 0
    package var denominator = 1
    /// Half of a 95 % interval if orders of the parts were drawn.
    package var error: Double?

    package init() {}

    package var frames: Double { Double(numerator) / Double(denominator) }
  }

  /// One scenario under a strategy.
  public struct Drops: Equatable, Sendable {
    package var subject = QuestionSubject()
    /// Dropped frames of the whole app, and the number of vsyncs.
    package var dropped = 0
    /// Its late answers; nil if nothing has to be answered, and in earlier versions.
    package var late: Int?
    package var frames: Int?
    package var strategy = ""

    package init() {}

    /// ` and answers three items late`; empty if none is late.
    package var answers: String {
      late.flatMap { $0 > 0 ? " and answers \(English.count($0, "item")) late" : nil } ?? ""
    }
  }

  /// A part of an app.
  public struct Part: Equatable, Sendable {
    package var part = ""
    /// Dropped frames without it, and with it alone.
    package var without = 0
    package var alone = 0
    /// Late answers without it, and with it alone.
    package var lateWithout: Int?
    package var lateAlone: Int?

    package init() {}
  }

  /// `; without service index it would drop 3; without service net none would be late`, as far as a part makes a difference.
  package static func gains(_ whole: Drops, _ parts: [Part]) -> String {
    let (dropped, late) = (whole.dropped, whole.late ?? 0)
    let first = parts.min { $0.without < $1.without }
    let frames = first.flatMap {
      $0.without < dropped ? "; without \($0.part) it would drop \($0.without)" : nil
    }
    let quickest = parts.min { $0.lateWithout ?? late < $1.lateWithout ?? late }
    let answers = quickest.flatMap { part in
      part.lateWithout.flatMap { rest in
        rest < late ? "; without \(part.part) \(rest == 0 ? "none" : "\(rest)") would be late" : nil
      }
    }
    return [frames, answers].compactMap(\.self).joined()
  }

  var scenario: String { subject.scenario }

  var subject: QuestionSubject {
    switch self {
    case .difference(let whole, _): whole.subject
    case .drops(let whole, _): whole.subject
    }
  }
}

// MARK: Files

/// A line of the output of `explain`: one part, and the whole, which all lines share.
struct ExplainedLine<Whole: ExplainedWhole>: FileRecord {
  var whole = Whole()
  var part = Whole.Part()

  static var columns: [Column<Self>] { Whole.columns }
  static var file: String { "file of 'explain'" }
  static var required: [String] { Whole.required }
  static var maxLines: Int { 10_000 }

  func check() throws(InputError) { try Whole.check(part) }
}

/// What all lines of the output of `explain` share.
protocol ExplainedWhole: Equatable, Sendable {
  associatedtype Part: ExplainedPart
  init()
  static var columns: [Column<ExplainedLine<Self>>] { get }
  static var required: [String] { get }
  static func check(_ part: Part) throws(InputError)
}

/// What differs between those lines.
protocol ExplainedPart: Equatable, Sendable { init() }

extension ExplainedRecord.Share: ExplainedPart {}
extension ExplainedRecord.Part: ExplainedPart {}

extension ExplainedRecord.Difference: ExplainedWhole {
  static let columns: [Column<ExplainedLine<Self>>] =
    [
      Column("part", "the changed part", at: \.part.part),
      Column("frames", "dropped frames that it accounts for") { .real($0.part.frames) },
      Column("numerator", "numerator of the exact share", signed: \.part.numerator),
      Column("denominator", "denominator of the exact share", at: \.part.denominator),
      Column("error", "half of a 95 % interval; empty if all orders were tried", at: \.part.error),
      Column("before", "dropped frames before", at: \.whole.before),
      Column("after", "dropped frames after", at: \.whole.after),
      Column(RunKey.scenario.name, "name of the later scenario", at: \.whole.subject.scenario),
      SubjectColumn.replay.of(\.whole.subject),
      // Added after the other columns.
      SubjectColumn.source.of(\.whole.subject),
      Column("before_file", "the earlier scenario's file", at: \.whole.beforeName),
      Column("after_file", "the later scenario's file", at: \.whole.afterName),
    ] + subject

  static let required = ["part", "numerator", "denominator", "before", "after"]

  private static let subject: [Column<ExplainedLine<Self>>] =
    SubjectColumn.settings.map { $0.of(\.whole.subject) }

  static func check(_ part: ExplainedRecord.Share) throws(InputError) {
    guard part.denominator > 0 else { throw InputError("a share has no denominator") }
  }
}

extension ExplainedRecord.Drops: ExplainedWhole {
  static let columns: [Column<ExplainedLine<Self>>] =
    [
      Column("part", "the part", at: \.part.part),
      Column("dropped", "dropped frames of the whole app", at: \.whole.dropped),
      Column("without", "dropped frames without it", at: \.part.without),
      Column("alone", "dropped frames with it alone", at: \.part.alone),
      SubjectColumn.scenario.of(\.whole.subject), SubjectColumn.replay.of(\.whole.subject),
      // Added after the other columns.
      SubjectColumn.source.of(\.whole.subject),
      Column(Metric.expectedFrames.name, "see summary.csv", at: \.whole.frames),
      Column(RunKey.strategy.name, "the strategy with its options", at: \.whole.strategy),
    ] + subject + late

  static let required = ["part", "dropped", "without", "alone"]

  private static let late: [Column<ExplainedLine<Self>>] = [
    Column(Metric.responsesLate.name, "late answers of the whole app", at: \.whole.late),
    Column("late_without", "late answers without it", at: \.part.lateWithout),
    Column("late_alone", "late answers with it alone", at: \.part.lateAlone),
  ]

  private static let subject: [Column<ExplainedLine<Self>>] =
    SubjectColumn.settings.map { $0.of(\.whole.subject) }

  static func check(_ part: ExplainedRecord.Part) {}
}

extension ExplainedRecord {
  /// Whether a file with that header has the columns of such an output.
  public static func recognises(_ header: FileHeader) -> Bool {
    header.has(Difference.required) || header.has(Drops.required)
  }

  /// Reads the output of `explain --format csv`, with its columns in any order.
  public init(_ source: consuming ByteSource) throws(InputError) {
    if FileHeader(try source.peek(4096)).has(Difference.required) {
      let lines = try ExplainedLine<Difference>.read(source)
      self = .difference(lines[0].whole, lines.map(\.part))
    } else {
      let lines = try ExplainedLine<Drops>.read(source)
      self = .drops(lines[0].whole, lines.map(\.part))
    }
  }

  /// As `explain --format csv` and `--format json` write it.
  public var table: RecordTable {
    switch self {
    case .difference(let whole, let shares): Self.table("shares", whole, shares)
    case .drops(let whole, let parts): Self.table("parts", whole, parts)
    }
  }

  private static func table<Whole: ExplainedWhole>(
    _ name: String, _ whole: Whole, _ parts: [Whole.Part]
  ) -> RecordTable {
    RecordTable(name, Whole.columns, parts.map { ExplainedLine(whole: whole, part: $0) })
  }
}
