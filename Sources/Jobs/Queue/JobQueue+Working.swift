internal import Concurrency

// The code of the queue's threads.
extension JobQueue {
  /// Runs jobs until the queue is stopped.
  func work(_ parker: any Parker) {
    while true {
      switch update({ state, now in state.next(for: parker, at: now) }) {
      case .run(let run): begin(run)
      case .wait(let time): park(parker, until: time)
      case .end: return
      }
    }
  }

  private func begin(_ run: JobRun) {
    let record = run.record
    guard let code = types[record.job.type] else {
      preconditionFailure("no job is accepted or restored without its code")
    }
    code(run) { [self] outcome in
      update { state, now in state.ended(run, outcome, at: now) }
    }
  }

  private func park(_ parker: any Parker, until time: JobTime?) {
    guard let time else { return parker.park(forNanoseconds: nil) }
    let (seconds, attoseconds) = max(time - options.clock(), .zero).components
    // Checks the calendar clock at least once a minute, because it can be set.
    let nanoseconds = min(seconds, 60) * 1_000_000_000 + attoseconds / 1_000_000_000
    parker.park(forNanoseconds: nanoseconds)
  }

  /// Reads the kept jobs. Only opening the store locks the queue; reading the records does not.
  func restore() {
    let kept = update { state, now in state.takeKept() }
    for job in kept {
      let record = Result { try options.serializer.decode(job.text) }
      update { state, now in state.restore(job, as: record, types, at: now) }
    }
    update { state, now in state.endRestoring(kept.count) }
  }
}
