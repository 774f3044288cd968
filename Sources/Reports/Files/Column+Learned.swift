internal import FrameBudget

extension Column where Row == ReportRow {
  /// The mark of a scenario that was learned from a recording, which stays with every table of its runs.
  static let learned = Column(
    "learned",
    "whether the scenario's replay is what was recorded, good or poor; empty where it is from no recording"
  ) { $0.log.learned.map { .text($0.replay.rawValue) } }
}
