internal import Synchronization

#if os(Linux)
  internal import CLinux
  internal import Glibc
#else
  internal import Darwin
#endif

/// One uninterrupted run of observed work on a thread: between two suspensions, or one event. Times are nanoseconds.
package struct WorkSegment: Sendable {
  /// Whose work it is; never 0.
  package let item: UInt32
  /// The thread or queue, as people call it.
  package let place: String
  /// When it was handed to that place, on a clock that only goes forward; 0 where the item's segment before did that.
  package let posted: Int64
  /// The item that handed it there, where that was seen; 0 otherwise.
  package let poster: UInt32
  /// When it began and ended.
  package let began, ended: Int64
  /// Processor time of its thread.
  package let cpu: Int64
  /// Time in which its thread slept: for a lock, a disk, a timer.
  package let blocked: Int64
  /// Whether it may overtake what waits at its place.
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

/// Sees events of schedulers come and run, whosever they are.
package protocol WorkWitness: Sendable {
  /// An event is posted, by the calling thread.
  ///
  /// - Returns: the number by which its run will be told; not 0.
  func posted() -> UInt32
  /// It has run.
  func ran(_ segment: WorkSegment)
}

/// Work that somebody measures: which item of it the calling thread is at, and what each piece of it took.
///
/// Off, it costs who posts and who runs an event one relaxed load each.
package enum ObservedWork {
  private static let switchedOn = Atomic(false)
  private static let sink = Locked(Sink())

  private struct Sink {
    var segments: [WorkSegment] = []
    var witness: (any WorkWitness)?
    /// Which one since the process began: what began in one ends in no other.
    var number: UInt64 = 0
    /// How many segments have begun and not ended.
    var underWay = 0
  }

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    let error = unsafe pthread_key_create(&key, nil)
    require(error == 0, "no thread-local storage left: \(Platform.describe(error: error))")
    return key
  }()

  /// Whether anybody measures.
  package static var isOn: Bool { switchedOn.load(ordering: .relaxed) }

  /// Begins to collect what belongs to items, with room for so many segments.
  package static func begin(room: Int) {
    sink.withLock { $0.segments.reserveCapacity(room) }
    switchedOn.store(true, ordering: .sequentiallyConsistent)
  }

  /// Begins to show all events to `witness` in place of collecting any.
  package static func begin(showing witness: any WorkWitness) {
    sink.withLock { $0.witness = witness }
    switchedOn.store(true, ordering: .sequentiallyConsistent)
  }

  /// Ends, and hands out what was collected, in the order in which it ended.
  @discardableResult
  package static func end() -> [WorkSegment] {
    switchedOn.store(false, ordering: .sequentiallyConsistent)
    return sink.withLock { sink in
      defer { sink = Sink(number: sink.number + 1) }
      return sink.segments
    }
  }

  /// The same once what is under way has ended, or after `patience`. An item may be over while the last of its events is not
  /// noted: whoever it resumes may be sooner than the thread that goes on behind that.
  package static func end(patience: Duration) async -> [WorkSegment] {
    switchedOn.store(false, ordering: .sequentiallyConsistent)
    let clock = ContinuousClock()
    let latest = clock.now + patience
    while sink.withLock({ $0.underWay }) > 0, clock.now < latest {
      // A cancelled task cannot sleep.
      try? await Task.sleep(for: .milliseconds(1))
      await Task.yield()
    }
    return end()
  }

  /// Whose an event is that the calling thread is about to post; 0 where nobody wants to know.
  package static var itemOfPost: UInt32 {
    guard isOn else { return 0 }
    return sink.withLock { $0.witness }?.posted() ?? currentItem
  }

  /// The item that the calling thread is at; 0 if none that is measured.
  package static var currentItem: UInt32 {
    get { isOn ? UInt32(truncatingIfNeeded: unsafe UInt(bitPattern: pthread_getspecific(key))) : 0 }
    set { unsafe pthread_setspecific(key, UnsafeRawPointer(bitPattern: UInt(newValue))) }
  }

  /// Runs `body` as work of `item`, for whoever takes its time.
  package static func attributed(to item: UInt32, _ body: () -> Void) {
    let outer = currentItem
    currentItem = item
    body()
    currentItem = outer
  }

  /// Runs `body` as work of `item`, and notes what it took.
  @discardableResult
  package static func measured(
    _ item: UInt32, at place: String, posted: Int64? = nil, by poster: UInt32 = 0,
    isUrgent: Bool = false, nice: Int = 0, _ body: () -> Void
  ) -> WorkSegment {
    let number = began()
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

  /// A segment begins; the number of what it belongs to, nil where nobody measures.
  private static func began() -> UInt64? {
    guard isOn else { return nil }
    return sink.withLock { sink in
      sink.underWay += 1
      return sink.number
    }
  }

  private static func note(_ segment: WorkSegment, of number: UInt64) {
    let witness: (any WorkWitness)? = sink.withLock { sink in
      guard sink.number == number else { return nil }
      sink.underWay -= 1
      if sink.witness == nil { sink.segments.append(segment) }
      return sink.witness
    }
    witness?.ran(segment)
  }
}

/// What the calling thread has used, in nanoseconds, and how often it has gone to sleep.
package struct ThreadUse {
  package let clock: Int64
  package let cpu: Int64
  /// Where the system does not say, it is taken never to sleep.
  package let sleeps: Int64

  package static func now() -> ThreadUse {
    ThreadUse(clock: clock, cpu: processorTime, sleeps: sleepCount)
  }

  /// The clock alone: no system call, where the others are one each.
  package static var clock: Int64 {
    #if os(Linux)
      clinux_monotonic()
    #else
      Int64(clamping: clock_gettime_nsec_np(CLOCK_MONOTONIC))
    #endif
  }

  /// Only what the thread has used.
  package static var processorTime: Int64 {
    #if os(Linux)
      clinux_thread_cpu()
    #else
      Int64(clamping: clock_gettime_nsec_np(CLOCK_THREAD_CPUTIME_ID))
    #endif
  }

  /// Only how often it has gone to sleep.
  package static var sleepCount: Int64 {
    #if os(Linux)
      clinux_thread_sleeps()
    #else
      0
    #endif
  }
}
