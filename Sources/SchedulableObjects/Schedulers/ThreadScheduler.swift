internal import Concurrency

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
  private let residence: Residence

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
    residence = Residence(of: loop, keepsThread: true)
    thread = try PlatformThread(name: loop.name, nice: nice, processors: processors) {
      loop.owned {
        var consumer = Consumer(loop)
        consumer.runUntilEnded()
      }
      loop.ended.open()
    }
  }

  deinit { residence.schedulerWasDropped() }

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
