/// The suspended items of a run, and the places of limited resources. It alone determines when a wait begins and ends, for both
/// engines.
public struct Suspensions<Item: Sendable>: Sendable {
  /// A heap by end: no wait ends before its parent, (index - 1) / 2.
  private var waits: [Wait] = []
  private var lines: PerResource<Line>
  /// The number of waits that have begun, so that those that end at the same instant end in the order in which they began.
  private var begun = 0

  /// A suspended item, and since when.
  public struct Suspended: Sendable {
    /// The item.
    public let item: Item
    /// When it was suspended.
    public let since: Instant
  }

  private struct Wait: Sendable {
    let end: Instant
    let number: Int
    let suspended: Suspended
    let resource: ResourceIndex?

    func isBefore(_ other: Wait) -> Bool { (end, number) < (other.end, other.number) }
  }

  /// A resource, and the items that wait for a place.
  private struct Line: Sendable {
    var free: Int
    var waiting: ArraySlice<(suspended: Suspended, span: TimeSpan)> = []
  }

  /// Creates the state for a run.
  public init(_ plan: RunPlan) {
    lines = plan.scenario.resources.mapValues { Line(free: $0.parallel) }
  }

  /// When the next wait ends; nil if none has begun.
  public var nextEnd: Instant? { waits.first?.end }

  /// Suspends `item` for `span`, which begins when `resource` has a place.
  public mutating func begin(
    _ item: Item, for span: TimeSpan, on resource: ResourceIndex?, at now: Instant
  ) {
    begin(Suspended(item: item, since: now), for: span, on: resource, at: now)
  }

  private mutating func begin(
    _ suspended: Suspended, for span: TimeSpan, on resource: ResourceIndex?, at now: Instant
  ) {
    if let resource {
      guard lines[resource].free > 0 else {
        return lines[resource].waiting.append((suspended, span))
      }
      lines[resource].free -= 1
    }
    begun += 1
    insert(Wait(end: now + span, number: begun, suspended: suspended, resource: resource))
  }

  /// Removes and returns the item whose wait ends first, if that has ended by `now`. The item that has waited longest for its
  /// place begins to wait there.
  public mutating func popEnded(by now: Instant) -> Suspended? {
    guard let first = waits.first, first.end <= now else { return nil }
    removeFirst()
    if let resource = first.resource {
      lines[resource].free += 1
      if let (suspended, span) = lines[resource].waiting.popFirst() {
        begin(suspended, for: span, on: resource, at: now)
      }
    }
    return first.suspended
  }

  /// Calls `body` with each suspended item, also with those that wait for a place.
  public func forEach(_ body: (Item) -> Void) {
    for wait in waits { body(wait.suspended.item) }
    for line in lines { for (suspended, _) in line.waiting { body(suspended.item) } }
  }

  /// Removes and returns all items, at the end of a run.
  public mutating func removeAll() -> [Suspended] {
    // Closures, since a generic type makes its key paths while it runs, which took a tenth of a short run.
    var suspended = waits.map { $0.suspended }
    waits = []
    for resource in lines.indices {
      suspended += lines[resource].waiting.map { $0.suspended }
      lines[resource].waiting = []
    }
    return suspended
  }

  private mutating func insert(_ wait: Wait) {
    var index = waits.count
    waits.append(wait)
    while index > 0, wait.isBefore(waits[(index - 1) / 2]) {
      waits.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  private mutating func removeFirst() {
    waits.swapAt(0, waits.count - 1)
    waits.removeLast()
    var index = 0
    while 2 * index + 1 < waits.count {
      var child = 2 * index + 1
      if child + 1 < waits.count, waits[child + 1].isBefore(waits[child]) { child += 1 }
      guard waits[child].isBefore(waits[index]) else { return }
      waits.swapAt(index, child)
      index = child
    }
  }
}
