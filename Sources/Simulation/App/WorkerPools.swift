internal import FrameBudget

/// All pools of a run, their workers, and the monitor that adds some.
struct WorkerPools {
  private(set) var pools: [WorkerPool] = []
  private(set) var workers: [PoolWorker] = []
  /// By lane: its pool, if it has one.
  let ofLane: PerLane<Int?>
  /// By lane: its first seat.
  private let firstSeats: PerLane<ThreadIndex>
  /// By thread of the arrangement: what workers have done there.
  private(set) var uses: PerThread<LaneUse>
  /// By thread of the arrangement: whether a worker sits there, if only to post on what comes behind its item.
  private var isTaken: PerThread<Bool>
  private var nextCheck = Instant.zero
  /// Pools for which the monitor has yet to wake somebody.
  private var wanted: [Int] = []

  /// How often Dispatch looks for pools with work and too few threads that run (`_dispatch_workq_monitor_pools`), and how
  /// many times as many threads as cores it has at most while one of them runs.
  private static let checkPeriod = TimeSpan.seconds(1)
  private static let oversubscription = 2

  /// `firstQueue` is the first one of the machine that is nobody else's.
  init(_ plan: RunPlan, on machine: Machine, firstQueue: QueueIndex) {
    let (lanes, threads) = (plan.arrangement.lanes, plan.arrangement.threads)
    let pooled = machine.hasPools ? lanes.filter(\.isPooled) : []
    for nice in Set(pooled.map(\.nice)).sorted() {
      let queue = firstQueue.advanced(by: pools.count * 2)
      pools.append(
        WorkerPool(
          nice: nice, width: machine.cores, queue: queue, spares: queue.advanced(by: 1)))
      let served = pooled.filter { $0.nice == nice }
      let seats = served.reduce(0) { $0 + $1.width }
      let first = Self.firstWorkers(of: served, on: machine)
      for number in 0..<max(seats, first) {
        workers.append(PoolWorker(pool: pools.count - 1, isSpare: number >= first))
      }
    }
    let found = pools
    ofLane = lanes.mapValues { lane in
      machine.hasPools && lane.isPooled ? found.firstIndex { $0.nice == lane.nice } : nil
    }
    firstSeats = PerLane(
      lanes.indices.map { lane in threads.firstIndex { $0.lane == lane } ?? threads.endIndex })
    uses = threads.mapValues { _ in LaneUse() }
    isTaken = threads.mapValues { _ in false }
  }

  /// How many there are before the monitor wakes more: as many as cores. On lanes wider than one event it is one more, as the
  /// monitor looks for the first time when the pool starts (`_dispatch_workq_init_once`) and its workers do not run yet; what
  /// runs actors never takes more threads than cores.
  private static func firstWorkers(of lanes: [Lane], on machine: Machine) -> Int {
    machine.cores + (lanes.contains { $0.width > 1 } ? 1 : 0)
  }

  /// How many threads there are: the workers, and the monitor where there may ever be more of them than cores.
  var threads: Int { workers.count + (workers.contains(where: \.isSpare) ? 1 : 0) }

  /// Whether `lane` is served by workers.
  func serves(_ lane: LaneIndex) -> Bool { ofLane[lane] != nil }

  /// Where the thread at `place` sits now; nil if nowhere.
  func seat(ofThread place: Int) -> ThreadIndex? {
    place < workers.count ? workers[place].seat : nil
  }
}

// What workers and the monitor do.
extension WorkerPools {
  mutating func append(_ lane: LaneIndex, to pool: Int) { pools[pool].append(lane) }

  mutating func account(_ place: Int, at now: Instant, ready: TimeSpan) {
    let use = workers[place].account(at: now, ready: ready)
    guard let seat = workers[place].seat else { return }
    uses[seat].busy += use.busy
    uses[seat].waiting += use.waiting
  }

  mutating func answers(_ operation: Operation, by place: Int) {
    workers[place].answers(operation)
  }

  mutating func leaveSeat(_ place: Int) {
    if let seat = workers[place].seat { isTaken[seat] = false }
    workers[place].seat = nil
  }

  /// Waits for an event, or takes a seat of the lane whose turn it is.
  mutating func seek(
    _ place: Int, _ runners: inout PerThread<Runner>
  ) -> Operation? {
    let pool = workers[place].pool
    switch workers[place].stage {
    case .resting:
      workers[place].stage = .idle
      return .wait(pools[pool].spares)
    case .idle:
      workers[place].stage = .takingLane
      pools[pool].look()
      return .wait(pools[pool].queue)
    case .takingLane:
      workers[place].stage = .idle
      let seat = freeSeat(of: pools[pool].take(), runners)
      workers[place].seat = seat
      isTaken[seat] = true
      runners[seat].stage = .takingItem
      return nil
    }
  }

  private func freeSeat(of lane: LaneIndex, _ runners: PerThread<Runner>) -> ThreadIndex {
    var seat = firstSeats[lane]
    while isTaken[seat] { seat = seat.advanced(by: 1) }
    precondition(runners[seat].lane == lane, "a seat for each event")
    return seat
  }

  // MARK: The monitor

  /// Wakes a worker more for each pool that has work and fewer threads that run than cores.
  mutating func monitor(_ runners: PerThread<Runner>, at now: Instant) -> Operation {
    if now >= nextCheck {
      nextCheck = max(nextCheck, now) + Self.checkPeriod
      wanted = pools.indices.filter { needsMore($0, runners) }
    }
    if let pool = wanted.popLast() { return .post(pools[pool].spares) }
    return .sleep(until: nextCheck)
  }

  private func needsMore(_ pool: Int, _ runners: PerThread<Runner>) -> Bool {
    guard pools[pool].hasBacklog else { return false }
    let all = workers.filter { $0.pool == pool }
    let seats = all.compactMap(\.seat)
    let running = seats.count { !runners[$0].isBlocked }
    let most = running > 0 ? Self.oversubscription * pools[pool].width : all.count
    return running < pools[pool].width && seats.count < min(most, all.count)
  }
}
