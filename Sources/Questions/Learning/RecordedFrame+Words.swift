internal import FrameBudgetCaptures

extension RecordedFrame.Verdict {
  /// A phrase that follows a number.
  var words: String {
    switch self {
    case .shown: "shown"
    case .partial: "shown without the main thread's part"
    case .late: "late"
    case .stuffed: "waiting behind others"
    case .dropped: "dropped"
    case .notWanted: "with nothing to draw"
    }
  }
}
