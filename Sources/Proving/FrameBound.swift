public import FrameBudget

/// The most that a frame can take under an arrangement, if none before it was late: for any phase of every workload and any
/// cost between its smallest and its largest value.
///
/// While no frame is late, frame `b` does what arrived within `(V(b-1), V(b)]`. So if that never takes longer than a period,
/// no frame is the first to be late, and none ever is. `Documentation/Prove.md` derives each part.
public struct FrameBound: Hashable, Sendable {
  /// What frames must keep to; the first is the main thread's.
  public internal(set) var budgets: [Budget]
  /// What has no bound; while there is any, `budgets` are not complete.
  public internal(set) var gaps: [Gap]
  /// The most that are dropped where a frame can be late; nil where nothing bounds that.
  public internal(set) var drops: Drops?

  /// Whether no frame can be late.
  public var isKept: Bool { gaps.isEmpty && budgets.allSatisfy(\.isKept) }

  /// The budget of which the largest share is used; nil while something has no bound.
  public var tightest: Budget? {
    gaps.isEmpty ? budgets.max { $0.share < $1.share } : nil
  }

  /// The most of the main thread's time that a frame takes; nil while something has no bound.
  public var frame: TimeSpan? { gaps.isEmpty ? budgets.first?.total : nil }

  /// The most frames that a run drops; nil while something has no bound.
  public var dropped: Int? { isKept ? 0 : drops?.inRun }

  /// The most vsyncs in a row that have no new frame; nil while something has no bound.
  public var droppedInARow: Int? { isKept ? 0 : drops.map { min($0.inARow, $0.inRun) } }

  /// Whether no run drops more than `limit` frames.
  public func keeps(_ limit: Int) -> Bool { dropped.map { $0 <= limit } ?? false }

  /// How many frames are dropped at most.
  public struct Drops: Hashable, Sendable {
    /// Vsyncs in a row without a new frame.
    public internal(set) var inARow: Int
    /// Frames of a run that take longer than a period.
    var lateFrames: Int
    /// Vsyncs of a run that all its work leaves without a new frame.
    var byWork: Int
    /// Vsyncs of a run.
    let vsyncs: Int

    /// Vsyncs of a run without a new frame.
    public var inRun: Int {
      let byFrame = lateFrames.multipliedReportingOverflow(by: inARow)
      return min(byFrame.overflow ? .max : byFrame.partialValue, byWork, vsyncs)
    }
  }

  /// A time that must suffice, and what uses it at most.
  public struct Budget: Hashable, Sendable {
    /// As sentences name it: `frame work`.
    public let name: String
    /// The shortest that there is.
    public let available: TimeSpan
    /// In the order of a frame.
    public internal(set) var parts: [Part]

    /// What the parts take together, at most 146 years.
    public var total: TimeSpan { parts.map(\.total).total }
    /// Whether it suffices.
    public var isKept: Bool { total <= available }

    var share: Double { total.inSeconds / available.inSeconds }
  }

  /// Something that takes time in a frame.
  public struct Part: Hashable, Sendable {
    /// What of the frame it is.
    public let kind: Kind
    /// Whose: a workload's, a service's or a lane's; empty where there is only one of the kind.
    public let name: String
    /// How often it happens in a frame, at most.
    public let count: Int
    /// The longest that it takes each time.
    public let each: TimeSpan

    /// The longest that it takes in a frame, at most 146 years.
    public var total: TimeSpan { each.times(count) }
  }

  /// What can take time in a frame.
  public enum Kind: String, CaseIterable, Sendable {
    /// In a loop of events, what runs before the frame.
    case queue
    /// Posting items to other threads, and waking these.
    case posting, waking
    /// Results of items that ended on other threads, and items that come back from there.
    case returned
    case comingBack = "coming-back"
    /// Steps on the main thread, what they wait for, and the results of items that end there.
    case logic, waiting, results
    /// Copying state for a snapshot on the main thread, and freeing the copy before.
    case copying
    /// Waiting for a lock that another thread has, and handing it on.
    case blocking
    /// What is started late in a frame because it is expected to fit, or has to start although it does not.
    case slicing
    /// Reads of the UI, freeing the snapshots read before, drawing.
    case reads, freeing, drawing
    /// What a core loses when it turns to the main thread, or to one that it waits for.
    case switching
    /// Waiting for a core that other threads have.
    case sharing
    /// The second stage.
    case compositor
  }

  /// Something that has no bound, and what would give it one.
  public struct Gap: Hashable, Sendable {
    /// As a sentence without its full stop.
    public let reason: String
    /// What would give it a bound, as an imperative without its full stop.
    public let remedy: String
  }
}

extension FrameBound {
  /// The bound of a frame of `scenario` under `arrangement`.
  ///
  /// - Parameters:
  ///   - scenario: what the app does.
  ///   - arrangement: what runs where.
  ///   - machine: in place of the scenario's.
  ///   - costs: what moving work about takes.
  public init(
    _ scenario: Scenario, under arrangement: Arrangement, on machine: Machine? = nil,
    costs: Costs = .standard
  ) {
    self.init(
      scenario, under: arrangement, on: machine, costs: costs, least: scenario, countsDrops: true)
  }

  /// The same where less work may also be as little as in `least`.
  private init(
    _ scenario: Scenario, under arrangement: Arrangement, on machine: Machine?, costs: Costs,
    least: Scenario, countsDrops: Bool
  ) {
    let maker = BoundMaker(
      scenario, arrangement, costs: costs, machine: machine ?? scenario.machine, least: least)
    self = maker.bound()
    if countsDrops, !isKept { drops = maker.drops() }
  }

  /// How many thousandths of the stated costs a run can bear without dropping more than `limit` frames, from 1 to 1 000 000:
  /// what is above 1000 holds for every smaller factor down to 1 too. Nil if not even a thousandth is borne, or something has
  /// no bound.
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
    var (low, high) = stated ? (1000, mostGrowth) : (1, 999)
    guard stated || isKept(low) else { return nil }
    while low < high {
      let middle = (low + high + 1) / 2
      if isKept(middle) { low = middle } else { high = middle - 1 }
    }
    return low
  }

  /// As much as costs can be scaled.
  public static let mostGrowth = 1_000_000
}
