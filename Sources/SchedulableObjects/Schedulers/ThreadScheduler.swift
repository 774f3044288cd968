internal import Concurrency
internal import Synchronization

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

  /// Refuses events from now on, runs or drops the waiting ones according to `mode`, and joins the thread. Tasks of actors on
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
  public func shutdownAndWait(
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
/// It sees only waits by `shutdownAndWait`. Other ways of blocking, such as a semaphore that an event of the same scheduler
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
    return "schedulers \(names) would wait for one another's end for ever; use beginShutdown, "
      + "or await shutdown() from a task"
  }
}

/// Stops the process if two threads, or nested calls, would run one scheduler's events.
struct BusyFlag: ~Copyable {
  private let isBusy = Atomic(false)

  func enter(_ name: String, file: StaticString, line: UInt) {
    let wasBusy = isBusy.exchange(true, ordering: .acquiring)
    require(
      !wasBusy,
      "scheduler '\(name)' is running its events already, and does not nest. An event that wants others to run "
        + "returns first; one that wants the end calls beginShutdown",
      file: file, line: line)
  }

  func leave() { isBusy.store(false, ordering: .releasing) }
}
