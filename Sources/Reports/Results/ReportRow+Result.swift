internal import FrameBudget

extension ReportRow {
  /// The run as it would be read back from a summary.
  var result: ResultRow {
    row(
      MetricCatalog.all.map { ($0.name, $0.value(metrics)) }
        + Column<ReportRow>.ranges.map { ($0.name, $0.value(self)) }, workload: "")
  }

  /// Its workloads as they would be read back.
  var workloadResults: [ResultRow] {
    WorkloadsCSV.rows(self).map { workload in
      var result = row(
        MetricCatalog.items.map { ($0.name, $0.value(workload.items)) },
        workload: workload.log.workload)
      result.item = workload.log.item ?? ""
      return result
    }
  }

  private func row(_ metrics: [(name: String, value: MetricValue?)], workload: String) -> ResultRow
  {
    var numbers: [String: Double] = [:]
    for (name, value) in metrics where value?.number != nil {
      // With the digits that files have, so that what follows from them is the same.
      numbers[name] = value.flatMap { Double($0.description) }
    }
    return ResultRow(
      scenario: log.scenario, strategy: log.strategy.name, options: log.strategy.options,
      changes: changes, engine: log.engine.rawValue, cores: String(cores),
      repetition: String(repetition), seed: String(log.seed),
      warmupFrames: String(log.warmupFrames), workload: workload,
      learned: log.learned?.replay.rawValue ?? "", platform: log.platform,
      status: log.status.rawValue,
      refreshHz: log.frames.refresh.hertz, durationMilliseconds: log.duration.inMilliseconds,
      numbers: RowNumbers(numbers))
  }
}
