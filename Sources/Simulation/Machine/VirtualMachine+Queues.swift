internal import FrameBudget

// A queue for each core: where a thread waits that finds none idle, and how it gets from one to another.
//
// What Linux does (kernel/sched/fair.c, 6.6: select_task_rq_fair, wake_affine, newidle_balance), in short: a thread that
// wakes goes to an idle core, rather to the one it ran on, then to its waker's. Where none is idle it stays with the one it
// ran on, unless less waits at its waker's (wake_affine_weight). There it waits for its turn, whatever happens on other
// cores, until one of them has nothing to do. That its waker is about to sleep, only pipes and sockets tell (WF_SYNC), and
// hand-offs wake through a futex.
extension VirtualMachine where Threads: ~Copyable {
  /// The core at which `thread` waits that has found none idle.
  @inline(__always)
  func queue(for thread: ThreadIndex) -> CoreIndex {
    guard let home = threads[thread].home, mayRun(thread, on: home) else {
      return leastLoaded(for: thread)
    }
    guard let waker = threads[thread].waker, waker != home, mayRun(thread, on: waker) else {
      return home
    }
    return load(of: waker) < load(of: home) ? waker : home
  }

  /// Where a thread begins that has not run yet.
  @inline(__always)
  private func leastLoaded(for thread: ThreadIndex) -> CoreIndex {
    var best: CoreIndex?
    for core in cores.indices where mayRun(thread, on: core) {
      guard let chosen = best else {
        best = core
        continue
      }
      if load(of: core) < load(of: chosen) { best = core }
    }
    guard let best else { preconditionFailure("a core on which the thread may run") }
    return best
  }

  /// By how much weight of threads that run there or wait a core is wanted.
  @inline(__always)
  private func load(of core: CoreIndex) -> Int64 {
    var load = cores[core].thread.map { threads[$0].weight } ?? 0
    for thread in ready where threads[thread].home == core { load += threads[thread].weight }
    return load
  }

  /// From now on `thread` is one of `core`'s; how far it is ahead of the others there, or behind, stays.
  mutating func move(_ thread: ThreadIndex, to core: CoreIndex) {
    threads[thread].waker = nil
    if threads[thread].home == core { return }
    if let home = threads[thread].home {
      updateLeast(on: home)
      updateLeast(on: core)
      threads[thread].virtualTime +=
        cores[core].leastVirtualTime - cores[home].leastVirtualTime
    }
    threads[thread].home = core
  }

  /// The thread that has waited longest in the longest queue, for a core that has nothing to do.
  mutating func pull(to core: CoreIndex) -> ThreadIndex? {
    var best: Int?
    for place in ready.indices where mayRun(ready[place], on: core) {
      guard let chosen = best else {
        best = place
        continue
      }
      if isRatherPulled(ready[place], than: ready[chosen]) { best = place }
    }
    return best.map { dequeue(at: $0) }
  }

  @inline(__always)
  private func isRatherPulled(_ thread: ThreadIndex, than other: ThreadIndex) -> Bool {
    let (home, otherHome) = (threads[thread].home, threads[other].home)
    if let home, let otherHome, home != otherHome {
      let (length, otherLength) = (cores[home].queued, cores[otherHome].queued)
      return length == otherLength ? home < otherHome : length > otherLength
    }
    return threads[thread].order < threads[other].order
  }

  /// Sends a thread from the queue of `core` to the core that is wanted least, if that one is still wanted less with it than
  /// this one was.
  mutating func evenOut(_ core: CoreIndex) {
    guard cores[core].queued > 0 else { return }
    let whole = load(of: core)
    var best: (place: Int, core: CoreIndex, load: Int64)?
    for place in ready.indices where threads[ready[place]].home == core {
      let thread = ready[place]
      guard threads[thread].rank == 0 else { continue }
      for other in cores.indices where other != core && mayRun(thread, on: other) {
        let load = load(of: other)
        guard load + threads[thread].weight < whole else { continue }
        if let best {
          let isOlder = threads[thread].order < threads[ready[best.place]].order
          guard load < best.load || (load == best.load && isOlder) else { continue }
        }
        best = (place, other, load)
      }
    }
    if let best { send(dequeue(at: best.place), to: best.core) }
  }

  private mutating func send(_ thread: ThreadIndex, to core: CoreIndex) {
    noteReady(thread)
    move(thread, to: core)
    beginWaiting(thread)
    enqueue(thread)
    limitSlices(for: thread)
  }

  /// The least virtual time there has been among the threads of `core`, which never decreases.
  mutating func updateLeast(on core: CoreIndex) {
    var least = Int64.max
    if let running = cores[core].thread, threads[running].rank == 0 {
      least = currentVirtualTime(core)
    }
    for waiting in ready where threads[waiting].home == core && threads[waiting].rank == 0 {
      least = min(least, threads[waiting].virtualTime)
    }
    if least != .max { cores[core].leastVirtualTime = max(cores[core].leastVirtualTime, least) }
  }

  /// The virtual time of `thread` as it would be at the core of `other`.
  mutating func virtualTime(of thread: ThreadIndex, beside other: ThreadIndex) -> Int64 {
    let time = threads[thread].virtualTime
    guard isPerCore, let home = threads[thread].home, let core = threads[other].home, home != core
    else { return time }
    updateLeast(on: home)
    updateLeast(on: core)
    return time - cores[home].leastVirtualTime + cores[core].leastVirtualTime
  }

  // MARK: Other processes

  /// Whether `thread` is one of another process.
  @inline(__always)
  func isOthers(_ thread: ThreadIndex) -> Bool { thread >= firstOthers }

  /// For how long, up to now, other processes have had what `thread` waits for: its core, or, where it waits for any, a
  /// share of all that they had of each.
  func othersTime(before thread: ThreadIndex) -> TimeSpan {
    if isPerCore { return threads[thread].home.map { othersTime(on: $0) } ?? .zero }
    let all = cores.indices.reduce(TimeSpan.zero) { $0 + othersTime(on: $1) }
    return TimeSpan(nanoseconds: all.nanoseconds / Int64(cores.count))
  }

  private func othersTime(on core: CoreIndex) -> TimeSpan {
    guard let thread = cores[core].thread, isOthers(thread) else { return cores[core].othersRan }
    return cores[core].othersRan + (now - cores[core].accounted)
  }
}
