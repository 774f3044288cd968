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

/// A pool of threads that serves several lanes, as Dispatch has one for each class of service: as many as there are
/// cores, and one more each time that the monitor finds some of them blocked.
///
/// Whatever is posted to one of its lanes waits in one line. A worker takes a lane's seat, which is what a thread of the
/// lane is elsewhere: it has the item, its stage, its trace.
struct WorkerPool {
  /// Where its workers wait, and where those wait that only the monitor wakes.
  let queue: QueueIndex
  let spares: QueueIndex
  /// Its lanes have this nice value.
  let nice: Int
  /// How many workers it has as long as none blocks.
  let width: Int
  /// The lanes for which there is an event, first come first.
  private var line = LaneLine()
  /// Events that no worker has been told of, and workers that wait for one: as the machine counts them.
  private var untold = 0
  private var waiting = 0

  init(nice: Int, width: Int, queue: QueueIndex, spares: QueueIndex) {
    self.nice = nice
    self.width = width
    self.queue = queue
    self.spares = spares
  }

  /// Whether no event waits for a worker.
  var isLineEmpty: Bool { line.isEmpty }

  /// Whether there is an event that nobody has been woken for.
  var hasBacklog: Bool { untold > 0 }

  /// An event of `lane` comes into the line.
  mutating func append(_ lane: LaneIndex) {
    line.append(lane)
    if waiting > 0 { waiting -= 1 } else { untold += 1 }
  }

  /// A worker looks for an event, and sleeps if there is none.
  mutating func look() { if untold > 0 { untold -= 1 } else { waiting += 1 } }

  /// The lane of the first event in the line, for the worker that was told of one.
  mutating func take() -> LaneIndex {
    guard let lane = line.popFirst() else { preconditionFailure("a lane for each event") }
    return lane
  }
}

/// Lanes in a row: a ring, whose size is a power of two.
private struct LaneLine {
  private var lanes = ContiguousArray(repeating: LaneIndex.main, count: 16)
  private var head = 0
  private var count = 0

  var isEmpty: Bool { count == 0 }

  mutating func append(_ lane: LaneIndex) {
    if count == lanes.count { grow() }
    lanes[(head + count) & (lanes.count - 1)] = lane
    count += 1
  }

  mutating func popFirst() -> LaneIndex? {
    guard count > 0 else { return nil }
    defer {
      head = (head + 1) & (lanes.count - 1)
      count -= 1
    }
    return lanes[head]
  }

  private mutating func grow() {
    var larger = ContiguousArray(repeating: LaneIndex.main, count: lanes.count * 2)
    for place in 0..<count { larger[place] = lanes[(head + place) & (lanes.count - 1)] }
    lanes = larger
    head = 0
  }
}

/// A thread of a pool.
struct PoolWorker {
  let pool: Int
  /// Whether it sleeps until the monitor wakes it as others of the pool block; from then on it is like them. Dispatch's
  /// leave after five seconds without work, which is longer than most bursts are apart.
  let isSpare: Bool
  var stage: Stage
  /// Which thread of a lane it is now, if it is one.
  var seat: ThreadIndex?
  /// When it was last asked, for how long it had had no core by then, and what it has done since.
  private var asked = Instant.zero
  private var ready = TimeSpan.zero
  private var activity = Activity.waits

  enum Stage { case resting, idle, takingLane }
  private enum Activity { case computes, waitsForLock, waits }

  init(pool: Int, isSpare: Bool) {
    self.pool = pool
    self.isSpare = isSpare
    stage = isSpare ? .resting : .idle
  }

  /// What it has used of a core, and waited for locks, since it was last asked.
  mutating func account(at now: Instant, ready: TimeSpan) -> LaneUse {
    let span = now - asked - (ready - self.ready)
    asked = now
    self.ready = ready
    return switch activity {
    case .computes: LaneUse(busy: span)
    case .waitsForLock: LaneUse(waiting: span)
    case .waits: LaneUse()
    }
  }

  mutating func answers(_ operation: Operation) {
    activity =
      switch operation {
      case .compute, .post, .unlock, .renice: .computes
      case .lock: .waitsForLock
      case .wait, .sleep, .doze, .end: .waits
      }
  }
}

// How lanes that a pool serves get their events to its workers, and what these do.
extension LaneWorkers {
  /// Tells a thread of `lane` of an event: one of its own, or a pool's.
  @inline(__always)
  mutating func tell(_ lane: LaneIndex, extra: TimeSpan) -> Operation {
    guard hasPools, let pool = pools.ofLane[lane] else { return .post(lane, extra: extra) }
    return tellPool(pool, of: lane, extra: extra)
  }

  @inline(never)
  private mutating func tellPool(
    _ pool: Int, of lane: LaneIndex, extra: TimeSpan
  ) -> Operation {
    let cost = lanes[lane].costs.post + extra
    return lanes[lane].reserveSeat() ? post(lane, to: pool, cost: cost) : .compute(cost)
  }

  private mutating func post(_ lane: LaneIndex, to pool: Int, cost: TimeSpan) -> Operation {
    pools.append(lane, to: pool)
    return .post(pools.pools[pool].queue, extra: cost)
  }

  // MARK: What a worker does

  /// What the thread at `place` among those of the pools does next: a worker, or, behind all of them, the monitor.
  mutating func nextOfPools(_ place: Int, at now: Instant, ready: TimeSpan) -> Operation {
    guard place < pools.workers.count else { return pools.monitor(runners, at: now) }
    pools.account(place, at: now, ready: ready)
    while true {
      guard let operation = goOn(worker: place, at: now) else { continue }
      pools.answers(operation, by: place)
      return operation
    }
  }

  private mutating func goOn(worker place: Int, at now: Instant) -> Operation? {
    guard let seat = pools.workers[place].seat else { return pools.seek(place, &runners) }
    guard runners[seat].stage == .idle else { return goOn(seat, at: now) }
    let lane = runners[seat].lane
    guard let pool = pools.ofLane[lane], lanes[lane].passSeatOn() else {
      pools.leaveSeat(place)
      return nil
    }
    // What waited for a seat takes this one. It goes to the end of the line, where nobody who is woken for it comes before
    // the worker that is there.
    let cost = lanes[lane].costs.post
    if pools.pools[pool].isLineEmpty {
      runners[seat].stage = .takingItem
      return .compute(cost)
    }
    pools.leaveSeat(place)
    return post(lane, to: pool, cost: cost)
  }
}

// Items that leave steps to other lanes and go on meanwhile: `ItemParts` knows how far their parts have come.
extension LaneWorkers {
  /// What an item does next that no thread has begun with.
  enum NextAction {
    /// It leaves its next step to another lane, and goes on.
    case forks
    /// Its next step is on the main thread, or on another lane.
    case isHere, isElsewhere
    /// Others have what is left of it.
    case isLeft
  }

  /// What `item` does next, which the main thread starts.
  mutating func nextAction(_ item: Item) -> NextAction {
    let step = steps[item]
    if step.isDone { return ended(item) == .isDone ? .isHere : .isLeft }
    // Whether it has to wait there, is seen when it has its turn.
    if step.lane == .main { return .isHere }
    if step.joins && parts.waits(item.workload, Int(item.number), at: Int(item.step)) {
      return .isLeft
    }
    return step.isFork ? .forks : .isElsewhere
  }

  /// Posts the next step of `item` as a part of its own.
  mutating func fork(_ item: Item, at now: Instant) -> Operation {
    parts.forks(item.workload, Int(item.number))
    return post(steps.part(of: item), at: now)
  }

  /// Where `thread` goes on behind a step: it posts what the item leaves to others, or lets go of an item that may have to
  /// wait for them.
  mutating func chooseStep(_ thread: ThreadIndex, at now: Instant) -> Operation? {
    let item = runners[thread].item
    let step = steps[item]
    let isHere = step.lane == runners[thread].lane
    if step.joins && parts.hasOpen(item.workload, Int(item.number)) {
      runners[thread].stage = .releasingLocks
    } else if step.isFork && !isHere {
      runners[thread].item = item.next
      return fork(item, at: now)
    } else {
      runners[thread].stage = step.isPostedAnew && isHere ? .releasingLocks : .takingLock
    }
    return nil
  }

  /// `item` leaves `thread`: for the lane of its next step, unless that one waits for others first.
  mutating func leave(_ item: Item, _ thread: ThreadIndex, at now: Instant) -> Operation? {
    letGoOfPart(thread)
    let waits =
      steps[item].joins && parts.waits(item.workload, Int(item.number), at: Int(item.step))
    return waits ? nil : post(item, at: now)
  }

  /// The item that `thread` has run goes on elsewhere, with what it has changed.
  mutating func letGoOfPart(_ thread: ThreadIndex) {
    releaseItem(thread)
    services.carry(runners[thread].item, from: thread)
  }

  // MARK: The end of a part

  /// What follows from the end of `item`, or of the part of it, that stands behind its last step.
  mutating func ended(_ item: Item) -> ItemParts.End {
    guard parts.covers(item.workload) else { return .isDone }
    return steps[item].isPart
      ? parts.forkEnds(item.workload, Int(item.number))
      : parts.chainEnds(item.workload, Int(item.number))
  }

  /// The same on a lane's thread: what is done is handed back, and what has waited goes on there later.
  @inline(__always)
  mutating func endPart(_ item: Item, on thread: ThreadIndex, at now: Instant) {
    switch ended(item) {
    case .isDone: handBack(item, from: thread, at: now)
    case .nothing: letGoOfPart(thread)
    case .resumes(let step): runners[thread].resumed = item.at(Int32(step))
    }
  }

  /// Goes on with the item that has waited for the part which `thread` has run; false if there is none.
  mutating func resume(_ thread: ThreadIndex) -> Bool {
    guard let item = runners[thread].resumed.take() else { return false }
    resume(item, on: thread)
    return true
  }

  mutating func resume(_ item: Item, on thread: ThreadIndex) {
    runners[thread].item = item
    runners[thread].stage = .choosingStep
  }

  // MARK: Threads at an item

  /// Whether nobody is at the item that a thread begins with.
  @inline(__always)
  mutating func isFirst(at item: Item) -> Bool {
    !parts.covers(item.workload) || parts.begins(item.workload, Int(item.number))
  }

  /// Whether nobody is at the item any more that a thread lets go of.
  @inline(__always)
  mutating func isLast(at item: Item) -> Bool {
    !parts.covers(item.workload) || parts.letsGo(item.workload, Int(item.number))
  }
}
