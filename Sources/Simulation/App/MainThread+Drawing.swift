internal import FrameBudget

// The second half of a frame: the UI reads state and draws.
extension MainThread {
  mutating func beginReads(at now: Instant, _ workers: inout LaneWorkers) -> Operation? {
    reads.restart()
    return enter(.openingRead, .reads, at: now, &workers)
  }

  mutating func openRead(at now: Instant, _ workers: inout LaneWorkers) -> Operation? {
    if reads.isOver { return enter(.rendering, .render, at: now, &workers) }
    stage = .readingState
    if let lock = reads.lock { return .lock(lock) }
    let freeing = reads.takeSnapshot(from: &workers.services, at: now)
    guard freeing > .zero else { return nil }
    frames.enter(.release, at: now, &workers.trace)
    return .compute(freeing)
  }

  mutating func readState(at now: Instant, _ workers: inout LaneWorkers) -> Operation? {
    frames.enter(.reads, at: now, &workers.trace)
    stage = .closingRead
    let locking = reads.lock == nil ? .zero : workers.lockCost
    let vsync = frames.ledger.vsync
    return .compute(reads.begin(in: &workers.services, vsync: vsync, at: now) + locking)
  }

  mutating func closeRead(_ workers: inout LaneWorkers) -> Operation? {
    stage = .openingRead
    return reads.end(in: &workers.services).map { .unlock($0) }
  }

  mutating func render() -> Operation {
    stage = .endingFrame
    return .compute(plan.renderCost(vsync: frames.ledger.vsync))
  }
}
