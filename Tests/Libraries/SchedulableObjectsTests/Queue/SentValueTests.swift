import SchedulableThreads
import Synchronization
import TestSupport
import Testing

@testable import SchedulableObjects

@Suite struct SentValueTests {
  @Test func `a small value and a closure that captures nothing need no allocation`() {
    let number = 1
    #expect(SentEvent.function { (_: (Int, Int, Int)) in } != nil)
    #expect(SentEvent.function { (_: String, _: Int8) in } != nil)
    #expect(SentEvent.function { (_: (String, Tracked)) in } != nil)
    #expect(SentEvent.function { (_: Tracked, _: (Int, Int)) in } != nil)
    #expect(SentEvent.function { (_: Tracked, _: Any) in } == nil, "four words")
    #expect(SentEvent.function { (_: (Int, Int, Int, Int8)) in } == nil, "more than three words")
    #expect(SentEvent.function { (_: Tracked, _: (Int, Int, Int)) in } == nil)
    #expect(SentEvent.function { (_: Int) in _ = number } == nil, "a capture")
    #expect(SentEvent.function { (_: SIMD2<Int64>) in } == nil, "an alignment of 16 bytes")
  }

  @Test func `a node is a cache line`() {
    #expect(MemoryLayout<EventNode.Content>.size <= 64)
  }

  @Test(arguments: QueueVariant.allCases)
  func `events with values of every size run in the order sent, among others`(
    queue: QueueVariant
  ) {
    let seen = Recorder<String>()
    let scheduler = ManualScheduler(options: queue.options)
    let object = SchedulableObject(seen, on: scheduler)
    for number in 0..<200 {
      let sent = seen
      scheduler.schedule(with: (number, seen)) { $1.add("\($0) two words") }
      scheduler.schedule { sent.add("\(number) closure") }
      scheduler.schedule(with: number) { sent.add("\($0) capture") }
      scheduler.schedule(with: (number, "four words", sent)) { $2.add("\($0) \($1)") }
      object.schedule(with: number) { $0.add("\($1) object") }
      object.schedule(with: "\(number) object and text") { $0.add($1) }
      object.schedule(with: (number, "object and three words")) { $0.add("\($1.0) \($1.1)") }
      object.schedule(with: number) { [sent] in $0.add("\($1) object and \(sent === $0)") }
    }
    while scheduler.runNext() {}
    let kinds = [
      "two words", "closure", "capture", "four words", "object", "object and text",
      "object and three words", "object and true",
    ]
    #expect(seen.all == (0..<200).flatMap { number in kinds.map { "\(number) \($0)" } })
  }

  @Test(arguments: QueueVariant.allCases)
  func `a value's priority is that of its event`(queue: QueueVariant) {
    let seen = Recorder<Int>()
    let scheduler = ManualScheduler(options: queue.options)
    let object = SchedulableObject(seen, on: scheduler)
    scheduler.schedule(with: (4, seen), priority: .background) { $1.add($0) }
    object.schedule(with: 5, priority: .background) { $0.add($1) }
    scheduler.schedule(with: (3, seen)) { $1.add($0) }
    object.schedule(with: 1, priority: .user) { $0.add($1) }
    scheduler.schedule(with: (2, seen), priority: .user) { $1.add($0) }
    while scheduler.runNext() {}
    #expect(seen.all == [1, 2, 3, 4, 5])
  }

  @Test(arguments: [ShutdownMode.drain, .drop])
  func `a value is released once, whether its event runs or is refused`(mode: ShutdownMode) {
    let deaths = Tally()
    let scheduler = ManualScheduler(options: .init().with { $0.report = { _ in } })
    let object = SchedulableObject(Tracked(), on: scheduler)
    let make = { Tracked { deaths.add() } }
    for round in 1...2 {
      scheduler.schedule(with: make()) { $0.value += 1 }
      scheduler.schedule(with: make()) { $0.value += round }
      object.schedule(with: make()) { $0.value += $1.value }
      object.schedule(with: (make(), make(), 3)) { $0.value += $1.0.value }
      if round == 1 { scheduler.shutdown(mode) }
      #expect(deaths.count == 5 * round)
    }
    #expect(scheduler.counters.events == (mode == .drain ? 4 : 0))
    #expect(scheduler.counters.refused == (mode == .drain ? 4 : 8))
  }

  @Test(arguments: QueueVariant.allCases, Rule4ShutdownTests.modes)
  func `nothing is lost, repeated, reordered or leaked when a shutdown meets many producers`(
    queue: QueueVariant, mode: ShutdownMode
  ) throws {
    for seed in 0..<Tries.queueShutdowns.count {
      let (live, refused) = (LiveCount(), Tally())
      let ledger = PriorityLedger()
      let scheduler = try ThreadScheduler(
        name: "storm", options: queue.options.with { $0.report = { _ in refused.add() } })
      let object = SchedulableObject(ledger, on: scheduler)
      let producers = try (0..<PriorityLedger.producers).map { producer in
        try PlatformThread(name: "producer") {
          var random = RandomNumbers(seed: UInt64(8 * seed + producer))
          for number in 1...1_000 {
            send(Token(number, from: producer, in: live), to: object, ledger, scheduler, &random)
          }
        }
      }
      // A different moment in each round.
      SemaphoreParker().park(forNanoseconds: Int64(seed % 10) * 100_000)
      scheduler.shutdownBlocking(mode)
      for producer in producers { producer.join() }
      #expect(ledger.reordered == 0)
      #expect(ledger.ran == scheduler.counters.events)
      #expect(ledger.ran + refused.count == 1_000 * PriorityLedger.producers)
      #expect(live.count == 0)
    }
  }

  /// Sends a token in a random form, at a random priority.
  private func send(
    _ token: sending Token, to object: SchedulableObject<PriorityLedger>,
    _ ledger: PriorityLedger, _ scheduler: ThreadScheduler, _ random: inout RandomNumbers
  ) {
    let priority = EventPriority.allCases.randomElement(using: &random) ?? .normal
    token.priority = priority
    switch Int.random(in: 0..<4, using: &random) {
    case 0: object.schedule(priority: priority) { $0.note(token) }
    case 1: object.schedule(with: token, priority: priority) { $0.note($1) }
    case 2: object.schedule(with: (token, 1, 2), priority: priority) { $0.note($1.0) }
    default:
      scheduler.schedule(with: (ledger, token), priority: priority) { $0.note($1) }
    }
  }
}

/// The number of objects that were created and not released.
private final class LiveCount: Sendable {
  private let value = Atomic(0)

  var count: Int { value.load(ordering: .acquiring) }
  func add(_ number: Int) { value.add(number, ordering: .acquiringAndReleasing) }
}

/// An event's number; unsynchronised on purpose, so that the thread sanitizer sees any race.
private final class Token {
  let (number, producer): (Int, Int)
  var priority = EventPriority.normal
  private let live: LiveCount

  init(_ number: Int, from producer: Int, in live: LiveCount) {
    (self.number, self.producer, self.live) = (number, producer, live)
    live.add(1)
  }

  deinit { live.add(-1) }
}

/// Checks the order of each producer's events of each priority. Only its scheduler's thread writes it, and the test reads it
/// after the end of that.
private final class PriorityLedger: @unchecked Sendable {
  static let producers = 4

  private(set) var (ran, reordered) = (0, 0)
  private var last = [[Int]](repeating: [0, 0, 0], count: producers)

  func note(_ token: Token) {
    ran += 1
    let priority = Int(token.priority.rawValue)
    if token.number <= last[token.producer][priority] { reordered += 1 }
    last[token.producer][priority] = token.number
  }
}
