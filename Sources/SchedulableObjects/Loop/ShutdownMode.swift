/// What becomes of the events that wait when a scheduler is shut down. Later ones are refused in any case.
///
/// Delayed events that are not due by then are refused too. A second shutdown can only make it quicker.
public enum ShutdownMode: Sendable, Equatable {
  /// All of them run.
  case drain
  /// None of them runs; the one that is running ends.
  case drop
  /// They run until this much time has passed; then the rest is dropped.
  case deadline(Duration)
}
