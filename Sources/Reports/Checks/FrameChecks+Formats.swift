internal import FrameBudget
internal import Parsing

extension FrameChecks {
  private static let titles = ["check", "found", "verdict"]

  /// The sentence, and for each test what `summaries` say of it above its checks.
  public func table(_ summaries: [(test: String, text: String)]) -> String {
    let sections = summaries.map { summary in
      let own = checks.filter { $0.test == summary.test }
      let rows = [Self.titles] + own.map { Self.cells($0).map(\.printable) }
      let lines = own.isEmpty ? [] : AlignedColumns.lines(rows, left: [0, 1, 2])
      return ([summary.text] + (lines + Self.notes(own)).map { "  " + Self.withoutEnd($0) })
        .joined(separator: "\n") + "\n"
    }
    return ([sentence.printable + "\n"] + sections).joined(separator: "\n")
  }

  /// GitHub's tables, the sentence first.
  public var markdown: String {
    let sections = groups.map { test, checks in
      let rows = EscapedTable.lines(Self.titles, checks.map(Self.cells), left: [0, 2])
      let notes = Self.notes(checks).map { "\n" + $0.markdown }
      return "### \(test.markdown)\n\n"
        + (rows + notes).joined(separator: "\n") + "\n"
    }
    return (["**\(sentence.markdown)**\n"] + sections).joined(separator: "\n")
  }

  /// For programs: the sentences and the outcome, then each check.
  public var json: String {
    let columns: [Column<FrameCheck>] = [
      Column("test", "as its results are called") { .text($0.test) },
      Column("check", "what was asked for") { .text($0.name) },
      Column("found", "what was found") { .text($0.value) },
      Column("verdict", "in a word") { .text($0.word) },
      Column("outcome", "met, missed, or unsure") { .text($0.outcome.rawValue) },
      Column("note", "why nothing can be said") { $0.note.map(MetricValue.text) },
    ]
    var table = RecordTable("checks", columns, checks)
    table.verdict = .object([
      ("sentences", .array(sentences.map(JSON.text))), ("outcome", .text(outcome.rawValue)),
    ])
    return table.json
  }

  /// A suite for each test, a case for each check.
  public var junit: String {
    let suites = groups.map { test, checks in
      (
        name: test,
        cases: checks.map { JUnitXML.Case(name: $0.name, outcome: Self.junitOutcome($0)) }
      )
    }
    return JUnitXML(name: "frame-budget", suites: suites).text
  }

  /// An error for what is missed, a warning for what is unsure, and a notice with the outcome.
  public var github: String {
    let lines = checks.compactMap { check -> GitHubAnnotation? in
      switch check.outcome {
      case .met: nil
      case .missed: GitHubAnnotation(.error, check.test, Self.sentence(check))
      case .unsure: GitHubAnnotation(.warning, check.test, Self.sentence(check))
      }
    }
    return (lines + [GitHubAnnotation(.notice, "frame-budget", sentence)]).map(\.line).joined()
  }

  // MARK: Parts

  private static func cells(_ check: FrameCheck) -> [String] {
    [check.name, check.value, check.word]
  }

  private static func notes(_ checks: [FrameCheck]) -> [String] {
    checks.compactMap { check in check.note.map { "\(check.name): \($0)" } }
  }

  private static func junitOutcome(_ check: FrameCheck) -> JUnitXML.Outcome {
    switch check.outcome {
    case .met: .passed
    case .missed: .failure(sentence(check))
    case .unsure: .error(sentence(check))
    }
  }

  private static func sentence(_ check: FrameCheck) -> String {
    let value = check.value.isEmpty ? "" : " (\(check.value))"
    return "\(check.name) is \(check.word)\(value)" + (check.note.map { "; \($0)" } ?? "")
  }

  private static func withoutEnd(_ line: String) -> String {
    var line = line.printable
    while line.last == " " { line.removeLast() }
    return line
  }
}
