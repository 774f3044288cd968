internal import FrameBudget
internal import Synchronization

/// The services of a run, and the work that steps and reads do inside them.
final class LiveServices: Sendable {
  private let all: PerService<LiveService>
  private let clock: RunClock
  private let burner: Burner
  /// Nil if no step does real work.
  private let files: FileWork?
  /// When snapshots are published behind a step; nil where the UI reads none.
  private let rule: Reading.PublishRule?
  private let vsync = Atomic<Int>(0)
  private let copying = Atomic<Int64>(0)
  private let collisions = Atomic<Int>(0)

  init(_ plan: RunPlan, files: FileWork?, clock: RunClock) {
    let published = plan.publishedServices
    let steps = plan.scenario.workloads.flatMap(\.steps)
    all = PerService(
      plan.scenario.services.indexed.map { index, service in
        let memory = steps.filter { $0.service == index }.compactMap(\.touchedBytes).max() ?? 0
        return LiveService(service, memory: memory, isPublished: published.contains(index))
      })
    self.clock = clock
    burner = Burner(for: plan)
    self.files = files
    rule = plan.arrangement.reading.publishRule
  }

  /// Where the snapshots of `service` are left; nil if the UI reads none.
  func board(of service: ServiceIndex) -> SnapshotBoard? { all[service].board }

  /// Does the work of `step` for `item` inside its service.
  func perform(_ step: StepPlan, of item: LiveItem) {
    let cost = step.cost(item: item.number)
    let version = all[step.service].enter { state in
      if let task = step.task, let files {
        files.perform(task, for: item)
      } else {
        burner.burn(cost, as: step.load, over: &state.memory)
      }
      let wait = step.wait(item: item.number)
      if wait > .zero { clock.sleep(for: wait) }
      let copied = state.change(for: item.number, clock: clock)
      if copied > .zero { copying.add(copied.nanoseconds, ordering: .relaxed) }
      return state.version
    }
    if let version {
      all[step.service].board?.changed(by: item, version: version)
    } else {
      collisions.add(1, ordering: .relaxed)
      Burner.burn(cost)
    }
  }

  /// Lets the UI read a service in place.
  func read(_ service: ServiceIndex, _ cost: TimeSpan) {
    let entered: Void? = all[service].enter { _ in Burner.burn(cost) }
    if entered == nil { collisions.add(1, ordering: .relaxed) }
  }

  /// Notes that the last step of `item` has ended; returns when.
  func done(_ item: LiveItem) -> Instant {
    let now = clock.now
    for service in all { service.board?.done(item, at: now) }
    return now
  }

  // MARK: Publication

  /// What is published from now on is published in the frame that began at `vsync`.
  func frameBegan(_ vsync: Int) { self.vsync.store(vsync, ordering: .relaxed) }

  /// Publishes what a step has changed, if that is due; returns whether it was.
  func publish(_ service: ServiceIndex) -> Bool {
    guard let rule else { return false }
    return all[service].publish(rule, in: vsync.load(ordering: .relaxed))
  }

  /// Publishes whatever is unpublished of `residents`, whose lane has run out of work; returns whether anything was.
  @discardableResult
  func publishAll(_ residents: [ServiceIndex]) -> Bool {
    let now = vsync.load(ordering: .relaxed)
    var hasPublished = false
    for service in residents where all[service].publish(nil, in: now) { hasPublished = true }
    return hasPublished
  }

  /// What copying states for snapshots has taken by now.
  var copyingTime: TimeSpan { TimeSpan(nanoseconds: copying.load(ordering: .relaxed)) }

  /// Adds what was counted up to now.
  func count(in totals: inout RunTotals) {
    totals.publishing = copyingTime
    totals.exclusionViolations = collisions.load(ordering: .relaxed)
    totals.stepMeasurements = files?.measurements ?? []
  }
}
