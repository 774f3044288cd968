internal import Concurrency
internal import Dispatch
internal import Synchronization

#if os(Linux)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The pattern in its simplest form: a queue guarded by a semaphore, and a thread that polls it ten times a second.
///
/// It is for measuring and reading, not for use. These properties are from the first sketch of the pattern:
///
/// - an empty queue is polled: the thread sleeps 0.1 s, so an event waits up to that long before it runs;
/// - a semaphore serves as a lock, so a waiting thread does not lend its priority;
/// - an event that is sent after `dispose`, or waits then, is lost silently;
/// - nothing joins the thread.
///
/// One was fixed: two threads accessed the flag `isDisposed` without synchronisation. One was added: `lost` counts lost
/// events, so that they can be reported.
public final class NaiveScheduler: Sendable {
  private let loop = NaiveLoop()

  /// Starts the thread.
  public init(name: String) throws(ThreadError) {
    let loop = loop
    _ = try PlatformThread(name: name) { loop.run() }
  }

  deinit { loop.dispose() }

  /// Sends an event. An idle scheduler runs it within a tenth of a second, unless it is disposed before.
  public func schedule(_ event: sending @escaping () -> Void) {
    loop.queue.enqueue(event)
  }

  /// Ends the loop after its current event. Waiting and later events are lost.
  public func dispose() { loop.dispose() }

  /// The number of lost events: those in the queue after the loop has ended.
  public var lost: Int { loop.hasEnded ? loop.queue.count : 0 }

  /// Whether the thread has left its loop.
  public var hasEnded: Bool { loop.hasEnded }
}

/// Runs one event after another, and sleeps a tenth of a second whenever there is none.
private final class NaiveLoop: Sendable {
  let queue = NaiveQueue()
  private let isDisposed = Atomic(false)
  private let isOver = Atomic(false)

  var hasEnded: Bool { isOver.load(ordering: .acquiring) }

  func dispose() { isDisposed.store(true, ordering: .releasing) }

  func run() {
    while !isDisposed.load(ordering: .acquiring) {
      if let event = queue.dequeue() {
        event()
      } else {
        usleep(100_000)
      }
    }
    isOver.store(true, ordering: .releasing)
  }
}

/// A list behind a semaphore: events enter one array and leave, in reverse order, from another.
private final class NaiveQueue: Sendable {
  private let semaphore = DispatchSemaphore(value: 1)
  // Proof: accessed only between `wait` and `signal` of the semaphore, which admits one thread.
  private nonisolated(unsafe) var coming: [() -> Void] = []
  private nonisolated(unsafe) var leaving: [() -> Void] = []

  var count: Int { locked { unsafe coming.count + leaving.count } }

  func enqueue(_ event: sending @escaping () -> Void) {
    semaphore.wait()
    unsafe coming.append(event)
    semaphore.signal()
  }

  func dequeue() -> (() -> Void)? {
    locked {
      if unsafe leaving.isEmpty {
        unsafe leaving = coming.reversed()
        unsafe coming.removeAll()
      }
      return unsafe leaving.popLast()
    }
  }

  private func locked<R>(_ body: () -> R) -> R {
    semaphore.wait()
    defer { semaphore.signal() }
    return body()
  }
}
