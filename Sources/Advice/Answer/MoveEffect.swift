internal import FrameBudget

/// What one move of several buys.
public struct MoveEffect: Sendable {
  /// What it is, as something to do.
  public let words: String
  /// What comes of all the others without it; nil where that cannot be.
  public let without: Outcome?
  /// What comes of it alone; nil where that cannot be.
  public let alone: Outcome?
}
