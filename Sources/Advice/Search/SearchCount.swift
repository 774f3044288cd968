/// How much of what there is was looked at.
public struct SearchCount: Hashable, Sendable {
  /// Placements of services that there are; nil where they are too many to be listed.
  public internal(set) var placements: Int?
  /// Candidates that were looked at, with other rules included.
  public internal(set) var candidates = 0
  /// Of these, those that a bound ruled out before anything was run.
  public internal(set) var ruledOut = 0
  /// Of these, those that were run.
  public internal(set) var tried = 0
  /// Whether every placement was looked at whose change is not larger than that of the answer.
  public internal(set) var isExhaustive = true
  /// Whether somebody ended the search before its end.
  public internal(set) var isCut = false

  init() {}
}
