internal import FrameBudget

/// What a virtual thread answers when it is asked what it does next.
enum Operation {
  /// Uses a core for so long, if the core is one of full speed.
  case compute(TimeSpan)
  case lock(LockIndex)
  case unlock(LockIndex)
  /// Takes an event out of a queue, and sleeps until there is one.
  case wait(QueueIndex)
  /// Puts an event into a queue, which costs what the queue says and `extra`.
  case post(QueueIndex, extra: TimeSpan = .zero)
  case sleep(until: Instant)
  /// As `sleep`, of thread 0 alone; whoever nudges it wakes it earlier.
  case doze(until: Instant)
  /// Gives a thread that shares the cores another nice value.
  case renice(ThreadIndex, to: Int)
  case end
}

/// A place among a machine's event queues, one for each lane. The machine only counts events; what they mean is the
/// program's.
typealias QueueIndex = LaneIndex
typealias CoreIndex = TypedIndex<Core>

/// The threads that a machine runs: values, not real threads.
protocol VirtualThreads: ~Copyable {
  /// What `thread` does next. It is asked while it has a core, once its last operation is over; `ready` is
  /// how long it was ready to run and had no core, up to now.
  mutating func next(_ thread: ThreadIndex, at now: Instant, ready: TimeSpan) -> Operation

  /// Whether thread 0 is to be woken if it dozes, since this was last asked.
  mutating func takeNudge() -> Bool

  /// Notes that `thread` was ready to run in between, and had no core; often for no time at all. `others` is for how long
  /// of that other processes had it.
  mutating func waitedForCore(
    _ thread: ThreadIndex, from: Instant, to: Instant, others: TimeSpan)
}

extension VirtualThreads where Self: ~Copyable {
  mutating func waitedForCore(
    _ thread: ThreadIndex, from: Instant, to: Instant, others: TimeSpan
  ) {}

  @inline(__always)
  mutating func takeNudge() -> Bool { false }
}
