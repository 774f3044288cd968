internal import Concurrency
internal import FrameBudget

extension SystemMutex: EngineLock {
  func lock(_ patience: Patience) -> Bool {
    while let span = patience() {
      if lock(forNanoseconds: span.nanoseconds) { return true }
    }
    return false
  }
}
