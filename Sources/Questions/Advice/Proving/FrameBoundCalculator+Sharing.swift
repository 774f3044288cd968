internal import FrameBudget
internal import FrameBudgetSimulation

/// How long a frame is delayed because all cores are in use.
struct CoreWait: Equatable {
  /// The delay of the main thread, or of a thread that it waits for.
  var delay = TimeSpan.zero
  /// The number of switches of a core to one of these.
  var switches = 0
  /// The delay of the second stage.
  var secondStage = TimeSpan.zero

  /// The larger value of both, for each property.
  func covering(_ other: CoreWait) -> CoreWait {
    CoreWait(
      delay: max(delay, other.delay), switches: max(switches, other.switches),
      secondStage: max(secondStage, other.secondStage))
  }
}

/// The demand of an item on threads other than the main thread.
struct ThreadDemand {
  /// Time on a core, and time in which its thread sleeps.
  var work = TimeSpan.zero
  var sleep = TimeSpan.zero
  /// How many times a thread becomes ready for it.
  var wakes = 0

  static func += (left: inout ThreadDemand, right: ThreadDemand) {
    left.work = left.work.and(right.work)
    left.sleep = left.sleep.and(right.sleep)
    left.wakes += right.wakes
  }

  func times(_ count: Int) -> ThreadDemand {
    let (all, overflows) = wakes.multipliedReportingOverflow(by: count)
    return ThreadDemand(
      work: work.times(count), sleep: sleep.times(count), wakes: overflows ? 1 << 40 : all)
  }
}

// More threads than cores: a ready thread waits only while every core that it may have runs another one.
extension FrameBoundCalculator {
  /// Whether the main thread, or a thread that it waits for, may find all cores in use.
  var sharesCores: Bool {
    1 + otherThreads > machine.cores || arrangement.lanes.contains { $0.cores != nil }
  }

  /// The least number of cores that the main thread, or a thread with a lock for which it may wait, can use.
  private var choice: Int {
    let holders = lockUses.filter(\.isContended).flatMap(\.holds.keys)
    return ([.main] + holders).map { lane in
      guard let kept = arrangement.lanes[lane].cores else { return machine.cores }
      let count = (0..<machine.cores).count { kept.contains($0) }
      return count == 0 ? machine.cores : count
    }.min() ?? machine.cores
  }

  /// Whether a thread may wait for its core while another core is idle. It then waits only while its own core runs other
  /// threads.
  private var leavesCoresIdle: Bool { machine.scheduler == .perCore && machine.cores > 1 }

  /// The loss of a core by a switch to a thread, and the rounding of that thread's remaining time.
  var turn: TimeSpan {
    costs.contextSwitch.and(machine.speeds.contains { $0 != 1000 } ? .nanoseconds(1) : .zero)
  }

  private var slice: TimeSpan {
    machine.slice ?? costs.calibration.slice ?? FairShare.standard(cores: machine.cores).slice
  }

  /// The number of switches when a thread becomes ready: to that thread, and to the preempted one; a lock with priority
  /// inheritance allows two more.
  var turnsForWake: Int {
    arrangement.locks.contains { $0.kind == .inheriting } ? 4 : 2
  }

  /// The longest delay of main in a frame of these parts, which were found with `known`; with `inRun`, in a whole run. Nil if
  /// unbounded.
  func coreWait(_ known: CoreWait, _ counts: PerWorkload<Int>, inRun isWhole: Bool) -> CoreWait? {
    let own = parts.filter { $0.kind != .sharing }.map(\.total).total
    let length = isWhole ? scenario.duration : own.and(known.delay)
    let left = isWhole ? nil : backlog(beside: own, lead: latestPost(known))
    let arriving = isWhole ? ThreadDemand() : demand(counts)
    guard let left = left ?? wholeRun else { return nil }
    let turning = machineTurns(within: length)
    let span = left.span.and(span(of: arriving)).and(turn.times(turning))
    let secondStage = waitOfSecondStage(
      beside: own, span: span.and(isWhole ? .zero : self.span(of: arriving)))
    // While the second stage takes at most a period, it has one frame at most.
    let isKept = secondStage.map { compositorWork.and($0) <= period } ?? false
    let others = isKept && !isWhole ? min(compositorDemand, span) : span
    guard let delay = wait(beside: laneDemands(span) + secondStageDemand(others), all: span)
    else { return nil }
    let wakes = left.wakes + arriving.wakes
    return CoreWait(
      delay: delay, switches: turnsForWake * wakes + turning + otherThreads,
      secondStage: secondStage ?? .limit)
  }

  // MARK: Users of cores

  /// The longest wait of a thread for a core beside `demands`, `all` in total: while it waits, each core runs one of these
  /// threads. Nil if unbounded.
  private func wait(beside demands: [TimeSpan], all: TimeSpan) -> TimeSpan? {
    let cores = leavesCoresIdle ? (machine.busy == 0 ? 1 : 0) : choice - machine.busy
    guard cores > 0 else { return nil }
    let bySum = TimeSpan(nanoseconds: (all.nanoseconds + Int64(cores) - 1) / Int64(cores))
    return min(bySum, Self.longestTogether(demands.sorted(), on: cores))
  }

  /// The longest time during which threads with these demands, in ascending order, use that many cores.
  static func longestTogether(_ demands: [TimeSpan], on cores: Int) -> TimeSpan {
    // Threads with a demand below that time come first.
    for count in stride(from: demands.count, through: 0, by: -1) {
      let others = demands.count - count
      if others >= cores { return demands[count] }
      let sum = demands[..<count].total.nanoseconds
      let each = TimeSpan(nanoseconds: (sum + Int64(cores - others) - 1) / Int64(cores - others))
      if count == 0 || each >= demands[count - 1] { return each }
    }
    return .zero
  }

  /// Demands by thread of a lane.
  private func laneDemands(_ span: TimeSpan) -> [TimeSpan] {
    Array(repeating: span, count: laneThreads)
  }

  private func secondStageDemand(_ span: TimeSpan) -> [TimeSpan] {
    scenario.display.pipeline.hasStageThread ? [span] : []
  }

  private var compositorWork: TimeSpan {
    let pipeline = scenario.display.pipeline
    return pipeline.hasStageThread ? slow(pipeline.compositor.largest ?? .zero).and(turn) : .zero
  }

  /// The demand of a frame in the second stage, with the losses of cores by its wake-up.
  private var compositorDemand: TimeSpan { compositorWork.and(turn.times(turnsForWake)) }

  /// The second stage competes with at most one frame of the main thread. Nil if unbounded.
  private func waitOfSecondStage(beside main: TimeSpan, span: TimeSpan) -> TimeSpan? {
    guard scenario.display.pipeline.hasStageThread else { return .zero }
    return wait(beside: laneDemands(span) + [main], all: span.and(main))
  }

  // MARK: Demands

  /// The total time of a demand, with the losses of cores by its wake-ups.
  private func span(of demand: ThreadDemand) -> TimeSpan {
    [demand.work, demand.sleep, turn.times(turnsForWake * demand.wakes)].total
  }

  /// Remaining work, and the number of times that threads become ready for it.
  private typealias Left = (span: TimeSpan, wakes: Int)

  private var wholeRun: Left? {
    var all = ThreadDemand()
    for workload in scenario.workloads.indices {
      let demand = demand(of: workload)
      guard demand.wakes > 0 else { continue }
      guard let count = arrivalsInRun(workload) else { return nil }
      all += demand.times(count)
    }
    let frames = scenario.display.refresh.vsyncs(through: .zero + scenario.duration) + 1
    let compositor = compositorDemand.times(frames)
    return (
      span(of: all).and(compositor),
      all.wakes + (scenario.display.pipeline.hasStageThread ? frames : 0)
    )
  }

  /// The most remaining work of other threads when a frame begins; nil if only the run bounds it.
  ///
  /// Consider a moment of frame `a`, the `n`-th before this one, since which they always had work. By now at most the arrivals
  /// of `n` windows have been added. Since that moment, one of them has always run, slept, or been switched to, except while
  /// main had the cores.
  private func backlog(beside own: TimeSpan, lead: TimeSpan) -> Left? {
    guard !isRefilled else { return nil }
    let whole: Left = wholeRun ?? (.limit, 1 << 40)
    let isKeptByMain =
      leavesCoresIdle || arrangement.lanes.contains { $0.cores != nil }
      || machine.cores - machine.busy < 2 || lockUses.contains { $0.isContended }
    if isKeptByMain && machine.busy > 0 { return nil }
    var most = TimeSpan.zero
    let vsyncs = scenario.display.refresh.vsyncs(through: .zero + scenario.duration)
    let spans = PerWorkload(scenario.workloads.indices.map { span(of: demand(of: $0)) })
    for frames in 1...max(1, vsyncs) {
      guard let arrived = arrived(spans, in: frames) else { return nil }
      let passed = period.times(frames) - lead - (isKeptByMain ? own.times(frames) : .zero)
      let left = arrived - max(.zero, passed)
      if left <= .zero { return (most, wakes(leaving: most, atMost: whole.wakes)) }
      most = max(most, left)
      if most >= whole.span { return whole }
    }
    return whole
  }

  /// The most work that arrives for them in that many frames.
  private func arrived(_ spans: PerWorkload<TimeSpan>, in frames: Int) -> TimeSpan? {
    let window = scenario.display.refresh.longest(periods: frames - 1 + periods)
    var (sum, held) = (TimeSpan.zero, TimeSpan.zero)
    for workload in scenario.workloads.indices {
      let span = spans[workload]
      guard span > .zero else { continue }
      if isHeldBack(workload) {
        held = max(held, span)
      } else {
        guard let most = scenario.workloads[workload].arrival.most(within: window) else {
          return nil
        }
        sum = sum.and(span.times(most))
      }
    }
    if case .batch(let batch, _) = arrangement.admission {
      sum = sum.and(held.times(batch).times(frames))
    }
    let turning = turn.times(machineTurns(within: window))
    return [sum, secondStageDemand(compositorDemand.times(frames + 1)).total, turning].total
  }

  /// Whether items reach other threads later than in the frame in which they start.
  private var isRefilled: Bool {
    if case .fitting = arrangement.admission, arrangement.lanes.count > 1 { return true }
    return scenario.workloads.indices.contains { workload in
      segments(of: workload).contains { $0.from != nil && $0.to != nil }
    }
  }

  /// How long after a frame's begin the last item may be posted.
  private func latestPost(_ known: CoreWait) -> TimeSpan {
    let all = period.times(periods)
    let postsLate = scenario.workloads.indices.contains { workload in
      segments(of: workload).contains { $0.to != nil }
    }
    if postsLate { return all }
    let posting = parts.filter { $0.kind == .posting || $0.kind == .waking }.map(\.total).total
    return min(all, [posting, known.delay, turn.times(known.switches)].total)
  }

  /// The number of times that threads become ready for the remaining work `left`.
  private func wakes(leaving left: TimeSpan, atMost whole: Int) -> Int {
    guard turn > .zero else { return 0 }
    let demands = scenario.workloads.indices.map { demand(of: $0) }.filter { $0.wakes > 0 }
    guard let most = demands.map(\.wakes).max() else { return 0 }
    // Each item counts at least the losses of cores by its wake-ups, even if its steps take no time.
    let least = demands.map { turn.times(turnsForWake * $0.wakes).nanoseconds }.min() ?? 1
    return min(whole, most * (Int(left.nanoseconds / max(1, least)) + otherThreads))
  }

  /// The number of switches because a time slice ends, a pool's monitor runs, or a thread was ready before.
  private func machineTurns(within length: TimeSpan) -> Int {
    // A thread that keeps the core at the end of its slice may lose it before the next end.
    let slices = 2 * machine.cores * (Int(length.nanoseconds / slice.nanoseconds) + 2)
    guard machine.hasPools, arrangement.lanes.contains(where: \.isPooled) else { return slices }
    let looks = Int(length.nanoseconds / 1_000_000_000) + 2
    return slices + turnsForWake * looks * (1 + arrangement.lanes.count)
  }

  /// The demand of a frame's items on other threads.
  private func demand(_ counts: PerWorkload<Int>) -> ThreadDemand {
    var all = ThreadDemand()
    for workload in counts.indices where !isHeldBack(workload) {
      all += demand(of: workload).times(counts[workload])
    }
    guard case .batch(let batch, _) = arrangement.admission else { return all }
    let held = counts.indices.filter(isHeldBack).map { demand(of: $0) }
    all += ThreadDemand(
      work: held.map(\.work).max() ?? .zero, sleep: held.map(\.sleep).max() ?? .zero,
      wakes: held.map(\.wakes).max() ?? 0
    ).times(batch)
    return all
  }

  private func demand(of workload: WorkloadIndex) -> ThreadDemand {
    var all = ThreadDemand()
    let steps = plans[workload].steps
    let times = item(workload).steps
    for index in steps.indices where steps[index].lane != .main {
      let (step, time) = (steps[index], times[index])
      let lane = arrangement.lanes[step.lane]
      let handOff = costs.handOff(to: lane)
      let asleep = wakingCosts(of: step.lane)
      // Where threads are notified of waiting items, each step may notify one.
      let isNotified = isPooled(lane) || lane.carrier.description.order == .perWorkload
      all.work =
        [
          all.work, time.logic, slow(handOff.run), copyingOnLane(step.service),
          isNotified ? slow(handOff.post).and(slow(asleep.wake)).times(2) : .zero,
        ].total
      all.sleep = [all.sleep, time.wait, asleep.latency, asleep.pollInterval].total
      all.wakes += 1 + (time.wait > .zero ? 1 : 0) + (isNotified ? 2 : 0)
      if step.lock != nil {
        all.work = all.work.and(slow(costs.lock.wake))
        all.sleep = all.sleep.and(costs.lock.latency)
        all.wakes += 1
      }
      if index + 1 < steps.count, steps[index + 1].lane != step.lane {
        let next = steps[index + 1].lane
        let post = costs.handOff(to: arrangement.lanes[next]).post
        let events = plans[workload].events(from: index + 1, in: arrangement)
        all.work = [all.work, slow(post.times(events)), wakeCost(of: next)].total
      }
    }
    return all
  }

  /// The cost of copying the state before a step's change, and of freeing the old copy afterwards.
  private func copyingOnLane(_ service: ServiceIndex) -> TimeSpan {
    guard arrangement.reading.publishRule != nil,
      scenario.reads.contains(where: { $0.service == service })
    else { return .zero }
    let records = scenario.services[service].records
    return slow(costs.copyPerRecord.times(records)).and(
      slow(costs.releasePerRecord.times(records)))
  }

  // MARK: Pools

  func isPooled(_ lane: Lane) -> Bool { machine.hasPools && lane.isPooled }

  /// The cost of waking a thread of `lane`; for a pool, the largest of its lanes.
  func wakingCosts(of lane: LaneIndex) -> HandOffCosts {
    let own = costs.handOff(to: arrangement.lanes[lane])
    guard isPooled(arrangement.lanes[lane]) else { return own }
    let all = arrangement.lanes.filter(isPooled).map { costs.handOff(to: $0) }
    var highest = own
    highest.wake = all.map(\.wake).max() ?? own.wake
    highest.latency = all.map(\.latency).max() ?? own.latency
    return highest
  }

  /// The number of threads that serve lanes: for a pool the number of cores plus one, or the number of its lanes' places.
  var laneThreads: Int {
    let lanes = arrangement.lanes.dropFirst()
    let own = lanes.filter { !isPooled($0) }.reduce(0) { $0 + $1.width }
    let pools = Dictionary(grouping: lanes.filter(isPooled)) { $0.nice }
    return pools.values.reduce(own) { sum, served in
      sum + max(served.reduce(0) { $0 + $1.width }, machine.cores + 1)
    }
  }
}
