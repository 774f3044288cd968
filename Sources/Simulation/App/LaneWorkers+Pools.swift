internal import FrameBudget

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
