internal import FrameBudget
internal import Simulation

/// For how long a frame does not go on because all cores are taken.
struct CoreWait: Equatable {
  /// The main thread, or a thread that it waits for, has none.
  var delay = TimeSpan.zero
  /// How often a core turns to one of these.
  var switches = 0
  /// The second stage has none.
  var secondStage = TimeSpan.zero

  /// The longer of both in each part.
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
extension BoundMaker {
  /// Whether the main thread, or one that it waits for, may find all cores taken.
  var sharesCores: Bool {
    1 + otherThreads > machine.cores || arrangement.lanes.contains { $0.cores != nil }
  }

  /// The fewest cores that the main thread chooses from, or one that holds a lock for which it may wait.
  private var choice: Int {
    let holders = lockUses.filter(\.isContended).flatMap(\.holds.keys)
    return ([.main] + holders).map { lane in
      guard let kept = arrangement.lanes[lane].cores else { return machine.cores }
      let count = (0..<machine.cores).count { kept.contains($0) }
      return count == 0 ? machine.cores : count
    }.min() ?? machine.cores
  }

  /// Whether a thread may wait at its core while another core is idle. It then waits only while its own core runs others.
  private var leavesCoresIdle: Bool { machine.scheduler == .perCore && machine.cores > 1 }

  /// What a core loses when it turns to a thread, and the rounding of what that one has left.
  var turn: TimeSpan {
    costs.contextSwitch.and(machine.speeds.contains { $0 != 1000 } ? .nanoseconds(1) : .zero)
  }

  private var slice: TimeSpan {
    machine.slice ?? costs.calibration.slice ?? FairShare.standard(cores: machine.cores).slice
  }

  /// How often cores turn to a thread because one becomes ready: to that one, and to the one that had to give way; an inheriting
  /// lock lets two more do so.
  var turnsForWake: Int {
    arrangement.locks.contains { $0.kind == .inheriting } ? 4 : 2
  }

  /// The most that main does not go on for in a frame of these parts, which were found with `known`; with `inRun`, in a whole
  /// run. Nil where nothing bounds that.
  func coreWait(_ known: CoreWait, _ counts: PerWorkload<Int>, inRun isWhole: Bool) -> CoreWait? {
    let own = parts.filter { $0.kind != .sharing }.map(\.total).total
    let length = isWhole ? scenario.duration : own.and(known.delay)
    let left = isWhole ? nil : backlog(beside: own, lead: lead(known))
    let arriving = isWhole ? ThreadDemand() : demand(counts)
    guard let left = left ?? wholeRun else { return nil }
    let turning = machineTurns(within: length)
    let span = left.span.and(span(of: arriving)).and(turn.times(turning))
    let secondStage = waitOfSecondStage(
      beside: own, span: span.and(isWhole ? .zero : self.span(of: arriving)))
    // While it takes no longer than a period, it has one frame at most.
    let isKept = secondStage.map { compositorWork.and($0) <= period } ?? false
    let others = isKept && !isWhole ? min(compositorDemand, span) : span
    guard let delay = wait(beside: laneDemands(span) + secondStageDemand(others), all: span)
    else { return nil }
    let wakes = left.wakes + arriving.wakes
    return CoreWait(
      delay: delay, switches: turnsForWake * wakes + turning + otherThreads,
      secondStage: secondStage ?? .limit)
  }

  // MARK: Who takes the cores

  /// The longest that a thread waits for a core while others want so much of them, `all` of it together: while it waits, each
  /// core runs one of these. Nil for any time.
  private func wait(beside demands: [TimeSpan], all: TimeSpan) -> TimeSpan? {
    let cores = leavesCoresIdle ? (machine.busy == 0 ? 1 : 0) : choice - machine.busy
    guard cores > 0 else { return nil }
    let bySum = TimeSpan(nanoseconds: (all.nanoseconds + Int64(cores) - 1) / Int64(cores))
    return min(bySum, Self.longestTogether(demands.sorted(), on: cores))
  }

  /// The longest time of which threads that want so much, in ascending order, fill that many cores.
  static func longestTogether(_ demands: [TimeSpan], on cores: Int) -> TimeSpan {
    // Those that want less than that time come first.
    for count in stride(from: demands.count, through: 0, by: -1) {
      let others = demands.count - count
      if others >= cores { return demands[count] }
      let sum = demands[..<count].total.nanoseconds
      let each = TimeSpan(nanoseconds: (sum + Int64(cores - others) - 1) / Int64(cores - others))
      if count == 0 || each >= demands[count - 1] { return each }
    }
    return .zero
  }

  /// By thread of a lane.
  private func laneDemands(_ span: TimeSpan) -> [TimeSpan] {
    Array(repeating: span, count: laneThreads)
  }

  private func secondStageDemand(_ span: TimeSpan) -> [TimeSpan] {
    scenario.display.pipeline.hasSecondStage ? [span] : []
  }

  private var compositorWork: TimeSpan {
    let pipeline = scenario.display.pipeline
    return pipeline.hasSecondStage ? slow(pipeline.compositor.largest ?? .zero).and(turn) : .zero
  }

  /// What a frame in the second stage takes of cores, with what they lose by its wake.
  private var compositorDemand: TimeSpan { compositorWork.and(turn.times(turnsForWake)) }

  /// Until it ends with a frame, the main thread takes no more than one. Nil where nothing bounds that.
  private func waitOfSecondStage(beside main: TimeSpan, span: TimeSpan) -> TimeSpan? {
    guard scenario.display.pipeline.hasSecondStage else { return .zero }
    return wait(beside: laneDemands(span) + [main], all: span.and(main))
  }

  // MARK: What they have to do

  /// All that a demand takes, with what cores lose by its wakes.
  private func span(of demand: ThreadDemand) -> TimeSpan {
    [demand.work, demand.sleep, turn.times(turnsForWake * demand.wakes)].total
  }

  /// What is left to do, and how often threads become ready for it.
  private typealias Left = (span: TimeSpan, wakes: Int)

  private var wholeRun: Left? {
    var all = ThreadDemand()
    for workload in scenario.workloads.indices {
      let demand = demand(of: workload)
      guard demand.wakes > 0 else { continue }
      guard let count = inRun(workload) else { return nil }
      all += demand.times(count)
    }
    let frames = scenario.display.refresh.vsyncs(through: .zero + scenario.duration) + 1
    let compositor = compositorDemand.times(frames)
    return (
      span(of: all).and(compositor),
      all.wakes + (scenario.display.pipeline.hasSecondStage ? frames : 0)
    )
  }

  /// What other threads have left when a frame begins, at most; nil if nothing but the run bounds that.
  ///
  /// Let them have had something since some moment of frame `a`, the `n`-th before this one. By now at most that has come which
  /// arrived in `n` windows. Ever since one of them has run, slept, or been switched to, but while main kept them from it.
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

  /// The most that arrives for them in that many frames.
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

  /// Whether items reach other threads later than in the frame that takes them up.
  private var isRefilled: Bool {
    if case .fitting = arrangement.admission, arrangement.lanes.count > 1 { return true }
    return scenario.workloads.indices.contains { workload in
      segments(of: workload).contains { $0.from != nil && $0.to != nil }
    }
  }

  /// How far into a frame the last item may be posted.
  private func lead(_ known: CoreWait) -> TimeSpan {
    let all = period.times(periods)
    let postsLate = scenario.workloads.indices.contains { workload in
      segments(of: workload).contains { $0.to != nil }
    }
    if postsLate { return all }
    let posting = parts.filter { $0.kind == .posting || $0.kind == .waking }.map(\.total).total
    return min(all, [posting, known.delay, turn.times(known.switches)].total)
  }

  /// How often threads become ready for what `left` is the whole of.
  private func wakes(leaving left: TimeSpan, atMost whole: Int) -> Int {
    guard turn > .zero else { return 0 }
    let demands = scenario.workloads.indices.map { demand(of: $0) }.filter { $0.wakes > 0 }
    guard let most = demands.map(\.wakes).max() else { return 0 }
    // Each item counts as much as cores lose by its wakes, whatever its steps take.
    let least = demands.map { turn.times(turnsForWake * $0.wakes).nanoseconds }.min() ?? 1
    return min(whole, most * (Int(left.nanoseconds / max(1, least)) + otherThreads))
  }

  /// How often cores turn to another thread because a slice is over, a pool's monitor looks, or something was ready before.
  private func machineTurns(within length: TimeSpan) -> Int {
    // A thread that keeps the core at its deadline may lose it before the next one.
    let slices = 2 * machine.cores * (Int(length.nanoseconds / slice.nanoseconds) + 2)
    guard machine.hasPools, arrangement.lanes.contains(where: \.isPooled) else { return slices }
    let looks = Int(length.nanoseconds / 1_000_000_000) + 2
    return slices + turnsForWake * looks * (1 + arrangement.lanes.count)
  }

  /// What the items of a frame want of other threads.
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
    for place in steps.indices where steps[place].lane != .main {
      let (step, time) = (steps[place], times[place])
      let lane = arrangement.lanes[step.lane]
      let handOff = costs.handOff(to: lane)
      let asleep = wakingCosts(of: step.lane)
      // Where threads are notified of waiting items, each step may notify one.
      let isTold = isPooled(lane) || lane.carrier.description.order == .perWorkload
      all.work =
        [
          all.work, time.logic, slow(handOff.run), copyingOnLane(step.service),
          isTold ? slow(handOff.post).and(slow(asleep.wake)).times(2) : .zero,
        ].total
      all.sleep = [all.sleep, time.wait, asleep.latency, asleep.lookEvery].total
      all.wakes += 1 + (time.wait > .zero ? 1 : 0) + (isTold ? 2 : 0)
      if step.lock != nil {
        all.work = all.work.and(slow(costs.lock.wake))
        all.sleep = all.sleep.and(costs.lock.latency)
        all.wakes += 1
      }
      if place + 1 < steps.count, steps[place + 1].lane != step.lane {
        let next = steps[place + 1].lane
        let post = costs.handOff(to: arrangement.lanes[next]).post
        let events = plans[workload].events(from: place + 1, in: arrangement)
        all.work = [all.work, slow(post.times(events)), wakeCost(of: next)].total
      }
    }
    return all
  }

  /// What a step copies before it changes the state, and frees behind it.
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

  /// What waking a thread of `lane` takes: of a pool's, the most for any of its lanes.
  func wakingCosts(of lane: LaneIndex) -> HandOffCosts {
    let own = costs.handOff(to: arrangement.lanes[lane])
    guard isPooled(arrangement.lanes[lane]) else { return own }
    let all = arrangement.lanes.filter(isPooled).map { costs.handOff(to: $0) }
    var dearest = own
    dearest.wake = all.map(\.wake).max() ?? own.wake
    dearest.latency = all.map(\.latency).max() ?? own.latency
    return dearest
  }

  /// Threads that serve lanes: of a pool as many as there are cores, one more, or as many as its lanes have places.
  var laneThreads: Int {
    let lanes = arrangement.lanes.dropFirst()
    let own = lanes.filter { !isPooled($0) }.reduce(0) { $0 + $1.width }
    let pools = Dictionary(grouping: lanes.filter(isPooled)) { $0.nice }
    return pools.values.reduce(own) { sum, served in
      sum + max(served.reduce(0) { $0 + $1.width }, machine.cores + 1)
    }
  }
}
