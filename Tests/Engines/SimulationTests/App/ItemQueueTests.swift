import FrameBudget
import Testing

@testable import FrameBudgetSimulation

@Suite struct ItemQueueTests {
  @Test func `a queue of rows behaves like a plain list`() {
    for seed in UInt64(0)..<200 {
      var stream = RandomStream(seed: seed, name: "queue")
      var queue = ItemQueue()
      var list: [Item] = []
      for number in 0..<Int32(300) {
        let item = Item(
          workload: stream.chance(80) ? 0 : 1, step: stream.chance(80) ? 0 : 2, number: number)
        switch stream.number(0...5) {
        case 0...2:
          queue.append(item)
          list.append(item)
        case 3:
          queue.prepend(item)
          list.insert(item, at: 0)
        default:
          #expect(queue.first == list.first)
          let popped = queue.popFirst()
          #expect(popped == (list.isEmpty ? nil : list.removeFirst()))
        }
        #expect(queue.count == list.count)
        #expect(queue.isEmpty == list.isEmpty)
      }
      while let item = queue.popFirst() { #expect(item == list.removeFirst()) }
      #expect(list.isEmpty)
    }
  }
}
