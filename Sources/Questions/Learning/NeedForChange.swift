/// Which dropped frames need a change: those that were recorded, beyond so few that a good replay does not tell them from none.
public struct NeedForChange: Sendable {
  /// The largest number of dropped frames that needs no change.
  let limit: Int
  /// Dropped frames; nil if unknown.
  let recorded: Int?
  let replayed: Int?

  /// The largest number of dropped frames of the replay that needs no change: any number, if the recorded ones need none; none, if
  /// only those need one.
  public var negligible: Int {
    guard let recorded, let replayed else { return limit }
    if recorded <= limit { return max(limit, replayed) }
    return replayed <= limit ? 0 : limit
  }

  /// Whether the recorded frames need a change, and the replay drops too few to say which.
  public var isUnexplained: Bool {
    guard let recorded, let replayed else { return false }
    return recorded > limit && replayed <= limit
  }
}
