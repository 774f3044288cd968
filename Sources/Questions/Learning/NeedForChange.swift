/// Whether dropped frames need a change. The recorded ones decide; a search for the change can only try those of the replay.
public enum NeedForChange: Hashable, Sendable {
  /// A change, if the replay drops more than so many frames.
  case beyond(Int)
  /// None: the recording drops few frames. The replay drops more, which are its error.
  case none
  /// A change that is unknown, because the replay drops few frames, and the recording more.
  case unknown

  /// Dropped frames; nil if unknown. A good replay does not tell `limit` of them from none.
  init(limit: Int, recorded: Int?, replayed: Int?) {
    guard let recorded, let replayed, (recorded > limit) != (replayed > limit) else {
      self = .beyond(limit)
      return
    }
    if recorded <= limit {
      self = .none
    } else if 2 * replayed >= recorded {
      // It has most of them: as large a part of them as of the limit may be left.
      self = .beyond(limit * replayed / recorded)
    } else {
      self = .unknown
    }
  }

  /// The answer without a search, in sentences; nil if one is needed.
  public var answer: String? {
    switch self {
    case .beyond: nil
    case .none:
      "Nothing to change: the recording drops hardly a frame. What the replay drops is its error."
    case .unknown:
      "What would help is unknown: the replay lacks most of the recorded dropped frames."
    }
  }
}
