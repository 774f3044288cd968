import FrameBudget
import TestSupport
import Testing

@testable import FrameBudgetSimulation

/// Invariants of a machine at every instant, checked nanosecond by nanosecond on random threads.
@Suite struct MachinePropertyTests {
  private struct Case {
    var random: RandomScripts
    let priorities: [Priority]
    let speeds: [Int]
    let contextSwitch: Int64
    let costs: HandOffCosts
    let scheduler: Machine.Scheduler
    /// By thread: the cores on which it may run.
    let cores: [CoreSet]

    init(seed: UInt64) {
      var stream = RandomStream(seed: seed, name: "machine")
      random = RandomScripts(
        seed: seed, threads: 1...6, spans: 0...30, kinds: Lock.Kind.allCases)
      let isFixed = stream.chance(30)
      priorities = random.scripts.map { _ in
        isFixed || stream.chance(20)
          ? .fixed(stream.number(1...3)) : .fair(nice: stream.number(-5...10))
      }
      speeds = (0..<stream.number(1...3)).map { _ in stream.pick([1000, 1000, 500, 700]) }
      contextSwitch = stream.chance(50) ? 0 : 2
      costs =
        stream.chance(50)
        ? .none
        : HandOffCosts(
          post: .nanoseconds(1), wake: .nanoseconds(3), latency: .nanoseconds(2))
      // Drawn from a stream of their own, so that the values above stay unchanged.
      var other = RandomStream(seed: seed, name: "cores")
      scheduler = other.pick(Machine.Scheduler.allCases)
      let isBound = other.chance(40)
      let count = speeds.count
      cores = random.scripts.map { _ in
        let some = (0..<count).filter { _ in isBound && other.chance(50) }
        return CoreSet(some) ?? .all
      }
    }

    /// Lets threads change the nice values of others.
    mutating func addRenices(seed: UInt64) {
      var stream = RandomStream(seed: seed, name: "renices")
      for script in random.scripts.indices {
        let thread = ThreadIndex(stream.number(0...random.scripts.count - 1))
        let place = stream.number(0...random.scripts[script].count)
        random.scripts[script].insert(.renice(thread, to: stream.number(-5...10)), at: place)
      }
    }

    func machine() -> VirtualMachine<ScriptedThreads> {
      VirtualMachine(
        ScriptedThreads(random.scripts),
        threads: zip(priorities, cores).map { priority, cores in
          var request = ThreadRequest(priority)
          request.cores = cores
          return request
        }, speeds: speeds,
        locks: random.locks.map { VirtualLock($0, costs: costs) },
        queues: (0..<random.queues).map { _ in VirtualQueue(costs: costs) },
        sharing: .slices(7),
        contextSwitch: TimeSpan(nanoseconds: contextSwitch), scheduler: scheduler)
    }
  }

  @Test func `a core runs one allowed thread, and an idle core searches for waiting ones`() {
    forEveryInstant { machine, seed in
      let running = machine.cores.map(\.thread).compactMap(\.self)
      #expect(Set(running).count == running.count, "seed \(seed)")
      for thread in machine.threads.indices {
        let isRunning = machine.threads[thread].state == .running
        #expect(isRunning == running.contains(thread), "seed \(seed)")
        let isReady = machine.threads[thread].state == .ready
        #expect(isReady == machine.ready.contains(thread), "seed \(seed)")
      }
      for core in machine.cores.indices {
        if let thread = machine.cores[core].thread {
          let mayRun = machine.mayRun(thread, on: core)
          #expect(mayRun, "seed \(seed)")
        } else {
          // With a queue for each core, a thread may wait elsewhere: up to the next tick, when the core looks for it.
          let wanted = machine.ready.filter { machine.mayRun($0, on: core) }
          let looks = machine.cores[core].event.at - machine.now <= .nanoseconds(7)
          let mayWait = machine.isPerCore && looks
          #expect(
            wanted.allSatisfy {
              mayWait && machine.threads[$0].rank == 0 && machine.threads[$0].home != core
            }, "seed \(seed)")
        }
      }
    }
  }

  @Test func `a core's queue has those that wait there`() {
    forEveryInstant { machine, seed in
      guard machine.isPerCore else { return }
      for core in machine.cores.indices {
        let queued = machine.ready.count { machine.threads[$0].home == core }
        #expect(queued == machine.cores[core].queued, "seed \(seed)")
      }
    }
  }

  @Test func `no ready thread has a higher priority than one that runs`() {
    forEveryInstant { machine, seed in
      for core in machine.cores.indices {
        guard let running = machine.cores[core].thread else { continue }
        let highest = machine.ready.filter { machine.isQueued($0, on: core) }
          .map { machine.threads[$0].rank }.max()
        if let highest { #expect(highest <= machine.threads[running].rank, "seed \(seed)") }
      }
    }
  }

  @Test
  func
    `a lock has one owner, which does not wait for it, and is not free while a thread sleeps for it`()
  {
    forEveryInstant { machine, seed in
      for lock in machine.locks.indices {
        let owner = machine.locks[lock].owner
        let line = machine.threads.indices.filter {
          machine.threads[$0].state == .blocked && machine.threads[$0].lock == lock
        }
        let isComing = machine.threads.indices.contains {
          machine.threads[$0].lock == lock && machine.threads[$0].state != .blocked
        }
        if let owner {
          #expect(!line.contains(owner), "seed \(seed)")
          #expect(machine.threads[owner].state != .ended, "seed \(seed)")
        } else if !isComing {
          #expect(line.isEmpty, "seed \(seed)")
        }
      }
    }
  }

  /// A thread may be ahead of the average by two slices, and of all threads together the average moves by one part for each.
  /// Each other thread may have a request under way, and one for which it kept the core.
  /// Slow: looks at every nanosecond of each run.
  @Test(arguments: Machine.Scheduler.allCases)
  func `no thread waits for a core for more than some slices of each of the others`(
    scheduler: Machine.Scheduler
  ) {
    let slice = Int64(7)
    for seed in 0..<UInt64(Tries.fairness.count) {
      var stream = RandomStream(seed: seed, name: "fairness")
      let scripts = (0..<stream.number(2...5)).map { _ in Self.busyScript(&stream) }
      var machine = VirtualMachine(
        ScriptedThreads(scripts), threads: scripts.map { _ in .fair(nice: 0) },
        speeds: Array(repeating: 1000, count: stream.number(1...3)),
        sharing: .slices(slice), scheduler: scheduler)
      var waited = PerThread(scripts).mapValues { _ in Int64(0) }
      for instant in 0..<Int64(3000) {
        machine.advance(to: Instant(nanoseconds: instant))
        for thread in machine.threads.indices {
          waited[thread] = machine.threads[thread].state == .ready ? waited[thread] + 1 : 0
          let others = Int64(scripts.count - 1)
          let bound = 2 * slice * (others + 1) + 2 * slice * others
          #expect(waited[thread] <= bound, "seed \(seed), thread \(thread), at \(instant)")
        }
      }
    }
  }

  /// Some burn for long, some sleep most of the time, and some do either for a while.
  private static func busyScript(_ stream: inout RandomStream) -> [Operation] {
    var script: [Operation] = []
    var now = 0
    while now < 3000 {
      let (run, sleep) = (stream.number(1...stream.pick([10, 60, 500])), stream.number(0...300))
      now += run + sleep
      script += [.run(Int64(run)), .sleep(Int64(now))]
    }
    return script
  }

  @Test func `work is neither lost nor gained`() {
    var finished = 0
    for seed in UInt64(0)..<2000 {
      let drawn = Case(seed: seed)
      var machine = drawn.machine()
      machine.advance(to: Instant(nanoseconds: 5000))
      machine.updateAccounts()
      guard drawn.speeds.allSatisfy({ $0 == 1000 }), drawn.contextSwitch == 0,
        drawn.costs == .none
      else { continue }
      for thread in machine.threads.indices where machine.threads[thread].state == .ended {
        finished += 1
        #expect(
          machine.threads[thread].cpu.nanoseconds == drawn.random.work[thread], "seed \(seed)")
      }
      let used = machine.threads.map(\.cpu.nanoseconds).reduce(0, +)
      #expect(used <= 5000 * Int64(drawn.speeds.count), "seed \(seed)")
    }
    #expect(finished > 300)
  }

  /// Of each thread: when its operations were asked for, and for how long it ran and waited for cores.
  private func history(
    of machine: consuming VirtualMachine<ScriptedThreads>
  ) -> [(times: [Instant], cpu: TimeSpan, waited: TimeSpan)] {
    machine.updateAccounts()
    let (threads, cpu) = (machine.threads.indices, machine.threads.map(\.cpu))
    let program = machine.end()
    return threads.map { (program.times[$0], cpu[$0.position], program.waits[$0].all) }
  }

  @Test func `a run that is watched at random instants equals one that is not`() {
    let end = Instant(nanoseconds: 2000)
    for seed in UInt64(0)..<4000 {
      var drawn = Case(seed: seed)
      drawn.addRenices(seed: seed)
      var alone = drawn.machine()
      alone.advance(to: end)
      var watched = drawn.machine()
      var stream = RandomStream(seed: seed, name: "watching")
      while watched.now < end {
        watched.advance(to: min(watched.now + .nanoseconds(Int64(stream.number(1...60))), end))
        watched.updateAccounts()
      }
      let (left, right) = (history(of: alone), history(of: watched))
      #expect(left.elementsEqual(right, by: { $0 == $1 }), "seed \(seed)")
    }
  }

  private func forEveryInstant(
    _ check: (borrowing VirtualMachine<ScriptedThreads>, UInt64) -> Void
  ) {
    for seed in UInt64(0)..<150 {
      var machine = Case(seed: seed).machine()
      for instant in 0..<Int64(400) {
        machine.advance(to: Instant(nanoseconds: instant))
        check(machine, seed)
      }
    }
  }
}
