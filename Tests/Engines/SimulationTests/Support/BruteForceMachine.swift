import FrameBudget

@testable import FrameBudgetSimulation

/// The same machine in the simplest way there is: nanosecond after nanosecond, looking at every thread.
///
/// Threads of different fixed priorities, cores of full speed, no costs. It says when two things fell on the same
/// instant, so that the order of the events mattered: then there is more than one right answer.
struct BruteForceMachine {
  enum State: Equatable {
    case ready, running, ended
    case asleep(until: Int64)
    case waiting(queue: QueueIndex)
    case locked(lock: LockIndex)
  }

  struct Thread {
    var script: ArraySlice<Operation>
    let priority: Int
    var state = State.ready
    var left: Int64 = 0
    var cpu: Int64 = 0
    /// The instant at which it ended.
    var end: Int64?
    /// A barging lock that it has been woken to try for.
    var tries: LockIndex?
  }

  private(set) var threads: PerThread<Thread>
  private(set) var isAmbiguous = false
  private let cores: Int
  private let kinds: PerLock<Lock.Kind>
  private var owners: PerLock<ThreadIndex?>
  private var lockLines: PerLock<[ThreadIndex]>
  private var events: PerLane<Int>
  private var queueLines: PerLane<[ThreadIndex]>

  init(_ scripts: [[Operation]], cores: Int, locks: [Lock.Kind], queues: Int) {
    threads = PerThread(
      scripts.enumerated().map { Thread(script: $1[...], priority: $0 + 1) })
    self.cores = cores
    kinds = PerLock(locks)
    owners = kinds.mapValues { _ in nil }
    lockLines = kinds.mapValues { _ in [] }
    events = PerLane(repeating: 0, count: queues)
    queueLines = events.mapValues { _ in [] }
  }

  mutating func run(to end: Int64) {
    for now in 0...end {
      let due = threads.indices.filter { threads[$0].state == .asleep(until: now) }
      let through = threads.indices.filter {
        threads[$0].state == .running && threads[$0].left == 0
      }
      if now > 0 && due.count + through.count > 1 { isAmbiguous = true }
      for thread in due { threads[thread].state = .ready }
      dispatchThreads(at: now)
      for thread in threads.indices where threads[thread].state == .running && now < end {
        threads[thread].left -= 1
        threads[thread].cpu += 1
      }
    }
  }

  /// Assigns cores to threads and runs their operations until every running thread needs time.
  private mutating func dispatchThreads(at now: Int64) {
    while true {
      let running = threads.indices.filter { threads[$0].state == .running }
      if let thread = running.first(where: { threads[$0].left == 0 }) {
        resume(thread, at: now)
        continue
      }
      // Priorities grow with the place, so the last ready thread is the highest.
      guard let best = threads.indices.last(where: { threads[$0].state == .ready }) else { return }
      if running.count < cores {
        threads[best].state = .running
      } else if let lowest = running.first, lowest < best {
        threads[lowest].state = .ready
        threads[best].state = .running
      } else {
        return
      }
    }
  }

  private mutating func resume(_ thread: ThreadIndex, at now: Int64) {
    if let lock = threads[thread].tries {
      threads[thread].tries = nil
      if owners[lock] != thread && !take(lock, thread) { return }
    }
    while threads[thread].state == .running && threads[thread].left == 0 {
      guard let operation = threads[thread].script.popFirst() else {
        threads[thread].state = .ended
        threads[thread].end = now
        return
      }
      perform(operation, by: thread, at: now)
    }
  }

  private mutating func perform(_ operation: Operation, by thread: ThreadIndex, at now: Int64) {
    switch operation {
    case .compute(let span): threads[thread].left = span.nanoseconds
    case .sleep(let until), .interruptibleSleep(let until):
      if until.nanoseconds > now { threads[thread].state = .asleep(until: until.nanoseconds) }
    case .lock(let lock): _ = take(lock, thread)
    case .unlock(let lock): release(lock)
    case .wait(let queue):
      if events[queue] > 0 {
        events[queue] -= 1
      } else {
        queueLines[queue].append(thread)
        threads[thread].state = .waiting(queue: queue)
      }
    case .post(let queue, _):
      if queueLines[queue].isEmpty {
        events[queue] += 1
      } else {
        threads[queueLines[queue].removeFirst()].state = .ready
      }
    case .renice, .callBack: preconditionFailure("it knows fixed priorities only")
    case .end: threads[thread].script = []
    }
  }

  private mutating func take(_ lock: LockIndex, _ thread: ThreadIndex) -> Bool {
    if owners[lock] == nil {
      owners[lock] = thread
      return true
    }
    lockLines[lock].append(thread)
    threads[thread].state = .locked(lock: lock)
    return false
  }

  private mutating func release(_ lock: LockIndex) {
    owners[lock] = nil
    guard !lockLines[lock].isEmpty else { return }
    let next = lockLines[lock].removeFirst()
    if kinds[lock] == .fair { owners[lock] = next }
    threads[next].tries = lock
    threads[next].state = .ready
  }
}
