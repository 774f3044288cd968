/// The arrivals of all workloads in order of time, from the run's begin to before its end; at the same instant in the
/// scenario's order.
///
/// They are generated one by one, so a million items take no memory.
public struct ArrivalSchedule: Sendable {
  /// An item that arrives.
  public struct Item: Hashable, Sendable {
    /// The workload of the item.
    public let workload: WorkloadIndex
    /// Its number in its workload, from 0.
    public let number: Int
    /// When it arrives.
    public let instant: Instant
  }

  private var sequences: PerWorkload<ArrivalSequence>
  private let end: Instant
  /// Whether a main loop of events only notices the items of a workload when it chooses an event.
  private let isTimer: PerWorkload<Bool>
  /// The next item's workload, and its arrival time; nil if no more arrive.
  private var earliest: (workload: WorkloadIndex, at: Instant)?
  /// The same without timers.
  private var earliestPosted: (workload: WorkloadIndex, at: Instant)?

  /// The arrivals of all workloads of a run.
  public init(_ plan: RunPlan) {
    sequences = plan.workloads.mapValues { ArrivalSequence($0.workload, in: plan) }
    end = .zero + plan.scenario.duration
    let isLoopOfEvents = plan.scenario.display.mainLoop.events != nil
    isTimer = plan.workloads.mapValues { isLoopOfEvents && $0.workload.isTimer }
    findEarliest()
  }

  /// The next item, if it arrives at or before `instant`.
  public mutating func next(atOrBefore instant: Instant) -> Item? {
    advance(earliest, atOrBefore: instant)
  }

  /// The next item that a main loop receives at `now`, and since when it waits. What was posted comes first; if the loop of
  /// events `checksTimers`, items of timers that are due follow, and wait from `now`.
  public mutating func next(
    receivedAt now: Instant, checksTimers: Bool
  ) -> (item: Item, since: Instant)? {
    if let item = advance(earliestPosted, atOrBefore: now) { return (item, item.instant) }
    return checksTimers ? advance(earliest, atOrBefore: now).map { ($0, now) } : nil
  }

  private mutating func advance(
    _ next: (workload: WorkloadIndex, at: Instant)?, atOrBefore instant: Instant
  ) -> Item? {
    guard let (workload, at) = next, at <= instant else { return nil }
    let item = Item(workload: workload, number: sequences[workload].number, instant: at)
    sequences[workload].advance()
    // Of items that arrive together, the next one of the workload follows.
    if sequences[workload].upcoming != at { findEarliest() }
    return item
  }

  /// The time of the next arrival; nil if no more items arrive.
  public var upcoming: Instant? { earliest?.at }

  private mutating func findEarliest() {
    (earliest, earliestPosted) = (nil, nil)
    for index in sequences.indices {
      guard let at = sequences[index].upcoming else { continue }
      if at < earliest?.at ?? end { earliest = (index, at) }
      if at < earliestPosted?.at ?? end, !isTimer[index] { earliestPosted = (index, at) }
    }
  }

  /// Adds `count` items of `workload` that arrive at `instant`.
  public mutating func add(_ count: Int, of workload: WorkloadIndex, at instant: Instant) {
    sequences[workload].add(count, at: instant)
    findEarliest()
  }

  /// The number of items that arrive before `end`, counted only up to `limit`, so that a billion are refused quickly.
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
    case .at(let instants), .recorded(let instants):
      return min(instants.count { $0 < end.sinceZero }, limit)
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
  /// The number of the next item of the workload.
  private(set) var number = 0
  /// The number of items that have arrived by the scenario's schedule, and the time of the next one.
  private var scheduled = 0
  private var nextScheduled: Instant?
  /// Items that a user added during the run: their numbers and times.
  private var added: [(count: Int, at: Instant)] = []

  init(_ workload: Workload, in plan: RunPlan) {
    self.init(workload, seed: plan.seed, shift: plan.arrivalShift)
  }

  /// Recorded arrivals are delayed by `shift`.
  init(_ workload: Workload, seed: UInt64, shift: TimeSpan = .zero) {
    // Items are numbered in the order of arrival, even if a scenario lists arrivals in another order.
    arrival =
      switch workload.arrival {
      case .at(let instants): .at(instants.sorted())
      case .recorded(let instants): .at(instants.sorted().map { $0 + shift })
      case .once, .batch, .rate: workload.arrival
      }
    gaps = RandomStream(seed: seed, name: "\(workload.name)/arrival")
    nextScheduled = first()
  }

  /// When the item `number` arrives; nil if no more arrive.
  var upcoming: Instant? {
    guard let extra = added.first?.at else { return nextScheduled }
    return min(extra, nextScheduled ?? extra)
  }

  mutating func add(_ count: Int, at instant: Instant) {
    if count > 0 { added.append((count, instant)) }
  }

  mutating func advance() {
    number += 1
    guard let extra = added.first, nextScheduled.map({ extra.at < $0 }) ?? true else {
      scheduled += 1
      nextScheduled = followingScheduled()
      return
    }
    if extra.count == 1 { added.removeFirst() } else { added[0].count -= 1 }
  }

  private mutating func followingScheduled() -> Instant? {
    switch arrival {
    case .once(let count, _): scheduled < count ? nextScheduled : nil
    case .batch(let count, let every, _):
      scheduled % count == 0 ? nextScheduled.map { $0 + every } : nextScheduled
    case .rate(let perSecond, _): nextScheduled.map { $0 + gap(perSecond) }
    case .at(let instants), .recorded(let instants):
      scheduled < instants.count ? .zero + instants[scheduled] : nil
    }
  }

  private mutating func first() -> Instant? {
    switch arrival {
    case .once(let count, let start), .batch(let count, _, let start):
      count > 0 ? .zero + start : nil
    case .rate(let perSecond, let start): .zero + start + gap(perSecond)
    case .at(let instants), .recorded(let instants): instants.first.map { .zero + $0 }
    }
  }

  private mutating func gap(_ perSecond: Double) -> TimeSpan {
    let mean = TimeSpan(nanoseconds: Int64((1e9 / perSecond).rounded()))
    return DurationDistribution.exponential(mean: mean).sample(using: &gaps)
  }
}

/// The arrival time of each item, in nanoseconds. Items that arrive together, such as batches, share an entry.
public struct ArrivalTimes: RandomAccessCollection, Sendable {
  /// By group of items that arrived together: the number of the first one.
  private var firsts: [Int32] = []
  private var instantByGroup: [Int64] = []
  public private(set) var endIndex = 0

  init() {}

  public var startIndex: Int { 0 }

  /// Each instant at which items arrived, with the number of the first of them.
  var instants: [(first: Int, instant: Int64)] {
    zip(firsts, instantByGroup).map { (Int($0), $1) }
  }

  public subscript(item: Int) -> Int64 {
    precondition(indices.contains(item), "an item that has arrived")
    var (low, high) = (0, firsts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if firsts[middle] <= item { low = middle } else { high = middle }
    }
    return instantByGroup[low]
  }

  /// Iterates in order, without searching for the group of each item.
  public struct Iterator: IteratorProtocol {
    private let times: ArrivalTimes
    private var item = 0
    private var group = 0
    /// The first item after the group.
    private var end = 0
    private var instant: Int64 = 0

    fileprivate init(_ times: ArrivalTimes) { self.times = times }

    public mutating func next() -> Int64? {
      if item == end {
        guard group < times.firsts.count else { return nil }
        instant = times.instantByGroup[group]
        group += 1
        end = group < times.firsts.count ? Int(times.firsts[group]) : times.endIndex
      }
      item += 1
      return instant
    }
  }

  public func makeIterator() -> Iterator { Iterator(self) }

  mutating func append(_ instant: Int64) {
    if instantByGroup.last != instant {
      firsts.append(Int32(endIndex))
      instantByGroup.append(instant)
    }
    endIndex += 1
  }
}
