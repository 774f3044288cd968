internal import FrameBudget

/// The locks of a run.
struct LiveLocks: Sendable {
  /// As the arrangement lists them.
  let all: [any EngineLock]
  /// Nil where no locks nest, so that a wait for one always ends.
  let waits: LockWaits?

  init(_ arrangement: Arrangement) {
    all = arrangement.locks.map { $0.kind.makeLock() }
    waits = LockWaits(arrangement)
  }
}
