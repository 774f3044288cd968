internal import SchedulableThreads
internal import FrameBudget
internal import Synchronization

/// The lower limit for a hand-off: each event is memory that one thread allocates and pushes by one compare-and-exchange, and
/// that another thread reads and frees. It has no counts, priorities or withdrawal.
///
/// Lanes cannot use it. `bench` measures it beside the carriers, as the least that any carrier that allocates can take.
final class BareCarrier: Carrier {
  private let blocks: BlockStack
  private let thread: PlatformThread

  init(_ lane: Lane) throws(CarrierError) {
    let blocks = BlockStack()
    thread = try .lane(lane) { blocks.runUntilEnded() }
    self.blocks = blocks
  }

  func send(_ number: Int, to tally: EventTally) {
    blocks.push(BlockStack.Block(number: number, tally: tally))
  }

  func post(_ event: sending @escaping () -> Void, hasPriority: Bool) {
    blocks.push(BlockStack.Block(event: PostedEvent(event)))
  }

  func stop() {
    post({ [blocks] in blocks.end() }, hasPriority: false)
    thread.join()
  }
}

/// A stack of memory blocks for one thread: a word with the address of the newest block, which has the address of the next
/// older one; 1 while the thread sleeps.
private final class BlockStack: Sendable {
  struct Block {
    var next: UInt = 0
    var number = 0
    var tally: EventTally?
    var event: PostedEvent?
  }

  private static let parked: UInt = 1
  private let word = Atomic<UInt>(0)
  private let isOver = Atomic(false)
  private let parker = makeParker()

  func push(_ content: consuming Block) {
    let block = UnsafeMutablePointer<Block>.allocate(capacity: 1)
    unsafe block.initialize(to: content)
    var old = word.load(ordering: .relaxed)
    while true {
      unsafe block.pointee.next = old & ~Self.parked
      let outcome = word.weakCompareExchange(
        expected: old, desired: UInt(bitPattern: block), ordering: .acquiringAndReleasing)
      if outcome.exchanged { break }
      old = outcome.original
    }
    if old == Self.parked { parker.unpark() }
  }

  func end() { isOver.store(true, ordering: .relaxed) }

  func runUntilEnded() {
    while !isOver.load(ordering: .relaxed) {
      let newest = word.exchange(0, ordering: .acquiringAndReleasing)
      if newest == 0 { sleep() } else { Self.run(oldestFirst(newest)) }
    }
  }

  private func sleep() {
    let isEmpty = word.compareExchange(
      expected: 0, desired: Self.parked, ordering: .acquiringAndReleasing
    ).exchanged
    if isEmpty { parker.park(forNanoseconds: nil) }
    _ = word.compareExchange(expected: Self.parked, desired: 0, ordering: .acquiringAndReleasing)
  }

  private func oldestFirst(_ newest: UInt) -> UInt {
    var (oldest, rest) = (UInt(0), newest)
    while let block = unsafe UnsafeMutablePointer<Block>(bitPattern: rest) {
      rest = unsafe block.pointee.next
      unsafe block.pointee.next = oldest
      oldest = UInt(bitPattern: block)
    }
    return oldest
  }

  private static func run(_ oldest: UInt) {
    var rest = oldest
    while let block = unsafe UnsafeMutablePointer<Block>(bitPattern: rest) {
      let content = unsafe block.move()
      unsafe block.deallocate()
      rest = content.next
      content.tally?.ran(content.number)
      content.event?.run()
    }
  }
}
