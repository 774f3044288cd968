internal import SchedulableThreads
internal import Dispatch
internal import FrameBudget

/// The second stage of frames: a thread that burns the stage's time, frame by frame, while the main thread continues.
///
/// The main thread fetches the finished frames.
final class SecondStage: Sendable {
  private struct State {
    /// The costs of the frames that wait.
    var costs: [TimeSpan] = []
    /// When the frames were ready that were not fetched yet.
    var ready: [Instant] = []
    var isStopping = false
    var log: ThreadLog?
    var trace: ThreadTrace
  }

  private let state: Locked<State>
  private let posted = DispatchSemaphore(value: 0)
  /// Wakes the main thread.
  private let mainParker: any Parker
  private let clock: RunClock
  private let thread = Locked<PlatformThread?>(nil)

  /// `room` is the number of trace spans kept.
  init(clock: RunClock, doorbell: any Parker, tracing room: Int) {
    mainParker = doorbell
    self.clock = clock
    state = Locked(State(trace: ThreadTrace(room: room)))
  }

  func start(named name: String) throws(ThreadError) {
    let started = try PlatformThread(name: name) { self.run(name) }
    thread.withLock { $0 = started }
  }

  /// Queues a frame whose second stage takes `cost`.
  func post(_ cost: TimeSpan) {
    state.withLock { $0.costs.append(cost) }
    posted.signal()
  }

  /// Removes and returns when frames were ready, in order.
  func fetch() -> [Instant] {
    state.withLock { state in
      defer { state.ready.removeAll(keepingCapacity: true) }
      return state.ready
    }
  }

  /// Stops after the current frame; returns the log and the trace of its thread.
  func stop() -> (ThreadLog?, ThreadTrace) {
    state.withLock { $0.isStopping = true }
    posted.signal()
    thread.withLock { $0.take() }?.join()
    return state.withLock { ($0.log, $0.trace) }
  }

  private func run(_ name: String) {
    while let cost = next() {
      let began = clock.now
      Burner.burn(cost)
      let ended = clock.now
      state.withLock {
        $0.ready.append(ended)
        $0.trace.append(.phase(.compositor), from: began, to: ended)
      }
      mainParker.unpark()
    }
    let log = ThreadLog.current(name)
    state.withLock { $0.log = log }
  }

  /// The cost of the next frame; nil when stopping.
  private func next() -> TimeSpan? {
    posted.wait()
    return state.withLock { $0.isStopping ? nil : $0.costs.removeFirst() }
  }
}
