/// Writes jobs to a persister.
struct JobStore {
  let persister: any JobPersister
  let serializer: JobSerializer

  private func kept(_ record: JobRecord) throws -> KeptJob {
    KeptJob(
      sequence: record.sequence, id: record.job.id, text: try serializer.encode(record))
  }

  /// Stores a new job, and removes the one that it replaces.
  func keep(_ record: JobRecord, insteadOf replaced: Int64?) throws(JobError) {
    do {
      try persister.change(keeping: [try kept(record)], removing: replaced.map { [$0] } ?? [])
    } catch {
      throw .notKept(id: record.job.id, reason: "\(error)")
    }
  }

  /// Stores the changes of events.
  func apply(_ events: [JobEvent]) throws {
    var keeping: [KeptJob] = []
    var removing: [Int64] = []
    for event in events {
      switch event {
      case .repeating(let record), .retrying(let record, _): keeping.append(try kept(record))
      case .completed(let record), .failed(let record, _), .cancelled(let record),
        .expired(let record):
        removing.append(record.sequence)
      default: break
      }
    }
    if keeping.isEmpty && removing.isEmpty { return }
    try persister.change(keeping: keeping, removing: removing)
  }
}
