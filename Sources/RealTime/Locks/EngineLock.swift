internal import Concurrency
internal import FrameBudget

/// A lock that guards services, of one of the kinds whose behaviour an arrangement can choose.
protocol EngineLock: Sendable {
  /// Takes it if it is free. A fair lock is not free while somebody waits for it.
  func tryLock() -> Bool
  func lock()
  /// As `lock`, as long as there is patience; whether it was taken.
  func lock(_ patience: Patience) -> Bool
  /// Only from the thread that took it.
  func unlock()
}

extension Lock.Kind {
  func makeLock() -> any EngineLock {
    switch self {
    case .barging: SystemMutex(.plain)
    case .fair: FairLock()
    case .inheriting: SystemMutex(.inheriting)
    }
  }
}
