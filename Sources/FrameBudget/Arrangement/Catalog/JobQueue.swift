extension NamedArrangement {
  /// Work that survives the end of the process: every event is a job that is stored before it runs.
  static let jobQueue = NamedArrangement(
    "job-queue", "all services on one job queue, which keeps its jobs; UI reads snapshots",
    options: [.persister, .restore, .kept] + StrategyOption.background
  ) { scenario, options in
    .onOneLane(Lane(name: "jobs", carrier: .jobQueue, options: options), scenario, options)
  }
}
