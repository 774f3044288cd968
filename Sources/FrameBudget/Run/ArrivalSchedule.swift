/// The arrivals of all workloads in order of time; at the same instant in the scenario's order.
///
/// Worked out item by item, so a million of them take no memory.
public struct ArrivalSchedule: Sendable {
  /// An item that arrives.
  public struct Item: Hashable, Sendable {
    public let workload: WorkloadIndex
    /// Its place in its workload, from 0.
    public let number: Int
    public let instant: Instant
  }

  private var sequences: [ArrivalSequence]

  public init(_ plan: RunPlan) {
    sequences = plan.workloads.map { ArrivalSequence($0.workload, seed: plan.seed) }
  }

  /// The next item, if it arrives at or before `instant`.
  public mutating func next(atOrBefore instant: Instant) -> Item? {
    var earliest: WorkloadIndex?
    for index in sequences.indices {
      guard let candidate = sequences[index].upcoming, candidate <= instant else { continue }
      if let chosen = earliest.flatMap({ sequences[$0].upcoming }), chosen <= candidate { continue }
      earliest = index
    }
    guard let earliest, let at = sequences[earliest].upcoming else { return nil }
    defer { sequences[earliest].advance() }
    return Item(workload: earliest, number: sequences[earliest].number, instant: at)
  }

  /// How many items arrive before `end`, counted only up to `limit`: a billion are refused quickly.
  public static func count(
    of workload: Workload, before end: Instant, seed: UInt64, limit: Int
  ) -> Int {
    switch workload.arrival {
    case .once(let count, let start): return start < end.sinceZero ? min(count, limit) : 0
    case .batch(let count, let every, let start):
      guard start < end.sinceZero else { return 0 }
      let last = (end.sinceZero - start).nanoseconds - 1
      let times = Int(last / every.nanoseconds) + 1
      let (total, overflow) = count.multipliedReportingOverflow(by: times)
      return overflow ? limit : min(total, limit)
    case .at(let instants): return min(instants.count { $0 < end.sinceZero }, limit)
    case .rate:
      var sequence = ArrivalSequence(workload, seed: seed)
      while let next = sequence.upcoming, next < end, sequence.number < limit { sequence.advance() }
      return sequence.number
    }
  }
}

/// The arrivals of one workload.
struct ArrivalSequence: Sendable {
  private let arrival: Arrival
  private var gaps: RandomStream
  private(set) var number = 0
  /// When the item `number` arrives; nil when no more do.
  private(set) var upcoming: Instant?

  init(_ workload: Workload, seed: UInt64) {
    // Items are numbered in the order of their arrival, in whatever order a scenario lists them.
    if case .at(let instants) = workload.arrival {
      arrival = .at(instants.sorted())
    } else {
      arrival = workload.arrival
    }
    gaps = RandomStream(seed: seed, name: "\(workload.name)/arrival")
    upcoming = first()
  }

  mutating func advance() {
    number += 1
    switch arrival {
    case .once(let count, _): if number >= count { upcoming = nil }
    case .batch(let count, let every, _):
      if number % count == 0 { upcoming = upcoming.map { $0 + every } }
    case .rate(let perSecond, _): upcoming = upcoming.map { $0 + gap(perSecond) }
    case .at(let instants):
      upcoming = number < instants.count ? .zero + instants[number] : nil
    }
  }

  private mutating func first() -> Instant? {
    switch arrival {
    case .once(let count, let start), .batch(let count, _, let start):
      count > 0 ? .zero + start : nil
    case .rate(let perSecond, let start): .zero + start + gap(perSecond)
    case .at(let instants): instants.first.map { .zero + $0 }
    }
  }

  private mutating func gap(_ perSecond: Double) -> TimeSpan {
    let mean = TimeSpan(nanoseconds: Int64((1e9 / perSecond).rounded()))
    return DurationDistribution.exponential(mean: mean).sample(using: &gaps)
  }
}
