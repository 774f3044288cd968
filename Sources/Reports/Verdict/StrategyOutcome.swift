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
    isComplete && expectedFrames > 0 && harm == 0
  }

  /// How far it is from smooth: the shares of frames dropped, responses late and items unfinished, added up.
  public var harm: Double {
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
      dropped.isWorthTelling($0) ? $0 : nil
    }
    smoothRuns = isSmooth ? 1 : 0
  }

  /// A run that somebody watches, as it stands: `drops` by cause. Its price is not known before it ends.
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

  /// What stands for all of `runs`, at least one: the median one, of those that are complete if any is.
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
