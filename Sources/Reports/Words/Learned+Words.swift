package import FrameBudget

extension Learned {
  /// `; learned from trace.json, replay good`: fits behind what a run was of.
  package static func origin(_ learned: Learned?) -> String {
    learned.map { "; learned from \($0.source), replay \($0.replay.rawValue)" } ?? ""
  }
}
