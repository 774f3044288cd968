/// The events that may run now: the highest priority first, and within a priority the oldest first.
struct ReadyEvents {
  private var user = EventChain()
  private var normal = EventChain()
  private var background = EventChain()

  /// The number of events whose loss must be reported.
  var missedCount: Int {
    [user, normal, background].reduce(0) { $0 + $1.count(where: \.isMissed) }
  }

  var count: Int { user.count + normal.count + background.count }

  /// The highest priority that has an event.
  var highest: EventPriority? {
    if !user.isEmpty { return .user }
    if !normal.isEmpty { return .normal }
    return background.isEmpty ? nil : .background
  }

  /// Removes and returns the next event: the oldest of the highest priority that may still overtake lower ones.
  mutating func popFirst(_ overtaking: inout Overtaking) -> EventNode? {
    if !user.isEmpty, normal.isEmpty && background.isEmpty || overtaking.userMay() {
      return user.popFirst()
    }
    if !normal.isEmpty, background.isEmpty || overtaking.normalMay() {
      return normal.popFirst()
    }
    return background.popFirst()
  }

  /// Removes and returns the oldest event of the lowest priority that is not above `priority`.
  mutating func removeOldest(upTo priority: EventPriority) -> EventNode? {
    if let node = background.removeFirstRefusable() { return node }
    if priority >= .normal, let node = normal.removeFirstRefusable() { return node }
    return priority >= .user ? user.removeFirstRefusable() : nil
  }

  mutating func append(_ node: EventNode) {
    var one = EventChain()
    one.append(node)
    append(one, priority: node.priority)
  }

  /// Appends events that all have this priority.
  mutating func append(_ events: EventChain, priority: EventPriority) {
    switch priority {
    case .user: user.append(events)
    case .normal: normal.append(events)
    case .background: background.append(events)
    }
  }
}
