/// The number of elements that a runner delivers before it yields its thread.
public enum Drain: String, CaseIterable, Sendable {
  /// One element; then the runner schedules itself again. Sources take turns, and each element costs a hop.
  case item
  /// All elements that wait at the begin of its turn. Each batch costs a hop, and the other sources wait for the whole batch.
  case batch
}
