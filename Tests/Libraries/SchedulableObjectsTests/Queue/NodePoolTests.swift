import SchedulableThreads
import TestSupport
import Testing

@testable import SchedulableObjects

@Suite struct NodePoolTests {
  /// The block of a node's memory, by its number.
  private func block(of node: EventNode) -> UInt { node.bits / 4096 }

  @Test func `nodes of one thread follow each other, and share their blocks with no other thread`()
    throws
  {
    let seen = Recorder<[UInt]>()
    let threads = try (0..<4).map { _ in
      try PlatformThread(name: "sender") {
        let nodes = (0..<1_000).map { _ in EventNode(.sweep, priority: .normal) }
        seen.add(nodes.map(\.bits))
        for node in nodes { _ = node.takePayload() }
      }
    }
    for thread in threads { thread.join() }
    #expect(seen.count == 4)
    for addresses in seen.all {
      let steps = zip(addresses.dropFirst(), addresses).map { $0 &- $1 }
      #expect(steps.count { $0 == 64 } >= 982, "62 of 63")
      #expect(Set(addresses).count == 1_000)
    }
  }

  @Test func `a block is used again once its thread and all its nodes are gone`() throws {
    let blocks = Recorder<UInt>()
    for _ in 0..<300 {
      let thread = try PlatformThread(name: "sender") {
        for _ in 0..<2 {
          let node = EventNode(.sweep, priority: .normal)
          blocks.add(block(of: node))
          _ = node.takePayload()
        }
      }
      thread.join()
    }
    #expect(Set(blocks.all).count < 100)
  }

  @Test(arguments: 0..<20)
  func `a node keeps its content until it is taken`(seed: Int) {
    var random = RandomNumbers(seed: UInt64(seed))
    var waiting: [(node: EventNode, event: ScheduledEvent)] = []
    for _ in 0..<5_000 {
      if Int.random(in: 0..<waiting.count + 100, using: &random) < 100 {
        let event = ScheduledEvent(due: random.next() % 2 == 0 ? 1 : nil) {}
        let traits: EventTraits = event.due == nil ? [] : .delayed
        waiting.append((EventNode(.ticket(event), priority: .user, traits: traits), event))
      } else {
        let index = Int.random(in: 0..<waiting.count, using: &random)
        let (node, event) = waiting.remove(at: index)
        guard case .ticket(let found) = node.takePayload() else { Issue.record("lost"); return }
        #expect(found === event)
      }
    }
    for (node, event) in waiting {
      #expect(node.due == event.due)
      _ = node.takePayload()
    }
  }

  @Test func `a delayed event keeps no block`() {
    let delayed = (0..<10).map { _ in
      let event = ScheduledEvent(due: 1) {}
      return EventNode(.ticket(event), priority: .normal, traits: .delayed)
    }
    let near = EventNode(.sweep, priority: .normal)
    let next = EventNode(.sweep, priority: .normal)
    #expect(!delayed.map(block).contains(block(of: near)))
    for node in delayed + [near, next] { _ = node.takePayload() }
  }
}
