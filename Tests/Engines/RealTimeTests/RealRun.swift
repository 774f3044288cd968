import Dispatch
import FrameBudget
import FrameBudgetRealTime
import TestSupport

/// Makes a run on this machine's clock, a few beside one another.
///
/// It takes as long as its scenario says, most of which it sleeps from vsync to vsync. So it delays no test: its thread
/// is its own, since of those on which tests run there are only as many as processors, and no test waits for the end of
/// another. The number of concurrent runs is limited, so that they do not starve one another.
func realRun<Value: Sendable>(
  _ body: @escaping @Sendable () throws -> Value
) async throws -> Value {
  try await onOwnThread {
    places.wait()
    defer { places.signal() }
    return try body()
  }
}

/// The same while another thread observes it: from its start to its end, and not until the test continues, which
/// on a busy machine is much later.
func realRun<Value: Sendable>(
  watchedBy look: @escaping @Sendable () -> Void, _ body: @escaping @Sendable () throws -> Value
) async throws -> Value {
  try await realRun {
    let watcher = Watcher(look)
    defer { watcher.stop() }
    return try body()
  }
}

private let places = DispatchSemaphore(value: 2 * HostFacts.usableCores)
