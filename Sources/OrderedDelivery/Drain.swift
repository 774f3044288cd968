/// How much a runner delivers before it lets others have its thread.
public enum Drain: String, CaseIterable, Sendable {
  /// One element, then it schedules itself anew: sources take turns, and each element costs a hop.
  case item
  /// All that wait when its turn comes: a hop for each batch, and the other sources wait for as long as that takes.
  case batch
}
