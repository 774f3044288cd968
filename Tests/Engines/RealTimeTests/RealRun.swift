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

/// The same, until an observation of it is `enough`, so that it lasts as long as it must on any machine and no longer. If none
/// is, it is `.complete` at the end of its duration.
func realRun(
  until isEnough: @escaping @Sendable (RunObservation) -> Bool,
  _ body: @escaping @Sendable (RunWatch) throws -> RunLog
) async throws -> RunLog {
  let watch = RunWatch()
  return try await realRun(watchedBy: { if isEnough(watch.observe()) { watch.stop() } }) {
    try body(watch)
  }
}

/// Makes the run up to five times, until it `shows` what is tested: the machine may stand still just when that should happen.
/// A broken run is the last one.
func realRuns(
  of plan: RunPlan, by engine: RealEngine = RealEngine(), until shows: (RunLog) -> Bool
) async throws -> RunLog {
  var log = try await realRun { try engine.run(plan) }
  for _ in 1..<5 where log.violations.isEmpty && !shows(log) {
    log = try await realRun { try engine.run(plan) }
  }
  return log
}

private let places = DispatchSemaphore(value: 2 * HostFacts.usableCores)
