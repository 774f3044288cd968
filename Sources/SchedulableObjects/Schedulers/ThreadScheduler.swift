internal import Concurrency

/// Runs events on a thread of its own.
///
/// ```swift
/// let files = try ThreadScheduler(name: "files", nice: 10)
/// files.schedule { index(folder) }
/// await files.shutdown()
/// ```
///
/// The thread ends after a shutdown, or once nobody holds the scheduler or an object of it any more and the events that
/// wait have run. What is forgotten instead of shut down while events wait, or kept by nothing but its own objects, is
/// reported.
public final class ThreadScheduler: Scheduler {
  public let loop: SchedulerLoop
  private let thread: PlatformThread
  private let residence: Residence

  /// Starts the thread.
  ///
  /// - Parameters:
  ///   - name: what debuggers and reports call it; Linux shows the first 15 bytes.
  ///   - nice: -20 (runs most) to 19; nil keeps the process's. A lower one than the present needs a privilege on Linux.
  ///   - processors: those it may run on, counted from 0; nil for any.
  ///   - options: how it behaves otherwise.
  /// - Throws: what the system refused; then there is no thread.
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
  /// The same as for every scheduler; here once more because the compiler makes a shorter way of it.
  public func schedule(
    priority: EventPriority = .normal, _ event: consuming sending @escaping () -> Void
  ) {
    // Consumed, so that nobody counts a reference to a closure that the thread may be releasing already.
    loop.post(EventNode(.run(consume event), priority: priority))
  }

  /// The native id of the thread, for `/proc` and tracing.
  public var threadID: Int32 { thread.id }

  /// The thread's nice value, as the system knows it.
  public var nice: Int { thread.nice }

  /// Changes the thread's nice value; without privilege it can be raised but not lowered again.
  public func setNice(_ nice: Int) throws(ThreadError) { try thread.setNice(nice) }

  /// Refuses events from now on, lets those that wait end as `mode` says, and joins the thread. Also from a task of
  /// an actor that lives here: what such a task does after the end goes on elsewhere, one step at a time.
  public func shutdown(_ mode: ShutdownMode = .drain) async {
    loop.close(mode)
    await loop.ended.wait()
    thread.join()
  }

  /// The same for synchronous code: blocks until the thread has ended. Not from an event of this scheduler.
  ///
  /// Two schedulers whose events wait for each other's end by this would do so for ever, and the second one stops the
  /// process instead. An event that waits in another way for what an event of its own scheduler would do, such as by a
  /// semaphore, hangs unseen.
  public func shutdownAndWait(
    _ mode: ShutdownMode = .drain, file: StaticString = #fileID, line: UInt = #line
  ) {
    EndWaits.wait(for: loop, file: file, line: line) {
      loop.close(mode)
      thread.join()
    }
  }
}
