import FrameBudget

@testable import Simulation

/// Fair threads of equal weight on cores with a queue each, in the simplest way there is: nanosecond after nanosecond.
///
/// It knows computing and sleeping. It says when two things fell on the same instant, so that the order of the events mattered.
/// Virtual time is in 1024ths of a nanosecond.
struct BruteForceQueues {
  struct Thread {
    var script: ArraySlice<Operation>
    var home: Int
    var left: Int64 = 0
    var time: Int64 = 0
    var deadline: Int64 = 0
    var lag: Int64 = 0
    var cpu: Int64 = 0
    var wakes: Int64?
    /// Asleep, and still in the queue.
    var isDelayed = false
    var ran: Int64 = 0
    /// Its place among all that could run and had no core; whoever is sent to another core keeps it.
    var joined = 0
    var end: Int64?
  }

  private struct Core {
    var running: Int?
    var queue: [Int] = []
    /// Of the thread that runs: its deadline when it got the core, and whether it has come to that one or another just now.
    var protection: Int64 = 0
    var isAtDeadline = false
    /// The average of the queue when its last thread left it.
    var average: Int64 = 0
    var evenedOut: Int64 = 0
    var failedLooks = 0
    var looks = (calls: 512, successes: 256, ratio: 512, since: Int64(0))
    var busy: Int64 = 0
    var seen = (busy: Int64(0), at: Int64(0), share: Int64(0))
  }

  /// Lengths in nanoseconds.
  struct Rules {
    var slice: Int64
    var warm: Int64
    var tick: Int64
    /// A rule that is broken on purpose, so that a comparison which finds nothing is seen to be worth something.
    var fault: Fault?
  }

  enum Fault: CaseIterable {
    case noDelay, noLag, keepsDelayedLag, anyoneDue, shortProtection, ignoresWarmth, neverEvensOut,
      looksAlways, scansAlways,
      staysWarm
  }

  private(set) var threads: [Thread]
  private(set) var isAmbiguous = false
  private var cores: [Core]
  private let rules: Rules
  private var now: Int64 = 0
  private var joins = 0
  private var die: UInt64 = 0

  /// Every script begins with a sleep, at another instant each.
  init(_ scripts: [[Operation]], cores count: Int, rules: Rules) {
    threads = scripts.enumerated().map { Thread(script: $1[...], home: $0 % count) }
    cores = Array(repeating: Core(), count: count)
    self.rules = rules
    for thread in threads.indices { goOn(thread) }
  }

  private var request: Int64 { rules.slice * 1024 }

  mutating func run(to end: Int64) {
    while now <= end {
      let due = threads.indices.filter { threads[$0].wakes == now }
      let through = cores.indices.filter {
        cores[$0].running.map { threads[$0].left == 0 } ?? false
      }
      let over = cores.indices.filter { !through.contains($0) && isDecided($0) }
      let looking =
        now > 0 && now % rules.tick == 0 && cores.contains { !$0.queue.isEmpty }
        ? cores.indices.filter { cores[$0].running == nil } : []
      if due.count + through.count + over.count + looking.count > 1 { isAmbiguous = true }
      for core in through { operationEnds(on: core) }
      for thread in due { wake(thread) }
      for core in over { decide(on: core) }
      for core in looking { look(from: core) }
      guard now < end else { return }
      for core in cores.indices {
        cores[core].isAtDeadline = false
        guard let thread = cores[core].running else { continue }
        let wasProtected = threads[thread].time < cores[core].protection
        threads[thread].left -= 1
        threads[thread].time += 1024
        threads[thread].cpu += 1
        cores[core].busy += 1
        if wasProtected && threads[thread].time >= cores[core].protection {
          cores[core].isAtDeadline = true
        }
        if threads[thread].time >= threads[thread].deadline {
          threads[thread].deadline += request
          cores[core].isAtDeadline = true
        }
      }
      now += 1
    }
  }

  // MARK: Queues

  /// All that count in the queue of `core`: the one that runs, those that wait, and those that sleep and are delayed.
  private func members(of core: Int) -> [Int] {
    [cores[core].running].compactMap(\.self) + cores[core].queue + delayed(at: core)
  }

  private func delayed(at core: Int) -> [Int] {
    threads.indices.filter { threads[$0].isDelayed && threads[$0].home == core }
  }

  private func average(at core: Int) -> Int64 {
    let times = members(of: core).map { threads[$0].time }
    guard !times.isEmpty else { return cores[core].average }
    let sum = times.reduce(0, +)
    let count = Int64(times.count)
    return sum >= 0 ? sum / count : -((count - 1 - sum) / count)
  }

  private func isDue(_ thread: Int, at core: Int) -> Bool {
    if rules.fault == .anyoneDue { return true }
    return members(of: core).reduce(0) { $0 + threads[$1].time - threads[thread].time } >= 0
  }

  private func lag(of thread: Int) -> Int64 {
    let most = max(2 * rules.slice, rules.tick) * 1024
    return min(max(average(at: threads[thread].home) - threads[thread].time, -most), most)
  }

  /// Puts a thread, which is no member, where its lag says.
  private mutating func place(_ thread: Int) {
    let core = threads[thread].home
    let count = Int64(members(of: core).count)
    let lag = count == 0 || rules.fault == .noLag ? 0 : threads[thread].lag * (count + 1) / count
    threads[thread].time = average(at: core) - lag
    threads[thread].deadline = threads[thread].time + request
  }

  // MARK: Choosing

  private func isDecided(_ core: Int) -> Bool {
    guard let running = cores[core].running, threads[running].left > 0,
      !cores[core].queue.isEmpty || !delayed(at: core).isEmpty
    else { return false }
    if cores[core].isAtDeadline { return true }
    return threads[running].time > cores[core].protection && !isDue(running, at: core)
      || threads[running].time == cores[core].protection && !isDue(running, at: core)
  }

  /// Who is next on `core`; those that are due and only asleep leave the queue for good.
  private mutating func next(on core: Int, keeping current: Int?) -> Int? {
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

  private mutating func decide(on core: Int) {
    evenOut(core)
    guard let running = cores[core].running, let next = next(on: core, keeping: running),
      next != running
    else { return }
    replace(core, with: next)
  }

  private mutating func replace(_ core: Int, with next: Int) {
    guard let running = cores[core].running else { return }
    cores[core].running = nil
    threads[running].ran = now
    cores[core].queue.removeAll { $0 == next }
    join(running)
    begin(next, on: core)
  }

  private mutating func join(_ thread: Int) {
    joins += 1
    threads[thread].joined = joins
    cores[threads[thread].home].queue.append(thread)
  }

  private mutating func begin(_ thread: Int, on core: Int) {
    threads[thread].home = core
    cores[core].running = thread
    cores[core].protection = threads[thread].deadline
    if rules.fault == .shortProtection { cores[core].protection -= request / 2 }
    cores[core].isAtDeadline = false
  }

  // MARK: Events

  private mutating func operationEnds(on core: Int) {
    guard let thread = cores[core].running else { return }
    goOn(thread)
    if threads[thread].left > 0 { return }
    threads[thread].ran = now
    threads[thread].lag = lag(of: thread)
    cores[core].average = average(at: core)
    let staysIn = threads[thread].end == nil && !isDue(thread, at: core)
    cores[core].running = nil
    if staysIn && rules.fault != .noDelay { threads[thread].isDelayed = true }
    if let next = next(on: core, keeping: nil) {
      cores[core].queue.removeAll { $0 == next }
      return begin(next, on: core)
    }
    lookAtOnce(from: core)
  }

  /// Takes up what the script says next.
  private mutating func goOn(_ thread: Int) {
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
      default: preconditionFailure("it knows computing and sleeping only")
      }
    }
  }

  private mutating func wake(_ thread: Int) {
    threads[thread].wakes = nil
    goOn(thread)
    guard threads[thread].left > 0 else { return }
    var chosen: Int?
    if threads[thread].isDelayed {
      let lag = lag(of: thread)
      threads[thread].isDelayed = false
      if lag > 0 {
        threads[thread].lag = 0
        place(thread)
      }
    } else {
      chosen = idleCore(for: thread)
      threads[thread].home = chosen ?? threads[thread].home
      place(thread)
    }
    if let chosen { return begin(thread, on: chosen) }
    join(thread)
    preempt(for: thread)
  }

  private mutating func preempt(for thread: Int) {
    let core = threads[thread].home
    if next(on: core, keeping: cores[core].running) == thread { replace(core, with: thread) }
  }

  private mutating func idleCore(for thread: Int) -> Int? {
    let home = threads[thread].home
    let found = cores.indices.filter { core in
      guard cores[core].running == nil else { return false }
      return core == home || (core - home + cores.count) % cores.count <= reach()
    }
    return found.contains(home) ? home : found.first
  }

  /// At how many other cores whoever wakes looks.
  private mutating func reach() -> Int {
    for core in cores.indices where now - cores[core].seen.at >= rules.tick {
      let span = now - cores[core].seen.at
      let recent = (cores[core].busy - cores[core].seen.busy) * 1000 / span
      for _ in 0..<min(span / rules.tick, 64) {
        cores[core].seen.share += (recent - cores[core].seen.share) * 83 / 1000
      }
      cores[core].seen.busy = cores[core].busy
      cores[core].seen.at = now
    }
    if rules.fault == .scansAlways { return cores.count }
    let count = Int64(cores.count)
    let share = cores.map(\.seen.share).reduce(0, +) / count
    return Int(count * (1_000_000 - min(share * share * 1369 / 1000, 1_000_000)) / 1_000_000)
  }

  // MARK: From core to core

  private mutating func lookAtOnce(from core: Int) {
    guard cores.contains(where: { !$0.queue.isEmpty }) else { return }
    let chance = cores[core].looks.ratio + 1
    die = die &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    let looks = Int(die >> 54) <= chance || rules.fault == .looksAlways
    let weight = looks ? (1024 + chance / 2) / chance : 1
    let found = looks ? pull(to: core, evenWarm: false) : false
    cores[core].looks.calls += weight
    if found { cores[core].looks.successes += weight }
    guard cores[core].looks.calls >= 1024 else { return }
    let spans = (now - cores[core].looks.since) / max(1, rules.tick * 1_048_576 / 1_000_000)
    cores[core].looks.ratio = min(1024, cores[core].looks.successes + Int(spans))
    cores[core].looks.since = now
    cores[core].looks.calls /= 2
    cores[core].looks.successes /= 2
  }

  private mutating func look(from core: Int) {
    let evenWarm = cores[core].failedLooks > 1 && rules.fault != .staysWarm
    if !pull(to: core, evenWarm: evenWarm) { cores[core].failedLooks += 1 }
  }

  private mutating func pull(to core: Int, evenWarm: Bool) -> Bool {
    let cold = cores.flatMap(\.queue).filter {
      evenWarm || rules.fault == .ignoresWarmth || now - threads[$0].ran >= rules.warm
    }
    let chosen = cold.min {
      let (left, right) = (threads[$0], threads[$1])
      let lengths = (-cores[left.home].queue.count, -cores[right.home].queue.count)
      return (lengths.0, left.home, left.joined) < (lengths.1, right.home, right.joined)
    }
    guard let chosen else { return false }
    cores[core].failedLooks = 0
    transfer(chosen, to: core)
    begin(chosen, on: core)
    return true
  }

  private mutating func transfer(_ thread: Int, to core: Int) {
    let home = threads[thread].home
    threads[thread].lag = lag(of: thread)
    cores[home].queue.removeAll { $0 == thread }
    let left = threads[thread].deadline - threads[thread].time
    threads[thread].home = core
    place(thread)
    threads[thread].deadline = threads[thread].time + left
  }

  private mutating func evenOut(_ core: Int) {
    guard rules.fault != .neverEvensOut, !cores[core].queue.isEmpty,
      now - cores[core].evenedOut >= 8 * rules.tick
    else { return }
    cores[core].evenedOut = now
    let loads = cores.map { $0.queue.count + ($0.running == nil ? 0 : 1) }
    let others = cores.indices.filter { $0 != core && cores[$0].running != nil }
    guard let least = others.map({ loads[$0] }).min(), least + 1 < loads[core],
      let other = others.first(where: { loads[$0] == least }),
      let oldest = cores[core].queue.min(by: { threads[$0].joined < threads[$1].joined })
    else { return }
    transfer(oldest, to: other)
    cores[other].queue.append(oldest)
    preempt(for: oldest)
  }
}
