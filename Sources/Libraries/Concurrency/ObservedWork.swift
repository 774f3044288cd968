internal import Synchronization

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif
#if canImport(CFrameBudgetLinux)
  internal import CFrameBudgetLinux
#endif

/// One uninterrupted run of observed work on a thread: between two suspensions, or one event. Times are nanoseconds.
package struct WorkSegment: Sendable {
  /// The item that the work belongs to; never 0.
  package let item: UInt32
  /// The name of the thread or queue, for people.
  package let place: String
  /// When it was posted to that place, on a monotonic clock; 0 if the item's previous segment posted it.
  package let posted: Int64
  /// The item that posted it; 0 if unknown.
  package let poster: UInt32
  /// When it began and ended.
  package let began, ended: Int64
  /// Processor time of its thread.
  package let cpu: Int64
  /// Time in which its thread slept: for a lock, a disk, a timer.
  package let blocked: Int64
  /// Whether it may overtake other waiting work at its place.
  package let isUrgent: Bool
  /// Nice value of its thread.
  package let nice: Int

  package init(
    item: UInt32, place: String, posted: Int64, poster: UInt32 = 0, began: Int64, ended: Int64,
    cpu: Int64, blocked: Int64, isUrgent: Bool = false, nice: Int = 0
  ) {
    (self.item, self.place, self.posted, self.poster) = (item, place, posted, poster)
    (self.began, self.ended, self.cpu, self.blocked) = (began, ended, cpu, blocked)
    (self.isUrgent, self.nice) = (isUrgent, nice)
  }
}

/// Observes the posts and runs of all events of schedulers.
package protocol WorkSegmentObserver: Sendable {
  /// The calling thread posts an event.
  ///
  /// - Returns: the item of the segment that its run will report; not 0.
  func posted() -> UInt32
  /// The event of that item begins to run on the calling thread.
  func began(_ item: UInt32, at place: String)
  /// An event has run.
  func ran(_ segment: WorkSegment)
}

/// Measured work: the item that the calling thread works on, and the time of each segment.
///
/// While off, posting an event and running one cost one relaxed load each.
package enum ObservedWork {
  private static let switchedOn = Atomic(false)
  private static let sink = Locked(Sink())

  private struct Sink {
    var segments: [WorkSegment] = []
    /// Those on the main thread, apart, because its loop takes them after each turn.
    var onMain: [WorkSegment] = []
    var observer: (any WorkSegmentObserver)?
    /// The number of the measurement in this process: a segment that began in one is not counted in another.
    var number: UInt64 = 0
    /// The number of segments that have begun and not ended.
    var underWay = 0
  }

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    let error = unsafe pthread_key_create(&key, nil)
    require(error == 0, "no thread-local storage left: \(Platform.describe(error: error))")
    return key
  }()

  /// The name of the main thread as a place of work.
  package static let mainPlace = "main"

  /// Whether a measurement is on.
  package static var isOn: Bool { switchedOn.load(ordering: .relaxed) }

  /// Begins to collect segments of items, with room for `room` of them.
  package static func begin(room: Int) {
    sink.withLock { $0.segments.reserveCapacity(room) }
    switchedOn.store(true, ordering: .sequentiallyConsistent)
  }

  /// Begins to report all events to `observer` instead of collecting segments.
  package static func begin(showing observer: any WorkSegmentObserver) {
    sink.withLock { $0.observer = observer }
    switchedOn.store(true, ordering: .sequentiallyConsistent)
  }

  /// Ends the measurement and returns the collected segments, each thread's in the order of their ends.
  @discardableResult
  package static func end() -> [WorkSegment] {
    switchedOn.store(false, ordering: .sequentiallyConsistent)
    return sink.withLock { sink in
      defer { sink = Sink(number: sink.number + 1) }
      return sink.segments + sink.onMain
    }
  }

  /// The same, after the open segments have ended or `timeout` has passed. An item may be over before its last event is noted:
  /// the task that the event resumes may run before the event's thread returns here.
  package static func end(timeout: Duration) async -> [WorkSegment] {
    switchedOn.store(false, ordering: .sequentiallyConsistent)
    let clock = ContinuousClock()
    let latest = clock.now + timeout
    while sink.withLock({ $0.underWay }) > 0, clock.now < latest {
      // A cancelled task cannot sleep.
      try? await Task.sleep(for: .milliseconds(1))
      await Task.yield()
    }
    return end()
  }

  /// Removes the segments collected so far on the main thread, and returns them in the order of their ends.
  package static func takeFromMain() -> [WorkSegment] {
    sink.withLock { sink in
      defer { sink.onMain = [] }
      return sink.onMain
    }
  }

  /// The item of the event that the calling thread is about to post; 0 if there is no measurement.
  package static var itemOfPost: UInt32 {
    guard isOn else { return 0 }
    return sink.withLock { $0.observer }?.posted() ?? currentItem
  }

  /// The item that the calling thread works on; 0 if none is measured.
  package static var currentItem: UInt32 {
    get { isOn ? UInt32(truncatingIfNeeded: unsafe UInt(bitPattern: pthread_getspecific(key))) : 0 }
    set { unsafe pthread_setspecific(key, UnsafeRawPointer(bitPattern: UInt(newValue))) }
  }

  /// Runs `body` as work of `item`, without noting its time.
  package static func attributed(to item: UInt32, _ body: () -> Void) {
    let outer = currentItem
    currentItem = item
    body()
    currentItem = outer
  }

  /// Runs `body` as work of `item`, and notes its time.
  @discardableResult
  package static func measured(
    _ item: UInt32, at place: String, posted: Int64? = nil, by poster: UInt32 = 0,
    isUrgent: Bool = false, nice: Int = 0, _ body: () -> Void
  ) -> WorkSegment {
    let number = began(item, at: place)
    let before = ThreadUse.now()
    attributed(to: item, body)
    let after = ThreadUse.now()
    let (wall, cpu) = (after.clock - before.clock, after.cpu - before.cpu)
    let segment = WorkSegment(
      item: item, place: place, posted: posted ?? before.clock, poster: poster,
      began: before.clock, ended: after.clock, cpu: cpu,
      blocked: after.sleeps == before.sleeps ? 0 : max(0, wall - cpu), isUrgent: isUrgent,
      nice: nice)
    if let number { note(segment, of: number) }
    return segment
  }

  /// Begins a segment. Returns the number of its measurement, nil if there is none.
  private static func began(_ item: UInt32, at place: String) -> UInt64? {
    guard isOn else { return nil }
    let (number, observer) = sink.withLock { sink in
      sink.underWay += 1
      return (sink.number, sink.observer)
    }
    observer?.began(item, at: place)
    return number
  }

  private static func note(_ segment: WorkSegment, of number: UInt64) {
    let observer: (any WorkSegmentObserver)? = sink.withLock { sink in
      guard sink.number == number else { return nil }
      sink.underWay -= 1
      if sink.observer == nil {
        if segment.place == mainPlace {
          sink.onMain.append(segment)
        } else {
          sink.segments.append(segment)
        }
      }
      return sink.observer
    }
    observer?.ran(segment)
  }
}

/// The clock and the calling thread's processor time, in nanoseconds, and the number of its sleeps.
package struct ThreadUse {
  package let clock: Int64
  package let cpu: Int64
  /// 0 on systems that do not count sleeps.
  package let sleeps: Int64

  package static func now() -> ThreadUse {
    ThreadUse(clock: clock, cpu: processorTime, sleeps: sleepCount)
  }

  /// The clock alone, which takes no system call; the others take one each.
  package static var clock: Int64 {
    #if os(Linux)
      clinux_monotonic()
    #else
      Int64(clamping: clock_gettime_nsec_np(CLOCK_MONOTONIC))
    #endif
  }

  /// Only the processor time.
  package static var processorTime: Int64 {
    #if os(Linux)
      clinux_thread_cpu()
    #else
      Int64(clamping: clock_gettime_nsec_np(CLOCK_THREAD_CPUTIME_ID))
    #endif
  }

  /// The processor time of all threads of the process.
  package static var ofProcess: Int64 {
    #if os(Linux)
      clinux_process_cpu()
    #else
      Int64(clamping: clock_gettime_nsec_np(CLOCK_PROCESS_CPUTIME_ID))
    #endif
  }

  /// Only the number of sleeps.
  package static var sleepCount: Int64 {
    #if os(Linux)
      clinux_thread_sleeps()
    #else
      0
    #endif
  }
}
