import FrameBudget

@testable import FrameBudgetSimulation

/// Threads on cores with a queue each, in the simplest way there is: nanosecond after nanosecond.
///
/// It knows computing, sleeping, nice values that change, and locks that lend their owner the priority of those who wait. It says
/// when two things fell on the same instant, so that the order of the events mattered. Virtual time is in 1024ths of a nanosecond.
struct BruteForceQueues {
  struct Thread {
    var script: ArraySlice<Operation>
    var home: Int
    /// Its own priority: above 0 a fixed one, 0 a fair one of this weight.
    var own: (rank: Int, weight: Int64)
    /// The priority by which it is chosen: its own, or a higher one that it was lent.
    var rank: Int
    var weight: Int64
    /// The rest of its request when it is in a queue again; nil for a whole request.
    var want: Int64?
    /// The lock for which it waits.
    var lock: LockIndex?
    var left: Int64 = 0
    var time: Int64 = 0
    var deadline: Int64 = 0
    var lag: Int64 = 0
    var cpu: Int64 = 0
    var wakes: Int64?
    /// The core of the thread that woke it, while an idle core starts it.
    var waker: Int?
    /// Asleep, and still in the queue.
    var isDelayed = false
    /// When it last had a core.
    var ran: Int64?
    /// Its recent share of time in a queue, in 2^20ths, and for how long of the current period it was in one.
    var share = Int64(1 << 20)
    var queued: Int64 = 0
    /// Its place among all ready threads without a core; a thread that moves to another core keeps it.
    var joined = 0
    var end: Int64?
  }

  struct Core {
    var running: Int?
    var queue: [Int] = []
    /// Of the running thread: its deadline when it got the core, and whether it has just reached that one or another.
    var protection: Int64 = 0
    var isAtDeadline = false
    /// The average of the queue when its last thread left it.
    var average: Int64 = 0
    /// The last tick at which it searched the other queues, busy or idle, and whether it found the cores balanced then.
    var searched: Int64 = 0
    var isBalanced = true
    var failedLooks = 0
    var looks = BruteForceLooks()
    /// The mean of its idle times, the last ones of which count most, and when the one under way began.
    var idle = (mean: Int64?.none, since: Int64?.some(0))
    var busy: Int64 = 0
    var seen = (busy: Int64(0), at: Int64(0), share: Int64(0))
  }

  /// Lengths in nanoseconds.
  struct Rules {
    var slice: Int64
    var warm: Int64
    var tick: Int64
    /// How long an idle core needs to start a thread that gets a lock.
    var latency: Int64
    var loadPeriod: Int64
    /// A rule that is broken on purpose, so that a comparison which finds nothing is seen to be worth something.
    var fault: Fault?
  }

  enum Fault: CaseIterable {
    case noDelay, noLag, keepsDelayedLag, anyoneDue, shortProtection, ignoresWarmth, neverBalances,
      balancesAlways, looksAlways, scansAlways, looksWhenHardlyIdle,
      countsNoIdleTime, staysWarm
    /// These are of changes of priority.
    case stalePlace, wholeRequest, unscaledLag, keepsProtection, nobodyChoosesAgain, delayedForGood,
      lendsNoTime
    /// These are of threads that wake others.
    case countsNoSleepers, ignoresOwnLoad, ignoresIdleWaker, alwaysLate, neverLate

    static let ofLocks: Set = [
      stalePlace, wholeRequest, unscaledLag, keepsProtection, nobodyChoosesAgain, delayedForGood,
      lendsNoTime, countsNoSleepers, ignoresOwnLoad, ignoresIdleWaker, alwaysLate, neverLate,
    ]
  }

  struct Lock {
    var owner: Int?
    var line: [Int] = []
  }

  var threads: [Thread]
  var isAmbiguous = false
  var cores: [Core]
  let rules: Rules
  var now: Int64 = 0
  var joins = 0
  var die: UInt64 = 0
  var locks: PerLock<Lock>
  /// The core whose thread continues its script; whether it has to choose again before it computes.
  var busy: (core: Int, choosesAgain: Bool)?

  /// Every script begins with a sleep, which ends at another instant each. Until then no core has had a thread, and each thread
  /// belongs to the core in `homes`.
  init(
    _ scripts: [[Operation]], _ priorities: [Priority], homes: [Int], cores count: Int,
    locks: Int = 0, rules: Rules
  ) {
    threads = scripts.indices.map { place in
      let own = Self.own(priorities[place])
      return Thread(
        script: scripts[place][...], home: homes[place], own: own, rank: own.rank,
        weight: own.weight)
    }
    cores = Array(repeating: Core(), count: count)
    self.locks = PerLock((0..<locks).map { _ in Lock() })
    self.rules = rules
    for thread in threads.indices { resume(thread) }
  }

  static func own(_ priority: Priority) -> (rank: Int, weight: Int64) {
    switch priority {
    case .fixed(let rank): return (rank, 131_072)
    case .fair(let nice):
      // A part of Linux's table.
      guard let weight: Int64 = [-5: 3121, 0: 1024, 1: 820, 3: 526, 10: 110][nice] else {
        preconditionFailure("it does not know nice \(nice)")
      }
      return (0, weight)
    }
  }

  /// By how much a nanosecond moves the virtual time of a thread.
  func pace(_ thread: Int) -> Int64 {
    Int64((1_048_576 / Double(threads[thread].weight)).rounded())
  }

  func request(_ thread: Int) -> Int64 { rules.slice * pace(thread) }

  mutating func run(to end: Int64) {
    while now <= end {
      let due = threads.indices.filter { threads[$0].wakes == now }
      let through = cores.indices.filter {
        cores[$0].running.map { threads[$0].left == 0 } ?? false
      }
      let over = cores.indices.filter { !through.contains($0) && isDecided($0) }
      let idle =
        now > 0 && now % rules.tick == 0 ? cores.indices.filter { cores[$0].running == nil } : []
      let looking = cores.contains { !$0.queue.isEmpty } ? idle : []
      let balancing = now > 0 && now % rules.tick == 0 ? cores.indices.filter(balancesNow) : []
      let others = due.count + through.count + over.count + looking.count
      if others > 1 || others > 0 && !balancing.isEmpty { isAmbiguous = true }
      for core in balancing { balance(core) }
      resumeAll()
      for thread in due { wake(thread, by: threads[thread].waker) }
      resumeAll()
      for core in over { decide(on: core) }
      resumeAll()
      for core in looking { look(from: core) }
      for core in idle { cores[core].searched = now / rules.tick }
      resumeAll()
      // A thread that begins to wait at a tick does so before or after idle cores search for threads.
      if looking.isEmpty, idle.contains(where: { cores[$0].running == nil }),
        cores.contains(where: { !$0.queue.isEmpty })
      {
        isAmbiguous = true
      }
      guard now < end else { return }
      countLoads()
      for core in cores.indices {
        cores[core].isAtDeadline = false
        guard let thread = cores[core].running else { continue }
        let wasProtected = threads[thread].time < cores[core].protection
        threads[thread].left -= 1
        threads[thread].time += pace(thread)
        threads[thread].cpu += 1
        cores[core].busy += 1
        let isProtected = threads[thread].time < cores[core].protection
        if wasProtected && !isProtected { cores[core].isAtDeadline = true }
        if threads[thread].rank == 0 && threads[thread].time >= threads[thread].deadline {
          while threads[thread].time >= threads[thread].deadline {
            threads[thread].deadline += request(thread)
          }
          // A thread that was lent virtual time reaches its deadline before the one that it had when it got the core.
          if !isProtected { cores[core].isAtDeadline = true }
        }
      }
      now += 1
    }
  }

  // MARK: Queues

  /// All fair ones that count in the queue of `core`: the one that runs, those that wait, and those that sleep and are delayed.
  func members(of core: Int) -> [Int] {
    ([cores[core].running].compactMap(\.self) + cores[core].queue + delayed(at: core))
      .filter { threads[$0].rank == 0 }
  }

  func delayed(at core: Int) -> [Int] {
    threads.indices.filter { threads[$0].isDelayed && threads[$0].home == core }
  }

  func average(at core: Int) -> Int64 { average(of: members(of: core), at: core) }

  func average(of members: [Int], at core: Int) -> Int64 {
    let count = members.reduce(Int64(0)) { $0 + threads[$1].weight }
    guard count > 0 else { return cores[core].average }
    let sum = members.reduce(Int64(0)) { $0 + threads[$1].time * threads[$1].weight }
    return sum >= 0 ? sum / count : -((count - 1 - sum) / count)
  }

  func isDue(_ thread: Int, at core: Int) -> Bool {
    if rules.fault == .anyoneDue { return true }
    return members(of: core).reduce(Int64(0)) {
      $0 + (threads[$1].time - threads[thread].time) * threads[$1].weight
    } >= 0
  }

  func lag(of thread: Int) -> Int64 {
    let most = max(2 * rules.slice, rules.tick) * pace(thread)
    return min(max(average(at: threads[thread].home) - threads[thread].time, -most), most)
  }

  /// Puts a fair thread where its lag says, among all others of its queue.
  mutating func place(_ thread: Int) {
    guard threads[thread].rank == 0 else { return }
    let core = threads[thread].home
    let others = members(of: core).filter { $0 != thread }
    let count = others.reduce(Int64(0)) { $0 + threads[$1].weight }
    let lag =
      count == 0 || rules.fault == .noLag
      ? 0 : threads[thread].lag * (count + threads[thread].weight) / count
    threads[thread].time = average(of: others, at: core) - lag
    threads[thread].deadline = threads[thread].time + (threads[thread].want ?? request(thread))
    threads[thread].want = nil
  }

  // MARK: Choosing

  func isDecided(_ core: Int) -> Bool {
    guard let running = cores[core].running, threads[running].left > 0, threads[running].rank == 0,
      !cores[core].queue.isEmpty || !delayed(at: core).isEmpty
    else { return false }
    if cores[core].isAtDeadline { return true }
    return threads[running].time > cores[core].protection && !isDue(running, at: core)
      || threads[running].time == cores[core].protection && !isDue(running, at: core)
  }

  /// The next thread on `core`; threads that are due and only asleep leave the queue.
  mutating func next(on core: Int, keeping current: Int?) -> Int? {
    let fixed = cores.flatMap(\.queue).filter { threads[$0].rank > 0 }
    let highest = fixed.max {
      (threads[$0].rank, threads[$1].joined) < (threads[$1].rank, threads[$0].joined)
    }
    if let current, threads[current].rank > 0 {
      return highest.flatMap { threads[$0].rank > threads[current].rank ? $0 : nil } ?? current
    }
    if let highest { return highest }
    while true {
      let kept = current.flatMap { isDue($0, at: core) ? $0 : nil }
      if let kept, threads[kept].time < cores[core].protection {
        return kept
      }
      let waiting = (cores[core].queue + delayed(at: core)).filter { isDue($0, at: core) }
      let first = waiting.min {
        (threads[$0].deadline, threads[$0].joined) < (threads[$1].deadline, threads[$1].joined)
      }
      guard let first else { return kept ?? current ?? cores[core].queue.first }
      if let kept, threads[kept].deadline < threads[first].deadline { return kept }
      guard threads[first].isDelayed else { return first }
      threads[first].lag = rules.fault == .keepsDelayedLag ? lag(of: first) : min(lag(of: first), 0)
      cores[core].average = average(at: core)
      threads[first].isDelayed = false
    }
  }

  mutating func decide(on core: Int) {
    guard let running = cores[core].running, let next = next(on: core, keeping: running),
      next != running
    else { return }
    replace(core, with: next)
  }

  mutating func replace(_ core: Int, with next: Int) {
    guard let running = cores[core].running else { return }
    cores[core].running = nil
    threads[running].ran = now
    cores[threads[next].home].queue.removeAll { $0 == next }
    join(running)
    begin(next, on: core)
  }

  mutating func join(_ thread: Int) {
    joins += 1
    threads[thread].joined = joins
    cores[threads[thread].home].queue.append(thread)
  }

  mutating func begin(_ thread: Int, on core: Int) {
    if let since = cores[core].idle.since, rules.fault != .countsNoIdleTime {
      let mean = cores[core].idle.mean ?? 2 * rules.warm
      cores[core].idle.mean = min(mean + (now - since - mean) / 8, 2 * rules.warm)
    }
    cores[core].idle.since = nil
    threads[thread].home = core
    cores[core].running = thread
    cores[core].protection = threads[thread].deadline
    if rules.fault == .shortProtection { cores[core].protection -= request(thread) / 2 }
    cores[core].isAtDeadline = false
  }

  // MARK: Events

  /// Each thread with a core and nothing to compute continues its script.
  mutating func resumeAll() {
    while true {
      let through = cores.indices.filter {
        cores[$0].running.map { threads[$0].left == 0 } ?? false
      }
      guard let core = through.first else { return }
      if through.count > 1 { isAmbiguous = true }
      operationEnds(on: core)
    }
  }

  mutating func operationEnds(on core: Int) {
    guard let thread = cores[core].running else { return }
    busy = (core, false)
    resume(thread)
    let choosesAgain = busy?.choosesAgain ?? false
    busy = nil
    if threads[thread].left > 0 {
      if choosesAgain { decide(on: core) }
      return
    }
    threads[thread].ran = now
    let isFair = threads[thread].rank == 0
    let staysIn = isFair && threads[thread].end == nil && !isDue(thread, at: core)
    if isFair {
      threads[thread].lag = lag(of: thread)
      cores[core].average = average(at: core)
    }
    cores[core].running = nil
    if staysIn && rules.fault != .noDelay { threads[thread].isDelayed = true }
    if let next = next(on: core, keeping: nil) {
      cores[threads[next].home].queue.removeAll { $0 == next }
      return begin(next, on: core)
    }
    lookAtOnce(from: core)
  }

  /// Performs the next operation of the script.
  mutating func resume(_ thread: Int) {
    while true {
      guard let operation = threads[thread].script.popFirst() else {
        threads[thread].end = now
        return
      }
      switch operation {
      case .compute(let span):
        threads[thread].left = span.nanoseconds
        if threads[thread].left > 0 { return }
      case .sleep(let until):
        guard until.nanoseconds > now else { continue }
        threads[thread].wakes = until.nanoseconds
        return
      case .renice(let other, let nice):
        threads[other.position].own = Self.own(.fair(nice: nice))
        weigh(other.position)
      case .lock(let lock): if !take(lock, thread) { return }
      case .unlock(let lock): release(lock, thread, on: threads[thread].home)
      default: preconditionFailure("it does not know this")
      }
    }
  }

  mutating func wake(_ thread: Int, by waker: Int? = nil) {
    threads[thread].wakes = nil
    threads[thread].waker = nil
    var chosen: Int?
    if threads[thread].isDelayed {
      let lag = lag(of: thread)
      threads[thread].isDelayed = false
      if lag > 0 {
        threads[thread].lag = 0
        place(thread)
      }
    } else {
      chosen = idleCore(for: thread, rules.fault == .ignoresIdleWaker ? nil : waker)
      threads[thread].home = chosen ?? queue(for: thread, waker)
      place(thread)
    }
    if let chosen { return begin(thread, on: chosen) }
    join(thread)
    preempt(for: thread)
  }

  /// Where a thread waits that finds no idle core.
  func queue(for thread: Int, _ waker: Int?) -> Int {
    let home = threads[thread].home
    guard let waker, waker != home else { return home }
    let own = rules.fault == .ignoresOwnLoad ? 0 : load(thread)
    let atWaker = load(at: waker, without: thread) + own
    return 100 * atWaker < 108 * load(at: home, without: thread) ? waker : home
  }

  func load(_ thread: Int) -> Int64 {
    threads[thread].rank > 0 ? 0 : threads[thread].weight * threads[thread].share
  }

  /// The load of all that ran or waited at `core` last.
  func load(at core: Int, without thread: Int? = nil) -> Int64 {
    let all = threads.indices.filter {
      threads[$0].home == core && $0 != thread && threads[$0].end == nil
        && (rules.fault != .countsNoSleepers || isQueued($0))
    }
    return all.map(load).reduce(0, +)
  }

  /// Whether `thread` runs, waits or is delayed.
  func isQueued(_ thread: Int) -> Bool {
    let home = threads[thread].home
    return cores[home].running == thread || cores[home].queue.contains(thread)
      || threads[thread].isDelayed
  }

  /// Counts the nanosecond that begins now.
  mutating func countLoads() {
    for thread in threads.indices {
      if isQueued(thread) { threads[thread].queued += 1 }
      guard (now + 1) % rules.loadPeriod == 0 else { continue }
      func left(of share: Int64) -> Int64 { (share * 4_202_935_002) >> 32 }
      let full = Int64(1 << 20)
      threads[thread].share =
        left(of: threads[thread].share)
        + (full - left(of: full)) * threads[thread].queued / rules.loadPeriod
      threads[thread].queued = 0
    }
  }

  /// `thread`, which waits, takes a core if it has a better claim.
  mutating func preempt(for thread: Int) {
    let choosesAgain = busy.flatMap { $0.choosesAgain ? $0.core : nil }
    let all = cores.indices.filter { cores[$0].running != nil && $0 != choosesAgain }
    guard threads[thread].rank > 0 else {
      let core = threads[thread].home
      if all.contains(core), next(on: core, keeping: cores[core].running) == thread {
        preempt(on: core, to: thread)
      }
      return
    }
    let claims = all.map { core in
      let running = threads[cores[core].running ?? 0]
      return (core: core, rank: running.rank, early: running.rank == 0 ? -running.deadline : 0)
    }
    let weakest = claims.min {
      ($0.rank, $0.early, $0.core) < ($1.rank, $1.early, $1.core)
    }
    guard let weakest, weakest.rank < threads[thread].rank else { return }
    preempt(on: weakest.core, to: thread)
  }

  mutating func idleCore(for thread: Int, _ waker: Int?) -> Int? {
    let home = threads[thread].home
    let found = cores.indices.filter { core in
      guard cores[core].running == nil else { return false }
      return core == home || core == waker || threads[thread].rank > 0
        || (core - home + cores.count) % cores.count <= reach()
    }
    return [home, waker].compactMap(\.self).first(where: found.contains) ?? found.first
  }

  /// The number of other cores that a waking thread checks.
  mutating func reach() -> Int {
    updateUtilisation()
    if rules.fault == .scansAlways { return cores.count }
    let count = Int64(cores.count)
    let share = cores.map(\.seen.share).reduce(0, +) / count
    return Int(count * (1_000_000 - min(share * share * 1369 / 1000, 1_000_000)) / 1_000_000)
  }

  mutating func updateUtilisation() {
    for core in cores.indices where now - cores[core].seen.at >= rules.tick {
      let span = now - cores[core].seen.at
      let recent = (cores[core].busy - cores[core].seen.busy) * 1000 / span
      for _ in 0..<min(span / rules.tick, 64) {
        cores[core].seen.share += (recent - cores[core].seen.share) * 83 / 1000
      }
      cores[core].seen.busy = cores[core].busy
      cores[core].seen.at = now
    }
  }
}
