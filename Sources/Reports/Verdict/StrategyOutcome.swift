public import FrameBudget

/// What one strategy came to: the answers to what people ask first.
///
/// Of several repetitions it is the median one, by frames that it dropped itself, then late responses, then items left:
/// its figures belong together, and it is smooth where at least half of them are.
public struct StrategyOutcome: Hashable, Sendable {
  /// Strategy with its options, as `--strategy` takes it.
  public let label: String
  public let status: RunLog.Status
  /// Vsyncs at which a new frame was due.
  public let expectedFrames: Int
  /// Vsyncs at which none was shown, for whatever reason.
  public let droppedFrames: Int
  /// Those of them that the machine cost: what others on it dropped and, while they are at most 0.5 % of all frames,
  /// late wake-ups. None in virtual time.
  public let machineFrames: Int
  /// The most vsyncs in a row without a new frame, and how long that is in milliseconds.
  public let longestGap: Int
  public let longestGapMilliseconds: Double
  /// Frames that kept the main thread for more than 250 ms.
  public let hangs: Int
  /// What cost the app most of its frames.
  public let cause: Cause?
  /// In the scenario's order.
  public let work: [WorkOutcome]
  /// How many items more are left than by the first strategy, which would have finished them.
  public let unfinished: Int
  public let price: StrategyPrice
  /// Whether others used the machine so much that a quiet one would have given other figures.
  public let isDisturbed: Bool

  /// How many repetitions there are, and how many of them are smooth.
  public private(set) var runs = 1
  public private(set) var smoothRuns = 0
  /// The fewest and the most frames that one of them dropped.
  public private(set) var droppedRange: ClosedRange<Int>
  /// The range of dropped frames, in percent, if costs and arrivals differ slightly; nil if it is not known, or a point wide
  /// at most.
  public let droppedPercentRange: ClosedRange<Double>?

  /// Whether it ran to its end and broke no invariant; only then can it be the best.
  public var isComplete: Bool { status == .complete }
  /// Frames that the arrangement itself dropped.
  public var ownDrops: Int { droppedFrames - machineFrames }
  /// Responses that came late, or were open for too long.
  public var lateResponses: Int { work.reduce(0) { $0 + ($1.late ?? 0) } }
  public var itemsArrived: Int { work.reduce(0) { $0 + $1.arrived } }
  /// Items that were not done at the end, or given up.
  public var itemsLeft: Int { work.reduce(0) { $0 + $1.left } }

  /// No frame dropped by the app, no response late, and nothing left that the first strategy would have finished.
  public var isSmooth: Bool {
    isComplete && expectedFrames > 0 && distanceFromSmooth == 0
  }

  /// How far it is from smooth: the shares of frames dropped, responses late and items unfinished, added up.
  public var distanceFromSmooth: Double {
    let awaited = work.filter { $0.late != nil }.reduce(0) { $0 + $1.arrived }
    return Self.share(ownDrops, of: expectedFrames) + Self.share(lateResponses, of: awaited)
      + Self.share(unfinished, of: itemsArrived)
  }

  private static func share(_ part: Int, of whole: Int) -> Double {
    whole > 0 ? Double(part) / Double(whole) : part > 0 ? 1 : 0
  }
}

extension StrategyOutcome {
  /// One run, from its row of a summary and those of its workloads; `first` is how much the first strategy left.
  init(_ row: ResultRow, workloads: [ResultRow], leftByFirst first: Int) {
    func count(_ metric: Metric) -> Int { row[metric].map { Int($0) } ?? 0 }
    label = row.label
    // Frame logs of other tools have no status.
    status = RunLog.Status(rawValue: row.status) ?? .complete
    expectedFrames = count(.expectedFrames)
    droppedFrames = count(.droppedFrames)
    droppedRange = droppedFrames...droppedFrames
    let machine = MachineFrames(row)
    machineFrames = machine.count
    longestGap = count(.longestGap)
    longestGapMilliseconds = row[.hitchMax] ?? 0
    hangs = count(.hangs)
    cause = Self.cause(of: row, except: machine.excused)
    work = (workloads.isEmpty ? [row] : workloads).map(WorkOutcome.init)
    unfinished = max(0, work.reduce(0) { $0 + $1.left } - first)
    let items = work.reduce(0) { $0 + $1.arrived }
    price = StrategyPrice(
      lockWait: row[.lockWait] ?? 0, copying: row[.publishing] ?? 0,
      handOff: (row[.handOff] ?? 0) * Double(items) / 1000)
    isDisturbed = row[.disturbed] ?? 0 > 0
    let dropped = Metric.droppedPercent
    droppedPercentRange = row.range(of: dropped.name).flatMap {
      dropped.isWorthShowing($0) ? $0 : nil
    }
    smoothRuns = isSmooth ? 1 : 0
  }

  /// A run under way, so far: `drops` by cause. Its price is unknown before it ends.
  public init(
    watched label: String, engine: EngineKind?, expectedFrames: Int, drops: [Int], longestGap: Int,
    longestGapMilliseconds: Double, hangs: Int, work: [WorkOutcome]
  ) {
    let machine = MachineFrames(of: expectedFrames, isReal: engine == .real) {
      drops[Int($0.rawValue)]
    }
    self.label = label
    status = .complete
    self.expectedFrames = expectedFrames
    droppedFrames = drops.reduce(0, +)
    droppedRange = droppedFrames...droppedFrames
    machineFrames = machine.count
    self.longestGap = longestGap
    self.longestGapMilliseconds = longestGapMilliseconds
    self.hangs = hangs
    cause = nil
    self.work = work
    unfinished = 0
    price = StrategyPrice(lockWait: 0, copying: 0, handOff: 0)
    isDisturbed = false
    droppedPercentRange = nil
  }

  /// Represents all of `runs`, at least one: the median of the complete ones, or of all if none is complete.
  static func typical(of runs: [StrategyOutcome]) -> StrategyOutcome {
    let complete = runs.filter(\.isComplete)
    let sorted = (complete.isEmpty ? runs : complete).enumerated().sorted { left, right in
      left.element.rank(at: left.offset) < right.element.rank(at: right.offset)
    }.map(\.element)
    var typical = sorted[(sorted.count - 1) / 2]
    typical.runs = sorted.count
    typical.smoothRuns = sorted.count(where: \.isSmooth)
    let dropped = sorted.map(\.droppedFrames)
    typical.droppedRange = (dropped.min() ?? 0)...(dropped.max() ?? 0)
    return typical
  }

  private func rank(at place: Int) -> (Int, Int, Int, Int, Int) {
    (ownDrops, lateResponses, itemsLeft, droppedFrames, place)
  }

  /// The cause of most frames that the app itself dropped, the first tried of equal ones.
  private static func cause(of row: ResultRow, except excused: [Cause]) -> Cause? {
    var most: (cause: Cause, drops: Double)?
    for cause in Cause.tried where !excused.contains(cause) {
      let drops = row[.drops(by: cause)] ?? 0
      if drops > most?.drops ?? 0 { most = (cause, drops) }
    }
    return most?.cause
  }
}

/// What became of one workload under one strategy, or of all work together where results do not tell it apart.
public struct WorkOutcome: Hashable, Sendable {
  /// The workload's name; empty for all work together.
  public let name: String
  /// What one of its items is called, in the singular; nil where the scenario does not say.
  public let item: String?
  /// How many items arrived.
  public let arrived: Int
  /// How many of them were not done at the end, or given up.
  public let left: Int
  /// Responses that were late, or open for too long; nil if the work has no response.
  public let late: Int?
  /// The slowest response in milliseconds; a lower bound if one was open at the end.
  public let slowest: Observation?

  public init(
    name: String, item: String? = nil, arrived: Int, left: Int, late: Int?, slowest: Observation?
  ) {
    (self.name, self.item) = (name, item)
    (self.arrived, self.left) = (arrived, left)
    (self.late, self.slowest) = (late, slowest)
  }

  /// Reads a row of a summary, or of workloads.
  init(_ row: ResultRow) {
    func count(_ metric: Metric) -> Int { row[metric].map { Int($0) } ?? 0 }
    name = row.workload
    item = row.item.isEmpty ? nil : row.item
    left = count(.itemsPending) + count(.itemsCancelled)
    arrived = count(.itemsDone) + left
    late = row[.responsesLate].map { Int($0) }
    slowest = row.observed(Metric.response(.max).name)
  }

  /// What a response is called: as its item, else as its workload.
  var response: String { item ?? name }

  /// Merges those with the same `item`, at the place of the first.
  static func together(_ work: [WorkOutcome]) -> [WorkOutcome] {
    work.reduce(into: []) { all, one in
      let place = all.firstIndex { $0.item != nil && $0.item == one.item }
      if let place { all[place] = all[place].adding(one) } else { all.append(one) }
    }
  }

  private func adding(_ other: WorkOutcome) -> WorkOutcome {
    let slowest = [slowest, other.slowest].compactMap(\.self).max { $0.value < $1.value }
    return WorkOutcome(
      name: name, item: item, arrived: arrived + other.arrived, left: left + other.left,
      late: late.map { $0 + (other.late ?? 0) } ?? other.late, slowest: slowest)
  }
}

/// What a strategy pays for what it does: milliseconds that lie on different threads, so their sum is a rule to rank
/// by and no time that passes.
public struct StrategyPrice: Hashable, Sendable {
  public enum Kind: CaseIterable, Sendable { case lockWait, copying, handOff }

  /// How long the main thread was blocked on locks, in milliseconds (`lock_wait_ms_total`).
  public let lockWait: Double
  /// Copying state for snapshots, on whichever thread, in milliseconds (`publish_ms_total`).
  public let copying: Double
  /// Handing items over and taking their results on the main thread, in milliseconds (`handoff_us_per_item` × items).
  public let handOff: Double

  public init(lockWait: Double, copying: Double, handOff: Double) {
    self.lockWait = lockWait
    self.copying = copying
    self.handOff = handOff
  }

  /// In milliseconds.
  public var total: Double { lockWait + copying + handOff }

  /// In milliseconds.
  public subscript(kind: Kind) -> Double {
    switch kind {
    case .lockWait: lockWait
    case .copying: copying
    case .handOff: handOff
    }
  }

  /// The kind that most of it is, the first of equal ones; nil of nothing.
  public var mainKind: Kind? {
    Kind.allCases.reduce(nil) { most, kind in
      self[kind] > (most.map { self[$0] } ?? 0) ? kind : most
    }
  }
}

/// Dropped frames that are put down to the machine and not to the app, by `Cause.Blame`; none in virtual time.
struct MachineFrames {
  /// The share of all frames up to which `machineIfRare` means the machine.
  static let rareLimit = 0.005

  /// The causes that are not the app's.
  let excused: [Cause]
  let count: Int

  init(of expected: Int, isReal: Bool, drops: (Cause) -> Int) {
    excused = Cause.allCases.filter { cause in
      guard isReal else { return false }
      return switch cause.traits.blame {
      case .app: false
      case .machine: true
      case .machineIfRare: Double(drops(cause)) <= Self.rareLimit * Double(expected)
      }
    }
    count = excused.reduce(0) { $0 + drops($1) }
  }

  init(_ metrics: RunMetrics) {
    let frames = metrics.frames
    self.init(
      of: frames.expected, isReal: metrics.log.engine == .real, drops: frames.drops(by:))
  }

  init(_ row: ResultRow) {
    func count(_ metric: Metric) -> Int { row[metric].map { Int($0) } ?? 0 }
    self.init(of: count(.expectedFrames), isReal: row.engine == EngineKind.real.rawValue) {
      count(.drops(by: $0))
    }
  }
}
