internal import Concurrency
internal import Dispatch
internal import FrameBudget

/// The second stage of frames: a thread of its own that burns what it takes, one frame after the other, while the main
/// thread goes on.
///
/// It leaves word when a frame is ready; the main thread fetches that when it needs it.
final class SecondStage: Sendable {
  private struct State {
    /// What the frames take that it has not begun with.
    var costs: [TimeSpan] = []
    /// When frames were ready that nobody has fetched.
    var ready: [Instant] = []
    var isStopping = false
    var log: ThreadLog?
    var trace: ThreadTrace
  }

  private let state: Locked<State>
  private let posted = DispatchSemaphore(value: 0)
  /// On which the main thread sleeps.
  private let told: any Parker
  private let clock: RunClock
  private let thread = Locked<PlatformThread?>(nil)

  /// `room` is how many spans are kept of its thread.
  init(clock: RunClock, doorbell: any Parker, tracing room: Int) {
    told = doorbell
    self.clock = clock
    state = Locked(State(trace: ThreadTrace(room: room)))
  }

  func start(named name: String) throws(ThreadError) {
    let started = try PlatformThread(name: name) { self.run(name) }
    thread.withLock { $0 = started }
  }

  /// Takes in a frame whose second stage takes `cost`.
  func post(_ cost: TimeSpan) {
    state.withLock { $0.costs.append(cost) }
    posted.signal()
  }

  /// When the frames were ready that nobody has fetched, in their order.
  func fetch() -> [Instant] {
    state.withLock { state in
      defer { state.ready.removeAll(keepingCapacity: true) }
      return state.ready
    }
  }

  /// Lets it end the frame that it is at, and no other; returns what its thread was and did.
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
      told.unpark()
    }
    let log = ThreadLog.current(name)
    state.withLock { $0.log = log }
  }

  /// What the next frame takes; nil once it is to stop.
  private func next() -> TimeSpan? {
    posted.wait()
    return state.withLock { $0.isStopping ? nil : $0.costs.removeFirst() }
  }
}
