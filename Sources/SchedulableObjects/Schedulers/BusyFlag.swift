internal import Concurrency
internal import Synchronization

/// Stops the process if two threads, or nested calls, would run one scheduler's events.
struct BusyFlag: ~Copyable {
  private let isBusy = Atomic(false)

  func enter(_ name: String, file: StaticString, line: UInt) {
    let wasBusy = isBusy.exchange(true, ordering: .acquiring)
    require(
      !wasBusy,
      "scheduler '\(name)' is running its events already, and does not nest. An event that wants others to run "
        + "returns first; one that wants the end calls beginShutdown",
      file: file, line: line)
  }

  func leave() { isBusy.store(false, ordering: .releasing) }
}
