internal import FrameBudget

/// Somebody who waits for the picture that shows what they asked for.
struct Tap: Hashable, Sendable {
  let at: Instant
  /// Nil while they wait.
  let answer: Instant?
  let isLate: Bool
}
