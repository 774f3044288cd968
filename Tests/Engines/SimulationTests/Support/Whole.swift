import FrameBudget

/// Whether a run is whole: nothing lost, nothing counted twice, every sum right. Written without looking at how the
/// library finds that out of itself.
enum Whole {
  /// The faults of `log`, a sentence each.
  static func violations(of log: RunLog, in run: RandomRun) -> [String] {
    log.violations + status(log, run) + frames(log) + metrics(log) + records(log)
      + log.items.indices.flatMap { items(log.items[$0], of: run.plan, WorkloadIndex($0), log) }
      + totals(log, run.plan)
  }

  private static func unless(_ holds: Bool, _ sentence: @autoclosure () -> String) -> [String] {
    holds ? [] : [sentence()]
  }

  private static func status(_ log: RunLog, _ run: RandomRun) -> [String] {
    let isStopped = run.stop < .zero + run.scenario.duration
    return unless(log.status == (isStopped ? .interrupted : .complete), "\(log.status)")
      + unless(log.duration == run.stop.sinceZero, "ended at \(log.duration)")
  }

  private static func frames(_ log: RunLog) -> [String] {
    let frames = log.frames
    let late = frames.begins.indices.map(frames.lateVsyncs)
    let dropped = frames.drops.reduce(0) { $0 + $1.vsyncs }
    let begins = zip(frames.begins, frames.begins.dropFirst())
    return
      unless(frames.presented + dropped == frames.expected, "frames do not add up")
      + unless(late.allSatisfy { $0 >= 0 }, "a frame before its time")
      + unless(begins.allSatisfy { $0 < $1 }, "frames out of order")
      + unless(frames.works.allSatisfy { $0 >= 0 }, "a frame of less than no time")
  }

  private static func metrics(_ log: RunLog) -> [String] {
    let metrics = RunMetrics(log)
    let names = MetricCatalog.all.map(\.name)
    let caused = names.filter { $0.hasPrefix("drops_") }.compactMap { metrics[$0] }.reduce(0, +)
    return unless(metrics["dropped_frames"] == caused, "\(caused) drops have a cause")
      + MetricCatalog.all.filter { !$0.isSigned }.map(\.name).flatMap { name in
        unless(metrics[name] ?? 0 >= 0, "\(name) is below zero")
      }
      + overruns(log, metrics)
  }

  /// Frames that were shown missed their deadlines where they were ready behind them, and percentiles are those of all.
  private static func overruns(_ log: RunLog, _ metrics: RunMetrics) -> [String] {
    let refresh = log.frames.refresh
    let records = log.frames.records
    let deadlines = records.map { refresh.vsync($0.askedVsync + $0.dueVsync - $0.beginVsync) }
    let overruns = zip(records, deadlines).map { ($0.ready - $1).nanoseconds }
    let wrong = records.filter { record in
      record.presentVsync <= log.frames.vsyncs
        && (record.ready > refresh.vsync(record.dueVsync)) != (record.cause != nil)
    }
    let sorted = overruns.sorted()
    return unless(wrong.isEmpty, "\(wrong.count) frames are late by their causes alone, or not")
      + [50, 90, 95, 99].flatMap { percent -> [String] in
        let place = Double(percent) / 100 * Double(sorted.count - 1)
        let below = sorted.isEmpty ? 0 : sorted[Int(place)]
        let above = sorted.isEmpty ? 0 : sorted[Int(place.rounded(.up))]
        let share = place - place.rounded(.down)
        let wanted = (Double(below) + share * Double(above - below)) / 1e6
        let found = metrics["frame_overrun_ms_p\(percent)"]
        return unless(
          sorted.isEmpty ? found == nil : abs((found ?? .infinity) - wanted) < 1e-6,
          "p\(percent) of overruns is \(found ?? .nan), not \(wanted)")
      }
  }

  private static func records(_ log: RunLog) -> [String] {
    let records = log.frames.records
    return unless(records.count == log.frames.begins.count, "frames without a record")
      + records.flatMap { record in
        unless(record.queueDepth >= 0, "\(record.queueDepth) items wait")
          + unless(record.items >= 0, "\(record.items) items ran")
          + unless(Phase.allCases.allSatisfy { record.spans[$0] >= .zero }, "a phase below zero")
          + unless(record.workEnd >= record.begin, "a frame that ends before it begins")
      }
  }

  private static func items(
    _ items: ItemLog, of plan: RunPlan, _ index: WorkloadIndex, _ log: RunLog
  ) -> [String] {
    let end = Instant.zero + log.duration
    let arrived = ArrivalSchedule.count(
      of: plan.scenario.workloads[index], before: end, seed: plan.seed, limit: 1 << 20)
    let done = items.completions.indices.filter { items.completions[$0] >= 0 }
    let answered = items.responses.indices.filter { items.responses[$0] >= 0 }
    return unless(items.arrivals.count == arrived, "\(items.arrivals.count) of \(arrived) arrived")
      + unless(
        items.doneCount + items.pendingCount + items.cancelledCount == arrived,
        "\(items.doneCount) + \(items.pendingCount) + \(items.cancelledCount) of \(arrived) items")
      + unless(done.count == items.doneCount, "\(items.doneCount) of \(done.count) are done")
      + unless(
        done.allSatisfy {
          (items.arrivals[$0]...end.nanoseconds).contains(items.completions[$0])
        }, "done before it arrived or after the end")
      + unless(
        answered.allSatisfy {
          items.completions[$0] >= 0 && items.responses[$0] >= items.completions[$0]
        }, "answered and not done")
  }

  private static func totals(_ log: RunLog, _ plan: RunPlan) -> [String] {
    let totals = log.totals
    let used = totals.threads.map(\.cpu)
    let waits = log.items.reduce(0) { $0 + $1.pendingCount }
    return unless(totals.exclusionViolations == 0, "two threads inside a service")
      + unless(totals.hops >= 0 && totals.publishing >= .zero, "counts below zero")
      + unless(used.allSatisfy { $0 >= .zero && $0 <= log.duration }, "a thread beyond its time")
      + unless(
        used.reduce(.zero, +) <= log.duration * plan.scenario.machine.cores,
        "more time than processors have")
      + unless(totals.deadlocks.isEmpty || waits > 0, "a deadlock that holds nobody up")
  }
}
