internal import Concurrency
internal import Dispatch
internal import Synchronization

#if os(Linux)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The pattern in its simplest form: a queue guarded by a semaphore, and a thread that looks into it ten times a second.
///
/// It is here to be measured and read, not to be used. Kept from the first sketch of the pattern:
///
/// - an empty queue is polled: the thread sleeps 0.1 s, so an event waits up to that long before it runs;
/// - a semaphore serves as lock, so a waiting thread lends its priority to nobody;
/// - an event that is sent after `dispose`, or waits then, is lost without a word to its sender;
/// - nobody joins the thread.
///
/// Mended: the flag `isDisposed` was written and read by two threads without synchronisation. Added: `lost` counts what
/// is lost, so that it can be reported.
public final class NaiveScheduler: Sendable {
  private let loop = NaiveLoop()

  /// Starts the thread.
  public init(name: String) throws(ThreadError) {
    let loop = loop
    _ = try PlatformThread(name: name) { loop.run() }
  }

  deinit { loop.dispose() }

  /// Sends an event; it runs within a tenth of a second, unless the scheduler is disposed before.
  public func schedule(_ event: sending @escaping () -> Void) {
    loop.queue.enqueue(event)
  }

  /// Lets the loop end once it has run the event that it is at. Those that wait, and later ones, are lost.
  public func dispose() { loop.dispose() }

  /// How many events were lost: all that are in the queue although nobody will ever take them.
  public var lost: Int { loop.hasEnded ? loop.queue.count : 0 }

  /// Whether the thread has left its loop.
  public var hasEnded: Bool { loop.hasEnded }
}

/// Takes one event after the other, and sleeps a tenth of a second whenever there is none.
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

/// A list behind a semaphore: events come into one array and leave, turned round, from another.
private final class NaiveQueue: Sendable {
  private let semaphore = DispatchSemaphore(value: 1)
  // Proof: read and written between `wait` and `signal` of the semaphore only, which lets one thread in.
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
