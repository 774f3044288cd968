internal import Concurrency

/// The short lock under which elements are queued. No code of yours runs while it is held, so any of them will do.
public enum LockKind: String, CaseIterable, Sendable {
  /// Turns until it is free: nothing is cheaper while it is free, nothing wastes more while its holder is not running.
  case spin
  /// The system's mutex: whoever has to wait sleeps.
  case mutex
  /// A mutex that its holder may take again; queueing never does, so this shows what the permission costs.
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
