/// What a shutdown does with the waiting events. Later events are always refused.
///
/// Delayed events that are not due by then are refused too. A second shutdown can only make the first one faster.
public enum ShutdownMode: Sendable, Equatable {
  /// All of them run.
  case drain
  /// None of them runs; the running one completes.
  case drop
  /// They run until this time has passed; then the rest is dropped.
  case deadline(Duration)
}
