internal import Concurrency
internal import Dispatch
internal import FrameBudget
internal import Synchronization

/// The lanes of a run: started together, and ended so that nothing is left running.
final class LiveLanes: Sendable {
  /// As the arrangement lists them; the first one is the main thread's.
  let all: PerLane<LiveLane>
  private let clock: RunClock
  private let stopping = Atomic<Bool>(false)
  /// Events under way, what they post to other lanes included.
  private let inside = Atomic<Int>(0)
  private let threads = Locked<[ThreadLog]>([])
  private let losses = Locked<[String]>([])
  private let refusals = Locked<[String]>([])

  /// `room` is how many spans are kept of each thread.
  init(_ plan: RunPlan, clock: RunClock, tracing room: Int) {
    all = PerLane(
      plan.arrangement.lanes.indices.map { LiveLane($0, of: plan, tracing: room) })
    self.clock = clock
  }

  /// Starts every lane but the main one; if one cannot be, none is left running.
  func start(_ carriers: CarrierFactory) throws(CarrierError) {
    for lane in all.dropFirst() {
      do {
        lane.start(on: try carriers(lane.lane))
      } catch {
        stop()
        throw error
      }
    }
  }

  /// Runs an event of `lane`.
  func event(on lane: LaneIndex, _ body: (inout ThreadTrace) -> Void) {
    inside.add(1, ordering: .sequentiallyConsistent)
    defer { inside.subtract(1, ordering: .sequentiallyConsistent) }
    all[lane].traced(body)
  }

  /// Gives a lane another nice value; false if the system refuses it.
  func renice(_ change: ReniceSchedule.Change) -> Bool {
    do {
      try all[change.lane].setNice(change.nice)
      return true
    } catch {
      refusals.withLock { $0.append("\(error)") }
      return false
    }
  }

  // MARK: The end

  var isStopping: Bool { stopping.load(ordering: .sequentiallyConsistent) }

  /// Lets every lane end the step it is in, hand back all other items, and join.
  ///
  /// A lane may still be posting to another one when this begins. Events that begin after `stopping` was set post
  /// nothing any more; once those are through that had begun before, lanes can end one after another.
  func stop() {
    stopping.store(true, ordering: .sequentiallyConsistent)
    let started = all.filter(\.isStarted)
    let running = started.filter { $0.loss == nil }
    let reached = DispatchSemaphore(value: 0)
    for lane in running {
      lane.post {
        self.noteThread(lane.lane.name)
        reached.signal()
      }
    }
    // A carrier that loses this event must not hang the run; what it lost shows in the item counts.
    for _ in running { _ = reached.wait(timeout: .now() + .seconds(10)) }
    while inside.load(ordering: .sequentiallyConsistent) > 0 {
      clock.sleep(for: .microseconds(100))
    }
    let losses = started.compactMap { $0.stop() }
    self.losses.withLock { $0 += losses }
  }

  private func noteThread(_ name: String) {
    let log = ThreadLog.current(name)
    threads.withLock { $0.append(log) }
  }

  /// What the threads of all lanes but the main one did; once they have stopped.
  var traces: [ThreadTrace] { all.dropFirst().flatMap(\.traces) }

  /// Adds what was noted up to now.
  func count(in totals: inout RunTotals) {
    totals.threads = threads.withLock { $0 }
    totals.refusals = refusals.withLock { $0 }
    totals.losses = losses.withLock { $0 }
  }
}

/// Starts a lane; tests plant faulty ones.
typealias CarrierFactory = @Sendable (Lane) throws(CarrierError) -> any Carrier
