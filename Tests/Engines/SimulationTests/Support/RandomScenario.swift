import FrameBudget

/// A scenario and an arrangement that can run it, drawn from a seed.
struct RandomScenario {
  var scenario: Scenario
  var arrangement: Arrangement
  /// Everything takes always as long, so that it can be scaled exactly.
  private let isConstant: Bool

  /// With `nests`, two locks guard everything, each kept while the other one is taken.
  init(seed: UInt64, isConstant: Bool = false, nests: Bool = false) {
    var stream = RandomStream(seed: seed, name: "scenario")
    self.isConstant = isConstant
    scenario = Self.scenario(&stream, isConstant)
    arrangement = Self.arrangement(for: scenario, &stream, isConstant)
    if nests { nestLocks() }
    scenario.seed = seed
  }

  /// Draws nothing, so that all else is the same as without.
  private mutating func nestLocks() {
    let kind = arrangement.locks[0].kind
    arrangement.locks = PerLock(
      ["one", "two"].map { Lock(name: $0, kind: kind, hold: .nested) })
    arrangement.placement = PerService(
      scenario.services.indices.map { .guarded(LockIndex($0.position % 2)) })
    arrangement.reading = .locked
    if arrangement.entry.contains(where: { $0 != .main }), case .fitting = arrangement.admission {
      arrangement.admission = .all
    }
  }

  // MARK: What the app does

  private static func scenario(_ stream: inout RandomStream, _ isConstant: Bool) -> Scenario {
    let rates = isConstant ? [20, 25, 50, 100] : [24, 25, 50, 60, 90, 120]
    let services = (0..<stream.number(1...4)).map {
      Service(name: "service-\($0)", records: stream.pick([0, 100, 5000]))
    }
    let duration = TimeSpan.milliseconds(Int64(stream.number(50...1500)))
    let workloads = (0..<stream.number(0...3)).map {
      workload($0, services.count, &stream, isConstant)
    }
    let reads = (0..<stream.number(0...2)).map { _ in
      UIRead(
        service: stream.index(among: services.count),
        cpu: span(0...500, &stream, isConstant))
    }
    return Scenario(
      name: "random",
      display: Display(
        refresh: RefreshRate(Int64(stream.pick(rates))), render: span(0...9000, &stream, isConstant)
      ),
      duration: duration, warmup: stream.microseconds(0...100_000),
      machine: Machine(speeds: speeds(&stream, isConstant)), services: services,
      workloads: workloads, reads: reads)
  }

  private static func speeds(_ stream: inout RandomStream, _ isConstant: Bool) -> [Int] {
    let cores = stream.number(1...3)
    return (0..<cores).map { _ in isConstant ? 1000 : stream.pick([1000, 1000, 500, 1300]) }
  }

  private static func workload(
    _ index: Int, _ services: Int, _ stream: inout RandomStream, _ isConstant: Bool
  ) -> Workload {
    let steps = (0..<stream.number(0...4)).map { step in
      Step(
        name: "step-\(step)", service: stream.index(among: services),
        load: .cpu(span(0...3000, &stream, isConstant)),
        wait: stream.chance(15) ? .constant(stream.microseconds(1...2000)) : .none)
    }
    return Workload(
      name: "workload-\(index)", arrival: arrival(&stream, isConstant), steps: steps,
      result: stream.chance(50) ? span(0...300, &stream, isConstant) : .none,
      priority: stream.chance(30) ? .user : .background,
      respondWithin: stream.chance(50) ? .milliseconds(100) : nil)
  }

  private static func arrival(_ stream: inout RandomStream, _ isConstant: Bool) -> Arrival {
    let start = stream.microseconds(0...500_000)
    switch stream.number(0...(isConstant ? 2 : 3)) {
    case 0: return .once(stream.number(1...200), start: start)
    case 1:
      return .batch(
        stream.number(1...40), every: stream.microseconds(1000...300_000), start: start)
    case 2:
      let instants = (0..<stream.number(1...20)).map { _ in stream.microseconds(0...900_000) }
      return .at(instants.sorted())
    default: return .rate(perSecond: Double(stream.number(1...400)), start: start)
    }
  }

  private static func span(
    _ microseconds: ClosedRange<Int>, _ stream: inout RandomStream, _ isConstant: Bool
  ) -> DurationDistribution {
    let mean = stream.microseconds(microseconds)
    if isConstant { return .constant(mean) }
    switch stream.number(0...3) {
    case 0: return .exponential(mean: mean)
    case 1: return .normal(mean: mean, deviation: .microseconds(100))
    case 2: return .uniform(from: .zero, to: mean)
    default: return .constant(mean)
    }
  }

  // MARK: What runs where

  private static func arrangement(
    for scenario: Scenario, _ stream: inout RandomStream, _ isConstant: Bool
  ) -> Arrangement {
    while true {
      let candidate = anyArrangement(for: scenario, &stream, isConstant)
      if (try? candidate.validate(for: scenario)) != nil { return candidate }
    }
  }

  private static func anyArrangement(
    for scenario: Scenario, _ stream: inout RandomStream, _ isConstant: Bool
  ) -> Arrangement {
    var lanes = [Lane.main]
    for number in 0..<stream.number(0...3) {
      let carrier = stream.pick([CarrierKind.thread, .scheduler])
      lanes.append(
        Lane(
          name: "lane-\(number)", carrier: carrier, nice: stream.pick([0, 0, 5, 19]),
          overtaking: carrier == .scheduler && stream.chance(50)))
    }
    let locks = (0..<stream.number(1...2)).map {
      Lock(
        name: "lock-\($0)", kind: stream.pick(Lock.Kind.allCases),
        hold: stream.pick([.step, .item]))
    }
    let guardsAll = stream.chance(40)
    let placement = scenario.services.map { _ in
      guardsAll || stream.chance(20)
        ? Placement.guarded(stream.index(among: locks.count))
        : .home(stream.index(among: lanes.count))
    }
    return Arrangement(
      lanes: lanes, locks: locks, placement: placement,
      entry: scenario.workloads.map { _ in stream.index(among: lanes.count) },
      admission: admission(&stream, isConstant),
      reading: stream.pick([.direct, .locked, .snapshot(.perFrame), .snapshot(.perStep)]),
      returning: stream.pick([
        .inPlace, .coalesced, .drained(budget: stream.microseconds(0...3000)),
      ]))
  }

  private static func admission(_ stream: inout RandomStream, _ isConstant: Bool) -> Admission {
    switch stream.number(0...3) {
    case 0: .batch(stream.number(1...50), every: stream.microseconds(0...200_000))
    case 1:
      .fitting(
        .init(
          estimate: isConstant ? .exact : stream.pick([.exact, .learned]),
          unit: stream.pick([.item, .step]), lookAhead: stream.chance(70)))
    default: .all
    }
  }
}
