internal import FrameBudget

/// A lock that guards services, of one of the kinds whose behaviour an arrangement can choose.
protocol EngineLock: Sendable {
  /// Takes it if it is free. A fair lock is not free while somebody waits for it.
  func tryLock() -> Bool
  func lock()
  /// Only from the thread that took it.
  func unlock()
}

extension EngineLock {
  /// Takes it and returns for how long that blocked the caller: zero where it was free.
  func lock(on clock: RunClock) -> TimeSpan {
    if tryLock() { return .zero }
    let began = clock.now
    lock()
    return clock.now - began
  }
}

extension Lock.Kind {
  func makeLock() -> any EngineLock {
    switch self {
    case .barging: SystemLock(inheritsPriority: false)
    case .fair: FairLock()
    case .inheriting: SystemLock(inheritsPriority: true)
    }
  }
}
