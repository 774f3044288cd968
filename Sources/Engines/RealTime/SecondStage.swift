internal import SchedulableThreads
internal import Dispatch
internal import FrameBudget

/// The second stage of frames: a thread that burns the stage's time, frame by frame, while the main thread continues. In place of
/// a GPU, which takes no core, it sleeps, and a frame is ready when the GPU would have been done.
///
/// The main thread fetches the finished frames.
final class SecondStage: Sendable {
  private struct State {
    /// The frames that wait: their costs, and when they were posted.
    var frames: [(cost: TimeSpan, posted: Instant)] = []
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
  private let usesGPU: Bool
  private let thread = Locked<PlatformThread?>(nil)

  /// `room` is the number of trace spans kept.
  init(usesGPU: Bool, clock: RunClock, doorbell: any Parker, tracing room: Int) {
    self.usesGPU = usesGPU
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
    state.withLock { $0.frames.append((cost, clock.now)) }
    posted.signal()
  }

  /// Removes and returns when frames were ready, in order.
  func fetch() -> [Instant] {
    state.withLock { state in
      defer { state.ready.removeAll(keepingCapacity: true) }
      return state.ready
    }
  }

  /// Stops after the current frame; returns the log of its thread, unless that stands for a GPU, and the trace.
  func stop() -> (ThreadLog?, ThreadTrace) {
    state.withLock { $0.isStopping = true }
    posted.signal()
    thread.withLock { $0.take() }?.join()
    return state.withLock { ($0.log, $0.trace) }
  }

  private func run(_ name: String) {
    var ended = Instant.zero
    while let (cost, posted) = next() {
      let began = usesGPU ? max(ended, posted) : clock.now
      ended = work(cost, from: began)
      state.withLock {
        $0.ready.append(ended)
        $0.trace.append(.phase(.compositor), from: began, to: ended)
      }
      mainParker.unpark()
    }
    if usesGPU { return }
    let log = ThreadLog.current(name)
    state.withLock { $0.log = log }
  }

  /// Returns the end of a frame's stage, when that has come.
  private func work(_ cost: TimeSpan, from began: Instant) -> Instant {
    guard usesGPU else {
      Burner.burn(cost)
      return clock.now
    }
    clock.sleep(until: began + cost)
    return began + cost
  }

  /// The next frame; nil when stopping.
  private func next() -> (cost: TimeSpan, posted: Instant)? {
    posted.wait()
    return state.withLock { $0.isStopping ? nil : $0.frames.removeFirst() }
  }
}
