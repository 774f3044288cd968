internal import FrameBudget
internal import Reports

/// A fact about the machine, what it means for measurements, and what can be done about it.
struct Finding: Equatable {
  var name: String
  var value: String
  var verdict: Verdict
  /// Nothing where nothing need be done.
  var remedy: String?

  enum Verdict: String, Comparable {
    case good, fair, poor
    /// Without it nothing can be measured.
    case missing

    var style: TextStyle {
      switch self {
      case .good: .green
      case .fair: .yellow
      case .poor, .missing: .red
      }
    }

    static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }

    private var rank: Int {
      switch self {
      case .good: 0
      case .fair: 1
      case .poor: 2
      case .missing: 3
      }
    }
  }
}

/// The findings as people read them: a line for each, the remedy below it.
struct FindingsTable {
  let findings: [Finding]

  func text(width: Int, isColored: Bool) -> String {
    let column = (findings.map(\.name.count).max() ?? 0) + 2
    let left = 9 + column
    return findings.flatMap { finding in
      let verdict = finding.verdict
      let mark = verdict.style.paint(verdict.rawValue, isColored) + gap(9 - verdict.rawValue.count)
      let values = Paragraph.wrapped(finding.value, width: max(20, width - left))
      let first = mark + finding.name + gap(column - finding.name.count) + (values.first ?? "")
      let remedies =
        finding.remedy.map { Paragraph.wrapped($0, width: max(20, width - left)) } ?? []
      let below = values.dropFirst() + remedies.map { TextStyle.dim.paint($0, isColored) }
      return [first] + below.map { gap(left) + $0 }
    }.map { $0 + "\n" }.joined()
  }

  /// For programs.
  var records: RecordTable {
    RecordTable(
      "findings",
      [
        Column("name", "what was looked at") { finding in .text(finding.name) },
        Column("value", "what was found") { .text($0.value) },
        Column("verdict", "good, fair, poor, or missing") { .text($0.verdict.rawValue) },
        Column("remedy", "what can be done about it") { $0.remedy.map { .text($0) } },
      ], findings)
  }

  private func gap(_ count: Int) -> String { String(repeating: " ", count: count) }
}
