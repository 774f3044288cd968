internal import Concurrency

/// The kind of the short lock for queueing elements. None of your code runs while it is held, so any kind is correct.
public enum LockKind: String, CaseIterable, Sendable {
  /// Spins until it is free. The cheapest lock while it is free, and the most wasteful while its holder is not running.
  case spin
  /// The system's mutex, in which waiting threads sleep.
  case mutex
  /// A mutex that its holder may lock again. Queueing never does, so this kind shows the cost of recursion.
  case recursive

  func makeLock() -> any ShortLock {
    switch self {
    case .spin: SpinLock()
    case .mutex: SystemMutex(.plain)
    case .recursive: SystemMutex(.recursive)
    }
  }
}

extension SystemMutex: ShortLock {}
