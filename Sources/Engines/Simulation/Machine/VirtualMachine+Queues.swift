internal import FrameBudget

// Chooses the fair thread that runs next: Linux's EEVDF (kernel/sched/fair.c, 6.18; its function names are in parentheses).
//
// Each thread in a run queue has a virtual time. It grows while the thread runs, more slowly with a higher weight. A thread
// is *due* (eligible) if its virtual time is not past the weighted average of its queue. Each thread requests a slice; its
// deadline is the virtual time at which that request will have been served. The due thread with the earliest deadline gets
// the core. It keeps the core up to that deadline, unless another thread wakes while it is not due itself. A sleeping
// thread keeps its distance from the average, its lag. If a thread has had more than its share when it goes to sleep, it
// stays in the queue until it is due again.
extension VirtualMachine where Threads: ~Copyable {
  /// The core whose queue contains `thread`; the first core if all cores share one queue.
  @inline(__always)
  func queue(of thread: ThreadIndex) -> CoreIndex {
    isPerCore ? threads[thread].home ?? 0 : 0
  }

  @inline(__always)
  func currentVirtualTime(_ core: CoreIndex) -> Int64 {
    let thread = threads[cores[core].running]
    return thread.virtualTime + (now - cores[core].accounted).nanoseconds * thread.virtualTimeRate
  }

  /// The deadline of the thread on `core` now: its request is renewed a slice at a time (`update_deadline`).
  @inline(__always)
  func currentDeadline(_ core: CoreIndex) -> Int64 {
    let thread = threads[cores[core].running]
    let past = currentVirtualTime(core) - thread.deadline
    guard past >= 0 && thread.rank == 0 else { return thread.deadline }
    let request = sharing.slice.nanoseconds * thread.virtualTimeRate
    return thread.deadline + (past / request + 1) * request
  }

  /// The total weight of the threads in the queue of `core`, and the weighted sum of their distances past `time`.
  ///
  /// The sum is wider than its parts: a weight times the distance of a thread that has run alone for two and a half hours does
  /// not fit into 64 bits.
  @inline(__always)
  private func sums(at core: CoreIndex, from time: Int64) -> (weight: Int64, lead: Int128) {
    var sums: (weight: Int64, lead: Int128) = (0, 0)
    for other in cores.indices where !isPerCore || other == core {
      guard let running = cores[other].thread, threads[running].rank == 0 else { continue }
      let weight = threads[running].weight
      sums.weight += weight
      sums.lead += weight.times(currentVirtualTime(other) - time)
    }
    for thread in ready where threads[thread].rank == 0 && queue(of: thread) == core {
      sums.weight += threads[thread].weight
      sums.lead += threads[thread].weight.times(threads[thread].virtualTime - time)
    }
    for thread in delayed where queue(of: thread) == core {
      sums.weight += threads[thread].weight
      sums.lead += threads[thread].weight.times(threads[thread].virtualTime - time)
    }
    return sums
  }

  /// The average virtual time in the queue of `core` (`avg_vruntime`) and the total weight there, without `thread`, which is
  /// in that queue, if it is not nil.
  mutating func average(
    at core: CoreIndex, without thread: ThreadIndex? = nil
  ) -> (time: Int64, weight: Int64) {
    let time = cores[core].virtualTime
    var (weight, lead) = sums(at: core, from: time)
    if let thread {
      weight -= threads[thread].weight
      lead -= threads[thread].weight.times(threads[thread].virtualTime - time)
    }
    if weight > 0 { cores[core].virtualTime = time + lead.dividedDown(by: weight) }
    return (cores[core].virtualTime, weight)
  }

  /// The length of a slice of `thread`, in virtual time.
  @inline(__always)
  func request(of thread: ThreadIndex) -> Int64 {
    sharing.slice.nanoseconds * threads[thread].virtualTimeRate
  }

  /// Whether `thread` counts in a queue of fair threads.
  @inline(__always)
  func isInFairQueue(_ thread: ThreadIndex) -> Bool {
    guard threads[thread].rank == 0 else { return false }
    return threads[thread].isDelayed || isRunnable(thread)
  }

  /// Whether `thread` waits for a core or has one. One that is about to sleep still has it.
  @inline(__always)
  private func isRunnable(_ thread: ThreadIndex) -> Bool {
    threads[thread].state == .ready || cores.indices.contains { cores[$0].thread == thread }
  }

  /// Places `thread`, which is in no queue, into the queue of its core with the lag that it had (`place_entity`).
  @inline(__always)
  mutating func place(_ thread: ThreadIndex) {
    guard threads[thread].rank == 0 else { return }
    place(thread, beside: average(at: queue(of: thread)))
  }

  /// Places `thread` into a queue whose other threads have this average and total weight.
  @inline(__always)
  mutating func place(_ thread: ThreadIndex, beside others: (time: Int64, weight: Int64)) {
    var lag: Int64 = 0
    // Compensates for the shift of the average that the thread itself causes.
    if others.weight > 0 {
      lag = threads[thread].lag * (others.weight + threads[thread].weight) / others.weight
    }
    let request = threads[thread].keptRequest ?? request(of: thread)
    threads[thread].keptRequest = nil
    threads[thread].virtualTime = others.time - lag
    threads[thread].deadline = threads[thread].virtualTime + request
  }

  /// Records the lag of `thread`, which is in a queue (`update_entity_lag`).
  mutating func updateLag(of thread: ThreadIndex) {
    let most = sharing.maxLag.nanoseconds * threads[thread].virtualTimeRate
    let lag = average(at: queue(of: thread)).time - threads[thread].virtualTime
    threads[thread].lag = min(max(lag, -most), most)
  }

  /// Records the lag of `thread`, which is in a queue, and what is left of its request, before it is placed anew.
  mutating func keepRequest(of thread: ThreadIndex) {
    updateLag(of: thread)
    threads[thread].keptRequest = threads[thread].deadline - threads[thread].virtualTime
  }

  /// Sets the rank and weight of `thread`. A thread that waits or runs leaves its queue and is placed anew, with its lag and
  /// what is left of its request (`rt_mutex_setprio`, `set_user_nice`, `reweight_entity`).
  mutating func changePriority(of thread: ThreadIndex, toRank rank: Int, weight: Int64) {
    if threads[thread].isDelayed && rank > 0 { release(delayed: thread) }
    var others: (time: Int64, weight: Int64)?
    if isInFairQueue(thread) {
      keepRequest(of: thread)
      others = average(at: queue(of: thread), without: thread)
    } else if rank == 0 && isRunnable(thread) {
      others = average(at: queue(of: thread))
    }
    threads[thread].rank = rank
    threads[thread].setWeight(weight)
    guard let others, rank == 0 else { return }
    place(thread, beside: others)
    threads[thread].protection = threads[thread].deadline
  }

  /// Takes the thread on `core` out of its queue before it sleeps or ends. A thread that sleeps and has had more than its
  /// share stays in the queue.
  @inline(__always)
  mutating func leaveQueue(of core: CoreIndex) {
    let thread = cores[core].running
    threads[thread].ran = now
    guard threads[thread].rank == 0 else { return endLoad(of: thread) }
    if ready.isEmpty && delayed.isEmpty && (isPerCore || cores.count == 1) {
      cores[core].virtualTime = threads[thread].virtualTime
      threads[thread].lag = 0
      endLoad(of: thread)
      return
    }
    updateLag(of: thread)
    // A thread at or behind the average is due and leaves; one ahead of it stays until it is due.
    if threads[thread].lag < 0 && threads[thread].state != .ended {
      threads[thread].isDelayed = true
      delayed.append(thread)
    } else {
      endLoad(of: thread)
    }
  }

  @inline(__always)
  private mutating func endLoad(of thread: ThreadIndex) {
    if hasLoads { threads[thread].load.leaveQueue(at: now, period: sharing.loadPeriod) }
  }

  /// Takes a sleeping thread out of its queue: it is due again.
  private mutating func release(delayed thread: ThreadIndex) {
    guard let index = delayed.firstIndex(of: thread) else {
      preconditionFailure("one that is delayed")
    }
    updateLag(of: thread)
    threads[thread].lag = min(threads[thread].lag, 0)
    delayed.remove(at: index)
    threads[thread].isDelayed = false
    endLoad(of: thread)
  }

  /// Wakes `thread`, which still counts in its queue and stays there (`requeue_delayed_entity`).
  mutating func resume(delayed thread: ThreadIndex) {
    guard let index = delayed.firstIndex(of: thread) else {
      preconditionFailure("one that is delayed")
    }
    updateLag(of: thread)
    delayed.remove(at: index)
    threads[thread].isDelayed = false
    guard threads[thread].lag > 0 else { return }
    threads[thread].lag = 0
    place(thread)
  }

  /// The thread that runs next on `core` (`pick_eevdf`): `current`, if it is not nil, or a waiting thread; nil if there is
  /// none.
  @inline(__always)
  mutating func next(on core: CoreIndex, keeping current: ThreadIndex?) -> ThreadIndex? {
    while true {
      guard let best = best(on: core, keeping: current) else { return nil }
      guard threads[best].isDelayed else { return best }
      release(delayed: best)
    }
  }

  @inline(__always)
  private func best(on core: CoreIndex, keeping current: ThreadIndex?) -> ThreadIndex? {
    let queue = isPerCore ? core : 0
    // Whether a thread is due (`entity_eligible`), from sums taken once: there may be hundreds of threads.
    let reference = cores[queue].virtualTime
    let (weight, lead) = sums(at: queue, from: reference)
    func isDue(_ time: Int64) -> Bool { lead >= weight.times(time - reference) }
    var best: ThreadIndex?
    var kept = current
    if let current {
      // A thread of fixed priority keeps the core unless a thread of higher priority waits.
      if threads[current].rank > 0 {
        best = current
      } else if !isDue(currentVirtualTime(core)) {
        kept = nil
      } else if currentVirtualTime(core) < threads[current].protection {
        best = current
      }
    }
    let isProtected = best != nil
    var last: ThreadIndex?
    for thread in ready where isQueued(thread, on: core) {
      if threads[thread].rank > 0 {
        if best.map({ comesFirst(thread, $0) }) ?? true { best = thread }
      } else if !isProtected, best.map({ threads[$0].rank == 0 }) ?? true {
        if isDue(threads[thread].virtualTime) {
          if best.map({ comesFirst(thread, $0) }) ?? true { best = thread }
        } else if last.map({ comesFirst(thread, $0) }) ?? true {
          last = thread
        }
      }
    }
    if isProtected || best.map({ threads[$0].rank > 0 }) ?? false { return best }
    for thread in delayed where isQueued(thread, on: core) {
      guard isDue(threads[thread].virtualTime) else { continue }
      if best.map({ comesFirst(thread, $0) }) ?? true { best = thread }
    }
    if let kept {
      guard let best else { return kept }
      return threads[best].deadline <= currentDeadline(core) ? best : kept
    }
    // With a shared queue or restricted threads, the threads that are due may be on other cores.
    return best ?? (current ?? last)
  }

  /// Whether `left` runs before `right`. Both are ready and, if fair, due.
  @inline(__always)
  private func comesFirst(_ left: ThreadIndex, _ right: ThreadIndex) -> Bool {
    let (left, right) = (threads[left], threads[right])
    if left.rank != right.rank { return left.rank > right.rank }
    if left.rank == 0 && left.deadline != right.deadline { return left.deadline < right.deadline }
    return left.order < right.order
  }

  /// When to decide next whether the fair thread on `core` yields to a waiting one: at the end of its request; or, if it
  /// kept the core after that, as soon as it is no longer due.
  @inline(__always)
  func decision(on core: CoreIndex) -> Instant {
    let thread = threads[cores[core].running]
    let time = currentVirtualTime(core)
    if time < thread.protection {
      let rate = thread.virtualTimeRate
      return now + TimeSpan(nanoseconds: (thread.protection - time + rate - 1) / rate)
    }
    let (weight, lead) = sums(at: isPerCore ? core : 0, from: time)
    let closing = (weight - thread.weight) * thread.virtualTimeRate
    let end = (currentDeadline(core) - time + thread.virtualTimeRate - 1) / thread.virtualTimeRate
    guard closing > 0 else { return now + TimeSpan(nanoseconds: end) }
    // With a shared queue, all threads that are due may be running on other cores.
    if lead < 0 { return now + TimeSpan(nanoseconds: isPerCore ? 1 : end) }
    return now + TimeSpan(nanoseconds: min(lead.dividedDown(by: closing), end - 1) + 1)
  }
}

extension Int64 {
  /// The whole product.
  @inline(__always)
  fileprivate func times(_ other: Int64) -> Int128 {
    let (high, low) = multipliedFullWidth(by: other)
    return Int128(_low: low, _high: high)
  }

  fileprivate func dividedDown(by divisor: Int64) -> Int64 {
    self >= 0 ? self / divisor : -((divisor - 1 - self) / divisor)
  }
}

extension Int128 {
  /// The quotient rounded towards negative infinity, clamped to 64 bits.
  @inline(__always)
  fileprivate func dividedDown(by divisor: Int64) -> Int64 {
    // A wide division takes much longer, and is rarely needed.
    let narrow = Int64(bitPattern: _low)
    if _high == narrow >> 63, narrow > .min + divisor { return narrow.dividedDown(by: divisor) }
    let wide = Int128(divisor)
    return Int64(clamping: self >= 0 ? self / wide : -((wide - 1 - self) / wide))
  }
}
