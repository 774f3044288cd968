internal import FrameBudget
internal import FrameBudgetParsing

/// A requirement of a test that measures frames, or of a baseline, and its result.
public struct FrameCheck: Hashable, Sendable {
  /// The result of the requirement.
  public enum Outcome: String, Sendable { case met, missed, unsure }

  /// The name of the test in results.
  public let test: String
  /// `dropped_frames at most 0`
  public let name: String
  /// The measured value, with its unit: `0 to 3`
  public let value: String
  public let outcome: Outcome
  /// `slower`, if the outcome alone is not enough.
  public let word: String
  /// The reason for an unknown result, or a remedy.
  public let note: String?

  public init(
    test: String, name: String, value: String, outcome: Outcome, word: String? = nil,
    note: String? = nil
  ) {
    self.test = test
    self.name = name
    self.value = value
    self.outcome = outcome
    self.word = word ?? outcome.rawValue
    self.note = note
  }
}

/// All checks of a run of tests.
public struct FrameChecks: Sendable {
  public let checks: [FrameCheck]

  public init(_ checks: [FrameCheck]) { self.checks = checks }

  /// The result of all checks; unknown without checks.
  public var outcome: FrameCheck.Outcome {
    if checks.contains(where: { $0.outcome == .missed }) { return .missed }
    return checks.isEmpty || checks.contains { $0.outcome == .unsure } ? .unsure : .met
  }

  /// By test, in their order.
  var groups: [(test: String, checks: [FrameCheck])] {
    checks.grouped(by: \.test).map { ($0, $1) }
  }

  // MARK: Words

  /// `Missed: dropped_frames at most 0 of add-photos (57 to 60). Of 3 checks 1 is missed, 2 are met.`
  public var sentence: String { sentences.joined(separator: " ") }

  var sentences: [String] {
    switch outcome {
    case .met:
      let all = checks.count == 1 ? "the one check" : "all \(checks.count) checks"
      return ["Met: \(all) of \(English.count(groups.count, "test"))."]
    case .missed: return ["Missed: \(named(.missed)).", counts]
    case .unsure:
      guard !checks.isEmpty else {
        return ["Unsure: no test asked for a verdict, and no result was compared with a baseline."]
      }
      return ["Unsure: the result is unknown for \(named(.unsure)).", counts]
    }
  }

  /// The limit for one sentence.
  private static let most = 3

  private func named(_ outcome: FrameCheck.Outcome) -> String {
    let found = checks.filter { $0.outcome == outcome }
    let parts = found.map { check in
      "\(check.name) of \(check.test)" + (check.value.isEmpty ? "" : " (\(check.value))")
    }
    return English.list(parts, most: Self.most)
  }

  private var counts: String {
    let parts = [FrameCheck.Outcome.missed, .unsure, .met].compactMap { outcome -> String? in
      let count = checks.count { $0.outcome == outcome }
      return count == 0 ? nil : "\(count) \(count == 1 ? "is" : "are") \(outcome.rawValue)"
    }
    return "Of \(English.count(checks.count, "check")) \(parts.joined(separator: ", "))."
  }
}

extension FrameChecks {
  private static let titles = ["check", "found", "verdict"]

  /// The sentence, and for each test its entry in `summaries` above its checks.
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

  /// Tables in GitHub's format, after the sentence.
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
      Column("test", "name of the test in results") { .text($0.test) },
      Column("check", "the requirement") { .text($0.name) },
      Column("found", "the measured value") { .text($0.value) },
      Column("verdict", "one word") { .text($0.word) },
      Column("outcome", "met, missed, or unsure") { .text($0.outcome.rawValue) },
      Column("note", "reason for an unsure outcome") { $0.note.map(MetricValue.text) },
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

  /// An error for missed checks, a warning for unsure ones, and a notice with the outcome.
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
