internal import SchedulableThreads
internal import DequeModule
internal import Dispatch
public import FrameBudget

/// A lane on a plain thread, as a developer would write it: a queue under a lock, and a semaphore on which the thread sleeps.
///
/// The thread takes all waiting events at once, like a loop over files.
public final class ThreadCarrier: Carrier {
  private let name: String
  private let queue: EventQueue
  private let thread: PlatformThread

  public init(_ lane: Lane) throws(CarrierError) {
    let queue = EventQueue()
    thread = try .lane(lane) { while queue.runAll() {} }
    self.queue = queue
    name = lane.name
  }

  public func post(_ event: sending @escaping () -> Void, hasPriority: Bool) {
    queue.append(PostedEvent(event))
  }

  public func setNice(_ nice: Int) throws(CarrierError) {
    try CarrierError.wrapping { try thread.setNice(nice) }
  }

  public var loss: String? { Lane.loss(ofLate: queue.late, on: name) }

  public func stop() {
    queue.append(nil)
    thread.join()
  }
}

extension PlatformThread {
  /// A thread with the name, the nice value and the cores of a lane.
  static func lane(
    _ lane: Lane, _ body: @escaping @Sendable () -> Void
  ) throws(CarrierError) -> PlatformThread {
    try CarrierError.wrapping {
      try PlatformThread(
        name: lane.name, nice: lane.nice == 0 ? nil : lane.nice, processors: lane.cores?.cores,
        body: body)
    }
  }
}

/// Events in order; nil is the last one.
private final class EventQueue: Sendable {
  private struct State {
    var events = Deque<PostedEvent?>()
    /// Set after the last one.
    var isClosed = false
    var late = 0
  }

  private let state = Locked(State())
  private let available = DispatchSemaphore(value: 0)

  /// Events after the last one.
  var late: Int { state.withLock { $0.late } }

  func append(_ event: PostedEvent?) {
    let mustWake = state.withLock { state in
      if state.isClosed {
        if event != nil { state.late += 1 }
        return false
      }
      state.isClosed = event == nil
      defer { state.events.append(event) }
      return state.events.isEmpty
    }
    if mustWake { available.signal() }
  }

  /// Waits for events and runs all; false after the last one.
  func runAll() -> Bool {
    available.wait()
    var batch = state.withLock { state in
      defer { state.events = Deque() }
      return state.events
    }
    while let next = batch.popFirst() {
      guard let event = next else { return false }
      event.run()
    }
    return true
  }
}
