extension JobSchedule {
  /// A job that is not over.
  struct Entry: Sendable {
    var record: JobRecord
    var phase = Phase.sleeping
    /// Whether it was cancelled while it ran.
    var isCancelled = false

    enum Phase: Sendable { case sleeping, held, ready, parked, running }

    /// The event and the record after a run; the record is nil if the job is over.
    func next(
      after outcome: JobOutcome, at now: JobTime
    ) -> (record: JobRecord?, event: JobEvent) {
      switch outcome {
      case .success:
        var finished = record
        finished.runs += 1
        guard !isCancelled, let next = record.afterSuccess(at: now) else {
          return (nil, .completed(finished))
        }
        return (next, .repeating(next))
      case .failure(let reason, let isFinal):
        if isCancelled { return (nil, .cancelled(record)) }
        guard !isFinal, let next = record.afterFailure(at: now) else {
          return (nil, .failed(record, reason: reason))
        }
        return (next, .retrying(next, reason: reason))
      }
    }
  }

  /// A resource that only one running job may have.
  enum Exclusion: Hashable, Sendable {
    case id(String)
    case group(String)
  }

  /// The time at which to check a job again.
  struct Alarm: Hashable, Comparable, Sendable {
    let time: JobTime
    let sequence: Int64

    static func < (left: Self, right: Self) -> Bool {
      (left.time, left.sequence) < (right.time, right.sequence)
    }
  }
}

extension JobRecord {
  /// A job that replaces a running one has the same id, and waits for its end.
  var exclusions: [JobSchedule.Exclusion] {
    if let group = job.group { [.id(job.id), .group(group)] } else { [.id(job.id)] }
  }

  func canRun(on machine: MachineState) -> Bool {
    job.constraints.allSatisfy { $0.holds(in: machine) }
  }
}
