extension NamedArrangement {
  /// Work that survives the end of the process: every event is a job that is stored before it runs.
  static let jobQueue = NamedArrangement(
    "job-queue", "all services on one job queue, which keeps its jobs; UI reads snapshots",
    options: [
      LaneOption.persister.assignment, LaneOption.restore.assignment, LaneOption.kept.assignment,
    ] + backgroundOptions
  ) { scenario, options throws(StrategyError) in
    var jobs = Lane(name: "jobs", carrier: .jobQueue)
    try options.choose(.persister, on: &jobs)
    try options.choose(.restore, on: &jobs)
    try options.choose(.kept, on: &jobs)
    return try .onOneLane(jobs, scenario, &options)
  }
}
