public import FrameBudget

/// The longest possible frame under an arrangement, if no earlier frame was late: for any phase of every workload and any cost
/// between its smallest and largest values.
///
/// While no frame is late, frame `b` does the work that arrived within `(V(b-1), V(b)]`. If that never takes longer than a
/// period, no frame can be the first late one, so none is late. `Documentation/Models/Proofs.md` derives each part.
public struct FrameBound: Hashable, Sendable {
  /// The budgets of a frame; the first is the main thread's.
  public internal(set) var budgets: [Budget]
  /// Unbounded parts; with any of these, `budgets` are incomplete.
  public internal(set) var gaps: [Gap]
  /// The most dropped frames if a frame can be late; nil if unbounded.
  public internal(set) var drops: Drops?

  /// Whether no frame can be late.
  public var isKept: Bool { gaps.isEmpty && budgets.allSatisfy(\.isKept) }

  /// The budget with the largest use; nil if something is unbounded.
  public var tightest: Budget? {
    gaps.isEmpty ? budgets.max { $0.share < $1.share } : nil
  }

  /// The longest time of a frame on the main thread; nil if something is unbounded.
  public var frame: TimeSpan? { gaps.isEmpty ? budgets.first?.total : nil }

  /// The most frames that a run drops; nil if something is unbounded.
  public var dropped: Int? { isKept ? 0 : drops?.inRun }

  /// The most consecutive vsyncs without a new frame; nil if something is unbounded.
  public var droppedInARow: Int? { isKept ? 0 : drops.map { min($0.inARow, $0.inRun) } }

  /// Whether no run drops more than `limit` frames.
  public func keeps(_ limit: Int) -> Bool { dropped.map { $0 <= limit } ?? false }

  /// Bounds of dropped frames.
  public struct Drops: Hashable, Sendable {
    /// Consecutive vsyncs without a new frame.
    public internal(set) var inARow: Int
    /// Frames of a run that take longer than a period.
    var lateFrames: Int
    /// The most vsyncs of a run that its total work can leave without a new frame.
    var byWork: Int
    /// Vsyncs of a run.
    let vsyncs: Int

    /// Vsyncs of a run without a new frame.
    public var inRun: Int {
      let byFrame = lateFrames.multipliedReportingOverflow(by: inARow)
      return min(byFrame.overflow ? .max : byFrame.partialValue, byWork, vsyncs)
    }
  }

  /// A time limit and the most that uses it.
  public struct Budget: Hashable, Sendable {
    /// The name in sentences, such as `frame work`.
    public let name: String
    /// The time available, at least.
    public let available: TimeSpan
    /// In the order in which a frame does them.
    public internal(set) var parts: [Part]

    /// - Parameters:
    ///   - name: the name in sentences.
    ///   - available: the time available, at least.
    ///   - parts: in the order in which a frame does them.
    public init(name: String, available: TimeSpan, parts: [Part]) {
      (self.name, self.available, self.parts) = (name, available, parts)
    }

    /// The sum of the parts, at most 146 years.
    public var total: TimeSpan { parts.map(\.total).total }
    /// Whether the budget is kept.
    public var isKept: Bool { total <= available }

    var share: Double { total.inSeconds / available.inSeconds }
  }

  /// A part of a frame's time.
  public struct Part: Hashable, Sendable {
    /// The kind of work.
    public let kind: Kind
    /// The workload, service or lane; empty if there is only one of the kind.
    public let name: String
    /// The most times that it occurs in a frame.
    public let count: Int
    /// Its longest duration each time.
    public let each: TimeSpan

    /// - Parameters:
    ///   - kind: the kind of work.
    ///   - name: the workload, service or lane, if there are several.
    ///   - count: the most times that it occurs in a frame.
    ///   - each: its longest duration each time.
    public init(kind: Kind, name: String, count: Int, each: TimeSpan) {
      (self.kind, self.name, self.count, self.each) = (kind, name, count, each)
    }

    /// Its longest total in a frame, at most 146 years.
    public var total: TimeSpan { each.times(count) }
  }

  /// The kinds of work in a frame.
  public enum Kind: String, CaseIterable, Sendable {
    /// In an event loop: events that run before the frame.
    case queue
    /// Posting items to other threads and waking those.
    case posting, waking
    /// Results of items that ended on other threads, and items that return from there.
    case returned
    case comingBack = "coming-back"
    /// Steps on the main thread, with their waits and the results of items that end there.
    case logic, waiting, results
    /// Copying state for a snapshot on the main thread, and freeing the previous copy.
    case copying
    /// Waiting for a lock held by another thread, and handing it over.
    case blocking
    /// Time-sliced work that is expected to fit into the frame, or must start although it does not.
    case slicing
    /// Reads of the UI, freeing the previous snapshots, drawing.
    case reads, freeing, drawing
    /// The most that a frame runs of a part of drawing that is spread over frames.
    case spread
    /// The cost of a context switch to the main thread, or to a thread that it waits for.
    case switching
    /// Waiting for a core that other threads use.
    case sharing
    /// The second stage.
    case compositor
  }

  /// An unbounded part, and what would bound it.
  public struct Gap: Hashable, Sendable {
    /// A sentence without its full stop.
    public let reason: String
    /// How to bound it: an imperative without its full stop.
    public let remedy: String

    /// - Parameters:
    ///   - reason: a sentence without its full stop.
    ///   - remedy: how to bound it, as an imperative without its full stop.
    public init(reason: String, remedy: String) {
      (self.reason, self.remedy) = (reason, remedy)
    }
  }
}

extension FrameBound {
  /// The bound of a frame of `scenario` under `arrangement`.
  ///
  /// - Parameters:
  ///   - scenario: the app and its screen.
  ///   - arrangement: the assignment of work to threads.
  ///   - machine: replaces the scenario's.
  ///   - costs: the costs of hand-offs and copies.
  public init(
    _ scenario: Scenario, under arrangement: Arrangement, on machine: Machine? = nil,
    costs: Costs = .standard
  ) {
    self.init(
      scenario, under: arrangement, on: machine, costs: costs, least: scenario, countsDrops: true)
  }

  /// The same with the smallest costs of `least`.
  private init(
    _ scenario: Scenario, under arrangement: Arrangement, on machine: Machine?, costs: Costs,
    least: Scenario, countsDrops: Bool
  ) {
    let calculator = FrameBoundCalculator(
      scenario, arrangement, costs: costs, machine: machine ?? scenario.machine, least: least)
    self = calculator.bound()
    if countsDrops, !isKept { drops = calculator.drops() }
  }

  /// The largest factor of the stated costs, in thousandths from 1 to 1 000 000, under which no run drops more than `limit`
  /// frames. A factor above 1000 holds for every smaller factor down to 1. Nil if there is no such factor, or something is
  /// unbounded.
  public static func growth(
    of scenario: Scenario, under arrangement: Arrangement, on machine: Machine? = nil,
    costs: Costs = .standard, droppingUpTo limit: Int = 0
  ) -> Int? {
    func isKept(_ thousandths: Int) -> Bool {
      let scaled = scenario.costing(Double(thousandths) / 1000)
      let bound = FrameBound(
        scaled, under: arrangement, on: machine, costs: costs,
        least: thousandths >= 1000 ? scenario : scaled, countsDrops: limit > 0)
      return bound.keeps(limit)
    }
    let stated = isKept(1000)
    var (low, high) = stated ? (1000, maxGrowth) : (1, 999)
    guard stated || isKept(low) else { return nil }
    while low < high {
      let middle = (low + high + 1) / 2
      if isKept(middle) { low = middle } else { high = middle - 1 }
    }
    return low
  }

  /// The largest factor of costs.
  public static let maxGrowth = 1_000_000
}
