package import FrameBudget

extension Learned {
  /// `; learned from trace.json, replay good`: fits behind what a run was of.
  package static func origin(_ learned: Learned?) -> String {
    learned.map { "; learned from \($0.source), replay \($0.replay.rawValue)" } ?? ""
  }
}

extension Learned.Replay {
  /// What is to be known of results of such a scenario, and what to do; nil where they can be trusted.
  var warning: (finding: String, remedy: String)? {
    switch self {
    case .good: nil
    case .fair:
      (
        "its replay is only fair",
        "trust the order of the strategies and not their figures; the README.md beside it says why"
      )
    case .poor:
      (
        "its replay is not what was recorded",
        "the README.md beside it says by how much, and what is missing"
      )
    case .tooShort:
      (
        "the recording is too short to judge its replay",
        "record for longer; the README.md beside it says how much is needed"
      )
    }
  }
}
