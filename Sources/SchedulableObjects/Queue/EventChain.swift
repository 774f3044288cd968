/// An intrusive linked list of nodes, oldest first. Belongs to one thread.
struct EventChain {
  private var first: UInt = 0
  private var last: UInt = 0
  private(set) var count = 0

  var isEmpty: Bool { first == 0 }

  mutating func append(_ node: EventNode) {
    node.next = 0
    link(node.bits, to: node.bits, count: 1)
  }

  mutating func append(_ chain: EventChain) {
    if !chain.isEmpty { link(chain.first, to: chain.last, count: chain.count) }
  }

  mutating func prepend(_ node: EventNode) {
    node.next = first
    first = node.bits
    if last == 0 { last = node.bits }
    count += 1
  }

  mutating func popFirst() -> EventNode? {
    guard let node = EventNode(bits: first) else { return nil }
    first = node.next
    if first == 0 { last = 0 }
    count -= 1
    return node
  }

  /// Removes and returns the oldest node that may be refused.
  mutating func removeFirstRefusable() -> EventNode? {
    var skipped = EventChain()
    defer {
      skipped.append(self)
      self = skipped
    }
    while let node = popFirst() {
      if !node.traits.contains(.mustRun) { return node }
      skipped.append(node)
    }
    return nil
  }

  /// The number of nodes that meet the condition.
  func count(where condition: (EventNode) -> Bool) -> Int {
    var count = 0
    var bits = first
    while let node = EventNode(bits: bits) {
      if condition(node) { count += 1 }
      bits = node.next
    }
    return count
  }

  private mutating func link(_ start: UInt, to end: UInt, count added: Int) {
    if let tail = EventNode(bits: last) { tail.next = start } else { first = start }
    last = end
    count += added
  }
}
