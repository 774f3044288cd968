import FrameBudget

@testable import FrameBudgetSimulation

// Changes of priority.
extension BruteForceQueues {
  /// What `thread` is lent and what it has of itself, after one of both has changed.
  mutating func weigh(_ thread: Int) {
    let lenders = locks.filter { $0.owner == thread }.flatMap(\.line)
    let rank = max(threads[thread].own.rank, lenders.map { threads[$0].rank }.max() ?? 0)
    let fair = lenders.filter { threads[$0].own.rank == 0 }.map { threads[$0].weight }
    let weight = max(threads[thread].own.weight, fair.max() ?? 0)
    let old = (rank: threads[thread].rank, weight: threads[thread].weight)
    guard rank != old.rank || weight != old.weight else { return }
    let home = threads[thread].home
    let runs = cores[home].running == thread
    if threads[thread].isDelayed && rank > 0 && rules.fault != .delayedForGood {
      threads[thread].lag = min(lag(of: thread), 0)
      cores[home].average = average(at: home)
      threads[thread].isDelayed = false
    }
    if members(of: home).contains(thread) {
      threads[thread].lag = lag(of: thread)
      threads[thread].want = threads[thread].deadline - threads[thread].time
      cores[home].average = average(at: home)
    }
    if weight != old.weight && rules.fault != .unscaledLag {
      threads[thread].lag = threads[thread].lag * old.weight / weight
      if let want = threads[thread].want { threads[thread].want = want * old.weight / weight }
    }
    if rules.fault == .wholeRequest { threads[thread].want = nil }
    (threads[thread].rank, threads[thread].weight) = (rank, weight)
    if members(of: home).contains(thread) {
      if rules.fault != .stalePlace { place(thread) }
      if runs && rules.fault != .keepsProtection {
        cores[home].protection = threads[thread].deadline
        cores[home].isAtDeadline = false
      }
    }
    if rules.fault == .nobodyChoosesAgain { return }
    if waits(thread) { return preempt(for: thread) }
    let isLower = rank < old.rank || rank == old.rank && weight < old.weight
    if isLower && runs { chooseNow(on: home) }
  }

  func waits(_ thread: Int) -> Bool { cores[threads[thread].home].queue.contains(thread) }

  /// The thread that runs on `core` has fallen behind another, perhaps.
  mutating func chooseNow(on core: Int) {
    guard let next = next(on: core, keeping: cores[core].running), next != cores[core].running
    else { return }
    preempt(on: core, to: next)
  }

  mutating func preempt(on core: Int, to next: Int) {
    if busy?.core == core {
      busy?.choosesAgain = true
    } else {
      if let running = cores[core].running, threads[running].left == 0 { isAmbiguous = true }
      replace(core, with: next)
    }
  }

  /// A fair owner of a lock runs as early as the one that waits for it would.
  mutating func lendTime(of waiter: Int, to owner: Int) {
    let (from, to) = (threads[waiter].home, threads[owner].home)
    guard rules.fault != .lendsNoTime, threads[waiter].rank == 0, members(of: to).contains(owner)
    else { return }
    let moved = from == to ? 0 : average(at: to) - average(at: from)
    guard threads[waiter].time + moved < threads[owner].time else { return }
    threads[owner].time = threads[waiter].time + moved
    threads[owner].deadline = min(threads[owner].deadline, threads[owner].time + request(owner))
    if waits(owner) { preempt(for: owner) }
  }

  /// False if `thread` has to wait.
  mutating func take(_ lock: LockIndex, _ thread: Int) -> Bool {
    guard let first = locks[lock].owner else {
      locks[lock].owner = thread
      return true
    }
    locks[lock].line.append(thread)
    threads[thread].lock = lock
    var owner = first
    while true {
      weigh(owner)
      lendTime(of: thread, to: owner)
      guard let further = threads[owner].lock.flatMap({ locks[$0].owner }), further != owner else {
        return false
      }
      owner = further
    }
  }

  mutating func release(_ lock: LockIndex, _ thread: Int, on core: Int) {
    locks[lock].owner = nil
    guard let highest = locks[lock].line.map({ threads[$0].rank }).max(),
      let next = locks[lock].line.first(where: { threads[$0].rank == highest })
    else { return }
    locks[lock].line.removeAll { $0 == next }
    locks[lock].owner = next
    threads[next].lock = nil
    weigh(next)
    weigh(thread)
    guard isLate(next) else { return wake(next, by: core) }
    threads[next].wakes = now + rules.latency
    threads[next].waker = core
  }

  /// Whether an idle core has to start `thread`, which takes it a while.
  func isLate(_ thread: Int) -> Bool {
    guard rules.latency > 0, rules.fault != .neverLate else { return false }
    let findsIdle = cores.contains { $0.running == nil } && !threads[thread].isDelayed
    return findsIdle || rules.fault == .alwaysLate
  }
}

// From core to core.
extension BruteForceQueues {
  mutating func lookAtOnce(from core: Int) {
    cores[core].idle.since = now
    guard cores.contains(where: { !$0.queue.isEmpty }) else { return }
    if let mean = cores[core].idle.mean, mean < rules.warm, rules.fault != .looksWhenHardlyIdle {
      return
    }
    die = die &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    let looks = cores[core].looks.isWorthIt(Int(die >> 54)) || rules.fault == .looksAlways
    let found = looks ? pull(to: core, evenWarm: false, isNew: true) : false
    cores[core].looks.count(looks ? (found ? .found : .failed) : .skipped, fault: nil)
  }

  mutating func look(from core: Int) {
    let evenWarm = cores[core].failedLooks > 1 && rules.fault != .staysWarm
    if !pull(to: core, evenWarm: evenWarm) {
      cores[core].failedLooks += 1
      cores[core].isBalanced = false
    }
  }

  mutating func pull(to core: Int, evenWarm: Bool, isNew: Bool = false) -> Bool {
    let cold = cores.flatMap(\.queue).filter {
      evenWarm || rules.fault == .ignoresWarmth
        || threads[$0].ran.map { now - $0 >= rules.warm } ?? true
    }
    let chosen = cold.min {
      let (left, right) = (threads[$0], threads[$1])
      let lengths = (-cores[left.home].queue.count, -cores[right.home].queue.count)
      return (lengths.0, left.home, left.joined) < (lengths.1, right.home, right.joined)
    }
    guard let chosen else { return false }
    cores[core].failedLooks = 0
    if isNew { cores[core].idle.since = nil }
    transfer(chosen, to: core)
    begin(chosen, on: core)
    return true
  }

  mutating func transfer(_ thread: Int, to core: Int) {
    let home = threads[thread].home
    if threads[thread].rank == 0 {
      threads[thread].lag = lag(of: thread)
      threads[thread].want = threads[thread].deadline - threads[thread].time
      // Beside one of a fixed priority it may be the last one there.
      cores[home].average = average(at: home)
    }
    cores[home].queue.removeAll { $0 == thread }
    threads[thread].home = core
    place(thread)
  }

  /// Whether `core`, which is busy, searches the other queues at this tick.
  func balancesNow(_ core: Int) -> Bool {
    guard cores[core].running != nil, rules.fault != .neverBalances else { return false }
    let ticks = cores.count * (cores[core].isBalanced && rules.fault != .balancesAlways ? 8 : 4) - 1
    return now / rules.tick - cores[core].searched >= Int64(ticks)
  }

  /// A busy core takes what others have too much of.
  mutating func balance(_ core: Int) {
    cores[core].searched = now / rules.tick
    cores[core].isBalanced = true
    let failed = cores[core].failedLooks
    cores[core].failedLooks = 0
    guard cores.contains(where: { !$0.queue.isEmpty }) else { return }
    updateUtilisation()
    let own = load(at: core)
    let mean = cores.indices.map { load(at: $0) }.reduce(0, +) / Int64(cores.count)
    let crowded = cores.indices.filter {
      $0 != core && cores[$0].running != nil && !cores[$0].queue.isEmpty && isCrowded($0)
    }
    guard isCrowded(core),
      let source = crowded.max(by: { (load(at: $0), -$0) < (load(at: $1), -$1) })
    else { return }
    let most = load(at: source)
    guard own < most, own < mean, cores[core].queue.isEmpty || 100 * most > 117 * own else {
      return
    }
    cores[core].isBalanced = false
    cores[core].failedLooks = failed + 1
    var left = min(most - mean, mean - own)
    let waiting = cores[source].queue.filter { threads[$0].rank == 0 }
      .sorted { threads[$0].joined < threads[$1].joined }
    for thread in waiting where left > 0 {
      let isWarm = threads[thread].ran.map { now - $0 < rules.warm } ?? false
      if isWarm && failed < 2 && rules.fault != .ignoresWarmth { continue }
      let load = load(thread)
      guard load >> Int64(min(failed, 40)) <= left, cores[source].queue.contains(thread) else {
        continue
      }
      left -= load
      cores[core].failedLooks = 0
      transfer(thread, to: core)
      cores[core].queue.append(thread)
      preempt(for: thread)
    }
  }

  func isCrowded(_ core: Int) -> Bool {
    let all = threads.indices.filter {
      threads[$0].home == core && threads[$0].rank == 0 && threads[$0].end == nil
    }
    let shares = all.map { threads[$0].share }.reduce(0, +)
    return cores[core].seen.share * 117 > 100_000 || shares * 100 > 117 << 20
  }
}
