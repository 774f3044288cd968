internal import SchedulableThreads
internal import Dispatch
internal import Synchronization
#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// Runs events on its own thread.
///
/// ```swift
/// let files = try ThreadScheduler(name: "files", nice: 10)
/// files.schedule { index(folder) }
/// await files.shutdown()
/// ```
///
/// The thread ends after a shutdown, or when the scheduler and all its objects are released and the waiting events have
/// run. The library reports a scheduler that is released while events wait, and one that only its own objects reference.
public final class ThreadScheduler: Scheduler {
  public let loop: SchedulerLoop
  private let thread: PlatformThread
  private let loopReference: LoopReference

  /// Starts the thread.
  ///
  /// - Parameters:
  ///   - name: the name for debuggers and reports; Linux shows the first 15 bytes.
  ///   - nice: the nice value, from -20 (runs most) to 19; nil keeps the process's. A lower one needs a privilege on Linux.
  ///     Apple's systems have no nice value per thread; there above 0 is utility, from 15 background, and below 0 user-initiated quality of service.
  ///   - processors: the processors that it may run on, counted from 0; nil for any.
  ///   - options: the queue and the checks.
  /// - Throws: the refusal of the system; then there is no thread.
  public convenience init(
    name: String, nice: Int? = nil, processors: [Int]? = nil,
    options: SchedulerOptions = SchedulerOptions()
  ) throws(ThreadError) {
    let loop = SchedulerLoop(name: name, options: options)
    try self.init(loop: loop, nice: nice, processors: processors)
  }

  init(loop: SchedulerLoop, nice: Int? = nil, processors: [Int]? = nil) throws(ThreadError) {
    self.loop = loop
    loopReference = LoopReference(of: loop, keepsThread: true)
    thread = try PlatformThread(name: loop.name, nice: nice, processors: processors) {
      loop.owned {
        var consumer = Consumer(loop)
        consumer.runUntilEnded()
      }
      loop.ended.open()
    }
    unsafe loopReference.owner = self
  }

  deinit { loopReference.schedulerWasDropped() }

  /// Sends an event. It runs later, or is refused and reported.
  ///
  /// Repeats the method of ``Scheduler``, because the compiler makes this call faster.
  public func schedule(
    priority: EventPriority = .normal, _ event: consuming sending @escaping () -> Void
  ) {
    // Consumed, to avoid reference counts on a closure that the thread may be releasing already.
    loop.post(EventNode(.run(consume event), priority: priority))
  }

  /// The native id of the thread, for `/proc` and tracing.
  public var threadID: Int32 { thread.id }

  /// The thread's nice value, read from the system.
  public var nice: Int { thread.nice }

  /// Changes the thread's nice value; without privilege it can be raised but not lowered again.
  public func setNice(_ nice: Int) throws(ThreadError) { try thread.setNice(nice) }

  /// Stops accepting events, runs or drops the waiting ones according to `mode`, and joins the thread. Tasks of actors on
  /// this scheduler may call it too: they continue elsewhere after the end, one step at a time.
  public func shutdown(_ mode: ShutdownMode = .drain) async {
    loop.close(mode)
    await loop.ended.wait()
    thread.join()
  }

  /// The same for synchronous code: blocks until the thread has ended. Not from an event of this scheduler.
  ///
  /// If events of two schedulers wait for each other's end by this method, the second call stops the process. Other ways of
  /// waiting for an event of the same scheduler, such as a semaphore, hang undetected.
  @available(*, noasync, message: "it blocks the thread; await shutdown()")
  public func shutdownBlocking(
    _ mode: ShutdownMode = .drain, file: StaticString = #fileID, line: UInt = #line
  ) {
    EndWaits.wait(for: loop, file: file, line: line) {
      loop.close(mode)
      thread.join()
    }
  }
}

/// Records which threads wait for the end of which schedulers, and detects a thread that would wait for itself.
///
/// It sees only waits by `shutdownBlocking`. Other ways of blocking, such as a semaphore that an event of the same scheduler
/// would signal, cannot be detected.
enum EndWaits {
  /// By the mark of the waiting thread.
  private static let waits = Locked<[UInt: SchedulerLoop]>([:])

  /// Lets the calling thread wait. Stops the process if that scheduler waits for the calling thread.
  static func wait(for loop: SchedulerLoop, file: StaticString, line: UInt, _ wait: () -> Void) {
    let me = ThreadMark.currentBits
    let circle = waits.withLock { waits -> [String]? in
      var names: [String] = []
      var next: SchedulerLoop? = loop
      while let awaited = next {
        names.append("'\(awaited.name)'")
        if awaited.ownerBits == me { return names }
        next = waits[awaited.ownerBits]
      }
      waits[me] = loop
      return nil
    }
    require(circle == nil, message(circle ?? []), file: file, line: line)
    wait()
    waits.withLock { $0[me] = nil }
  }

  private static func message(_ circle: [String]) -> String {
    if circle.count == 1 {
      return "scheduler \(circle[0]) cannot wait for its own end in one of its events; "
        + "use beginShutdown"
    }
    let names = circle.joined(separator: " and ")
    return "schedulers \(names) would wait endlessly for each other's end; use beginShutdown, "
      + "or await shutdown() from a task"
  }
}

/// Stops the process if two threads, or nested calls, would run one scheduler's events.
struct BusyFlag: ~Copyable {
  enum Visit { case entered, isVisited, isBusy }

  private static let free: UInt8 = 0
  private static let busy: UInt8 = 1
  /// Busy with code that runs no events, without a suspension.
  private static let visited: UInt8 = 2
  private let state = Atomic<UInt8>(0)

  func enter(_ name: String, asVisit: Bool = false, file: StaticString, line: UInt) {
    let outcome = state.compareExchange(
      expected: Self.free, desired: asVisit ? Self.visited : Self.busy, ordering: .acquiring)
    require(
      outcome.exchanged,
      "scheduler '\(name)' is running its events already, and does not nest. An event that wants others to run "
        + "returns first; one that wants the end calls beginShutdown",
      file: file, line: line)
  }

  /// Enters for a moment if it is free, and otherwise returns why not.
  func visit() -> Visit {
    let outcome = state.compareExchange(
      expected: Self.free, desired: Self.visited, ordering: .acquiring)
    if outcome.exchanged { return .entered }
    return outcome.original == Self.visited ? .isVisited : .isBusy
  }

  func leave() { state.store(Self.free, ordering: .releasing) }
}

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
