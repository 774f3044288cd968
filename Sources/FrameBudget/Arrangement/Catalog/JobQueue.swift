extension NamedArrangement {
  /// Work that survives the end of the process: every event is a job that is stored before it runs.
  static let jobQueue = NamedArrangement(
    "job-queue", "all services on one job queue, which keeps its jobs; UI reads snapshots",
    options: [
      LaneOption.persister.assignment, LaneOption.restore.assignment, LaneOption.kept.assignment,
    ]
  ) { scenario, options throws(StrategyError) in
    var jobs = Lane(name: "jobs", carrier: .jobQueue)
    try options.choose(.persister, on: &jobs)
    try options.choose(.restore, on: &jobs)
    try options.choose(.kept, on: &jobs)
    var arrangement = Arrangement.onMain(scenario)
    arrangement.lanes.append(jobs)
    arrangement.placement = scenario.services.map { _ in .home(1) }
    arrangement.reading = .snapshot(.perFrame)
    arrangement.returning = .drained(budget: .milliseconds(2))
    return arrangement
  }
}
