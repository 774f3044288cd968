public import FrameBudget

/// The result of one strategy: the answers to the main questions.
///
/// It is the run that represents several repetitions. So its figures are consistent, and it is smooth if at least half of the
/// repetitions are.
public struct StrategyOutcome: Hashable, Sendable {
  /// Strategy with its options, in the format of `--strategy`.
  public let label: String
  public let status: RunLog.Status
  /// Vsyncs at which a new frame was due.
  public let expectedFrames: Int
  /// Vsyncs without a new frame, for any reason.
  public let droppedFrames: Int
  /// What a log without vsyncs says instead: `11 hitches, 617 ms in all, the longest 217 ms; dropped frames are unknown`.
  var withoutVsyncs: String?
  /// Dropped frames that are blamed on the machine: drops by other processes and, up to 0.5 % of all frames, late wake-ups. 0
  /// in virtual time.
  public let machineFrames: Int
  /// The most consecutive vsyncs without a new frame, for any reason, and their duration in milliseconds: the "longest gap" of
  /// views, which need not be one of `hangs`.
  public let longestGap: Int
  public let longestGapMilliseconds: Double
  /// Stretches of the main loop of more than 250 ms: frames and, in a loop of events, turns of its queue.
  public let hangs: Int
  /// In the scenario's order.
  public let work: [WorkOutcome]
  /// Items that are left undone, beyond those that the first strategy left.
  public let unfinished: Int
  public let price: StrategyPrice
  /// Whether the processor use of other processes was high enough to change the figures.
  public let isDisturbed: Bool
  /// The services with `keep: true` that it moves: then it must not be recommended.
  public let movedKept: [String]
  /// What it keeps in memory for parts of drawing, which its price does not count.
  let partsInMemory: [String]
  /// What it shows incomplete, because parts of drawing are spread over frames; nil if none is spread.
  let incomplete: IncompleteFrames?
  /// By how many periods it shows every frame later than the scenario says, each from one more buffer.
  let later: Later

  /// The number of repetitions that count, and of smooth ones among them.
  public internal(set) var runs = 1
  public internal(set) var smoothRuns = 0
  /// `1 interrupted run does not count`; nil if all count.
  var omission: String?
  /// The range of the prediction of dropped frames, in percent; nil if unknown, or at most one point wide.
  public let droppedPercentRange: ClosedRange<Double>?
  /// What that range means; nil if unknown.
  let rangeWords: RangeWords?

  /// Whether it ran to its end and broke no invariant; only then can it be recommended.
  public var isComplete: Bool { status == .complete }
  /// Frames that the arrangement itself dropped.
  public var ownDrops: Int { droppedFrames - machineFrames }
  /// The longest gap as the app's own; nil if so many frames are blamed on the machine that they may be much of it.
  var ownGap: (vsyncs: Int, milliseconds: Double)? {
    guard ownDrops > 0, longestGap >= 10 * machineFrames else { return nil }
    guard longestGap > ownDrops else { return (longestGap, longestGapMilliseconds) }
    return (ownDrops, longestGapMilliseconds * Double(ownDrops) / Double(longestGap))
  }
  /// Responses that came late, or have been open for too long.
  public var lateResponses: Int { work.reduce(0) { $0 + ($1.late ?? 0) } }
  public var itemsArrived: Int { work.reduce(0) { $0 + $1.arrived } }
  /// Items that were not shown at the end and are more than what is in flight, or were cancelled.
  public var itemsLeft: Int { work.reduce(0) { $0 + $1.left } }

  /// Whether the app dropped no frame, no response was late, and nothing is left that the first strategy would have finished, nor
  /// any work of drawing that was spread over frames.
  public var isSmooth: Bool { isSmooth(allowing: 0) }

  /// The same, but for `drops` frames that may be dropped.
  func isSmooth(allowing drops: Int) -> Bool {
    isComplete && expectedFrames > 0 && distanceFromSmooth(allowing: drops) == 0
  }

  /// The distance from smooth: the sum of the shares of dropped frames, late responses, unfinished items and, if their work is not
  /// done by the end, incomplete frames.
  public var distanceFromSmooth: Double { distanceFromSmooth(allowing: 0) }

  private func distanceFromSmooth(allowing drops: Int) -> Double {
    let awaited = work.filter { $0.late != nil }.reduce(0) { $0 + $1.arrived }
    return Self.share(max(0, ownDrops - drops), of: expectedFrames)
      + Self.share(lateResponses, of: awaited)
      + Self.share(unfinished, of: itemsArrived)
      + (incomplete.map { $0.left > 0 ? Self.share($0.count, of: $0.shown) : 0 } ?? 0)
  }

  struct Later: Hashable, Sendable {
    let periods: Int
    /// Nil if it is unknown: of a file whose rate no screen has.
    let refresh: RefreshRate?

    /// `each shown 16.7 ms later from 1 more buffer`; nil if none is.
    var words: String? { delay.map { "each shown \($0)" } }

    /// `16.7 ms later from 1 more buffer`; nil if there is none.
    var delay: String? {
      guard periods > 0 else { return nil }
      let span = refresh.map { Figure.span(milliseconds: $0.milliseconds(ofPeriods: periods)) }
      return "\(span ?? English.count(periods, "period")) later from "
        + English.count(periods, "more buffer")
    }
  }

  /// What it shows worse than the scenario says, in words.
  var losses: [String] { [incomplete?.words, later.words].compactMap(\.self) }

  private static func share(_ part: Int, of whole: Int) -> Double {
    whole > 0 ? Double(part) / Double(whole) : part > 0 ? 1 : 0
  }
}

extension StrategyOutcome {
  /// One run, from its row of a summary and those of its workloads; `first` is the number of items that the first strategy
  /// left.
  init(_ row: RunRecord, workloads: [RunRecord], leftByFirst first: Int) {
    label = row.label
    status = row.ending
    // Without dropped frames, those that were wanted say nothing.
    expectedFrames = row[.droppedFrames] == nil ? 0 : row.count(.expectedFrames)
    droppedFrames = row.count(.droppedFrames)
    let machine = MachineFrames(row)
    machineFrames = machine.count
    longestGap = row.count(.longestGap)
    longestGapMilliseconds = row[.hitchMax] ?? 0
    hangs = row.count(.hangs)
    work = (workloads.isEmpty ? [row] : workloads).map(WorkOutcome.init)
    unfinished = max(0, work.reduce(0) { $0 + $1.left } - first)
    // Files of earlier versions have only the cost of an item.
    let arrived = Double(work.reduce(0) { $0 + $1.arrived })
    price = StrategyPrice(
      lockWait: row[.lockWait] ?? 0, copying: row[.publishing] ?? 0,
      handOff: row[.handOffTotal] ?? (row[.handOff] ?? 0) * arrived / 1000, waits: row.waits)
    isDisturbed = row.isDisturbed
    movedKept = row.movedKept
    partsInMemory = row.partsInMemory
    incomplete = IncompleteFrames(row)
    later = Later(row)
    let dropped = Metric.droppedPercent
    droppedPercentRange = row.shownRange(of: dropped).flatMap {
      dropped.isWorthShowing($0) ? $0 : nil
    }
    rangeWords = RangeWords([row], [dropped])
    if row[.expectedFrames] == nil || row[.droppedFrames] == nil && row[.expectedFrames] != 0 {
      withoutVsyncs =
        [Self.stretches(row), "dropped frames are unknown"].compactMap(\.self).joined(
          separator: "; ")
    }
    smoothRuns = isSmooth ? 1 : 0
  }

  /// `11 hitches, 617 ms in all, the longest 217 ms`; nil if the log has neither hitches nor hangs.
  private static func stretches(_ row: RunRecord) -> String? {
    let kinds: [(Metric, String, Metric, Metric?)] = [
      (.hitches, "hitch", .hitchTotal, .hitchMax), (.hangs, "hang", .hangTotal, nil),
    ]
    return kinds.lazy.compactMap { count, noun, total, longest -> String? in
      guard let number = row[count] else { return nil }
      let details = [
        row[total].map { "\(Figure.span(milliseconds: $0)) in all" },
        longest.flatMap { row[$0] }.map { "the longest \(Figure.span(milliseconds: $0))" },
      ]
      let words =
        [English.count(Int(number), noun)] + (number > 0 ? details.compactMap(\.self) : [])
      return words.joined(separator: ", ")
    }.first
  }

  /// The run that represents `repetitions`.
  init(_ repetitions: Repetitions<RunRecord>, of outcome: (RunRecord) -> StrategyOutcome) {
    self = outcome(repetitions.representative)
    omission = repetitions.omission
    runs = repetitions.count
    if runs > 1 { smoothRuns = repetitions.counted.count { outcome($0).isSmooth } }
  }

  /// A run so far, while it is not over: `drops` by cause. Its price is unknown before it ends.
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
    machineFrames = machine.count
    self.longestGap = longestGap
    self.longestGapMilliseconds = longestGapMilliseconds
    self.hangs = hangs
    self.work = work
    unfinished = 0
    price = StrategyPrice(lockWait: 0, copying: 0, handOff: 0)
    isDisturbed = false
    movedKept = []
    partsInMemory = []
    incomplete = nil
    later = Later(periods: 0, refresh: nil)
    droppedPercentRange = nil
    rangeWords = nil
  }
}

extension StrategyOutcome.Later {
  init(_ row: RunRecord) {
    periods = row.periodsLater
    refresh = row.refreshHz.flatMap { RefreshRate(printed: Decimal.text($0, places: 6)) }
  }
}

/// The frames that were shown without all of a part of drawing, which is spread over several frames.
struct IncompleteFrames: Hashable, Sendable {
  /// Their number, and that of all shown frames.
  let count: Int
  let shown: Int
  /// The longest time until what a frame needed was complete, in milliseconds.
  let longest: Double
  /// The work that was left at the end and is more than what is in flight, in milliseconds.
  let left: Double

  /// Nil if no part is spread.
  init?(_ row: RunRecord) {
    guard let count = row[.incompleteFrames] else { return nil }
    (self.count, shown) = (Int(count), row.count(.presentedFrames))
    (longest, left) = (row[.partAge] ?? 0, row[.partsLeft] ?? 0)
  }

  /// `30 of 60 frames incomplete, for up to 50 ms`; nil if all were complete.
  var words: String? {
    guard count > 0 || left > 0 else { return nil }
    let end = left > 0 ? ", and \(Figure.span(milliseconds: left)) of drawing left at the end" : ""
    return "\(count) of \(English.count(shown, "frame")) incomplete, for up to "
      + Figure.span(milliseconds: longest) + end
  }
}

/// The result of one workload under one strategy, or of all work together if results do not distinguish workloads.
public struct WorkOutcome: Hashable, Sendable {
  /// The workload's name; empty for all work together.
  public let name: String
  /// The name of an item, in the singular; nil if the scenario has none.
  public let item: String?
  /// The number of items that arrived.
  public let arrived: Int
  /// The number of items that were not shown at the end and are more than what is in flight, or were cancelled.
  public let left: Int
  /// Late responses, including those that have been open for too long; nil if the work has no response.
  public let late: Int?
  /// The number of responses that were open at the end, but not for as long as they may take.
  public let notDue: Int
  /// The number of items that newer ones replaced, with an answer or without.
  public let replaced: Int
  /// The slowest response in milliseconds; a lower bound if one was open at the end.
  public let slowest: Observation?

  public init(
    name: String, item: String? = nil, arrived: Int, left: Int, late: Int?, notDue: Int = 0,
    replaced: Int = 0, slowest: Observation?
  ) {
    (self.name, self.item) = (name, item)
    (self.arrived, self.left) = (arrived, left)
    (self.late, self.notDue, self.replaced, self.slowest) = (late, notDue, replaced, slowest)
  }

  /// Reads a row of a summary, or of workloads.
  init(_ row: RunRecord) {
    name = row.workload
    item = row.item.isEmpty ? nil : row.item
    (left, arrived) = (row.itemsLeft, row.itemsArrived)
    late = row[.responsesLate].map { Int($0) }
    let open = row[.responsesOpen].map { row.itemsNotShown - Int($0) } ?? 0
    notDue = late == nil ? 0 : max(0, open)
    replaced = row.count(.itemsReplaced)
    slowest = row.observed(Metric.response(.max).name)
  }

  /// The name of a response: that of its item, otherwise that of its workload.
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
      late: late.map { $0 + (other.late ?? 0) } ?? other.late, notDue: notDue + other.notDue,
      replaced: replaced + other.replaced, slowest: slowest)
  }
}

/// The price of a strategy: milliseconds on different threads, so their sum is only for ranking and is not an elapsed time.
public struct StrategyPrice: Hashable, Sendable {
  public enum Kind: CaseIterable, Sendable { case lockWait, copying, handOff }

  /// How long the main thread was blocked, in milliseconds (`lock_wait_ms_total`).
  public var lockWait: Double
  /// What it waited for then.
  public var waits: Waits
  /// Copying state for snapshots, on any thread, in milliseconds (`publish_ms_total`).
  public var copying: Double
  /// Handing items over and taking their results on the main thread, in milliseconds (`handoff_ms_total`).
  public var handOff: Double

  public init(lockWait: Double, copying: Double, handOff: Double, waits: Waits = .locks) {
    self.lockWait = lockWait
    self.copying = copying
    self.handOff = handOff
    self.waits = waits
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

  /// The kind with the largest share, the first of equal ones; nil if the price is zero.
  public var mainKind: Kind? {
    Kind.allCases.reduce(nil) { most, kind in
      self[kind] > (most.map { self[$0] } ?? 0) ? kind : most
    }
  }
}

extension StrategyPrice {
  /// What the main thread can wait for while it is blocked, in words.
  public enum Waits: String, CaseIterable, Sendable {
    case locks
    /// Those that lanes prepare.
    case parts = "parts of drawing"
    case both = "locks and parts of drawing"

    /// `waiting for locks`
    package var words: String { "waiting for \(rawValue)" }

    /// As far as `arrangement` knows.
    package init(_ arrangement: Arrangement) {
      let preparesParts = arrangement.frameParts.contains { $0.lane != nil }
      self = !preparesParts ? .locks : arrangement.locks.isEmpty ? .parts : .both
    }

    /// Its cell in files, empty for locks.
    var cell: MetricValue? { self == .locks ? nil : .text(rawValue) }

    /// From such a cell.
    init(cell: String) { self = Self(rawValue: cell) ?? .locks }
  }
}

/// Dropped frames that are blamed on the machine and not on the app, by `Cause.Blame`; none in virtual time.
struct MachineFrames {
  /// The share of all frames up to which the machine is blamed for `machineIfRare`.
  static let rareLimit = 0.005

  let count: Int

  init(of expected: Int, isReal: Bool, drops: (Cause) -> Int) {
    let excused = Cause.allCases.filter { cause in
      guard isReal else { return false }
      return switch cause.traits.blame {
      case .app: false
      case .machine: true
      case .machineIfRare: Double(drops(cause)) <= Self.rareLimit * Double(expected)
      }
    }
    count = excused.reduce(0) { $0 + drops($1) }
  }

  init(_ row: RunRecord) {
    self.init(of: row.count(.expectedFrames), isReal: row.engine == EngineKind.real.rawValue) {
      row.count(.drops(by: $0))
    }
  }
}
