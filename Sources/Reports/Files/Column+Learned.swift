package import FrameBudget

extension Column {
  /// The mark of a scenario that was learned from a recording, which stays with every table of its runs.
  package static func learnedMark(_ mark: @escaping @Sendable (Row) -> Learned?) -> Column {
    learnedMark(by: { mark($0)?.replay.rawValue ?? "" })
  }

  /// The same of rows that have it as text; empty where there is none.
  static func learnedMark(by text: @escaping @Sendable (Row) -> String) -> Column {
    Column(
      "learned",
      "how far the scenario's replay is what was recorded: "
        + Learned.Replay.allCases.map(\.rawValue).joined(separator: ", ")
        + "; empty where it is from no recording"
    ) { row in
      let mark = text(row)
      return mark.isEmpty ? nil : .text(mark)
    }
  }
}

extension Column where Row == ReportRow {
  /// Whose screen it was run on, by which results show a platform's numbers.
  static let like = Self(
    "like", "the platform whose screen the scenario has; empty where it says none"
  ) { $0.log.platform.map { .text($0.rawValue) } }

  /// The same of a run.
  static let learned = Self.learnedMark(by: { $0.log.learned?.replay.rawValue ?? "" })
}
