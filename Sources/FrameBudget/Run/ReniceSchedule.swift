/// The changes of lanes' nice values in order of time; at the same instant those that let run come first.
///
/// That is so because they may be refused: then the others of that instant, which would only hold back, are left.
public struct ReniceSchedule: Sendable {
  /// One lane's next nice value.
  public struct Change: Hashable, Sendable {
    /// Whose it is.
    public let lane: LaneIndex
    /// Unix niceness.
    public let nice: Int
    fileprivate let at: Instant
  }

  /// The next one comes last.
  private var left: [Change]

  /// All changes of a run.
  public init(_ plan: RunPlan) {
    let lanes = plan.arrangement.lanes
    let changes = lanes.indices.flatMap { lane in
      lanes[lane].renices.map { Change(lane: lane, nice: $0.nice, at: .zero + $0.at) }
    }
    left = changes.sorted { ($0.at, $0.nice, $0.lane) > ($1.at, $1.nice, $1.lane) }
  }

  /// When the next change is due; nil when there are no more.
  public var upcoming: Instant? { left.last?.at }

  /// The next change, if it is due at or before `instant`.
  public mutating func next(atOrBefore instant: Instant) -> Change? {
    guard let next = left.last, next.at <= instant else { return nil }
    return left.removeLast()
  }

  /// Leaves the changes that were to be made together with `change`.
  public mutating func skip(with change: Change) {
    while left.last?.at == change.at { left.removeLast() }
  }
}
