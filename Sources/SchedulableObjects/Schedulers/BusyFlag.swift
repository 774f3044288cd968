internal import Synchronization

/// Stops the process where two threads, or a call inside another, would run one scheduler's events.
struct BusyFlag: ~Copyable {
  private let isBusy = Atomic(false)

  func enter(_ name: String) {
    let wasBusy = isBusy.exchange(true, ordering: .acquiring)
    precondition(!wasBusy, "scheduler '\(name)' is running already: that would be a nested loop")
  }

  func leave() { isBusy.store(false, ordering: .releasing) }
}
