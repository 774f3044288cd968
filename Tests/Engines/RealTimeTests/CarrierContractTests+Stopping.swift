import CFrameBudgetLinux
import SchedulableThreads
import FrameBudget
import Synchronization
import TestSupport
import Testing

@testable import FrameBudgetRealTime

/// Events that are posted while a carrier stops.
extension `Every carrier` {
  @Test(arguments: kinds)
  func `runs every event posted before the stop, while other threads keep posting`(
    _ kind: CarrierKind
  ) async throws {
    let (before, record) = try await onOwnThread {
      let carrier = try kind.start(Lane(name: "late", carrier: kind))
      let record = EventRecord()
      let posters = try Posters(4, to: carrier, noting: record)
      posters.waitUntilEachPosted(100)
      let before = posters.counts
      // Each may still be in a post. The contract does not cover that event.
      posters.end()
      carrier.stop()
      posters.join()
      return (before, record)
    }
    for (sender, count) in before.enumerated() {
      let numbers = record.numbers(of: sender)
      #expect(numbers.sorted() == Array(0..<numbers.count), "each once")
      #expect(numbers.count >= count)
      if kind.description.order == .firstInFirstOut { #expect(numbers == numbers.sorted()) }
    }
  }

  @Test(arguments: kinds)
  func `runs or counts what is posted after it has stopped`(_ kind: CarrierKind) async throws {
    let (ran, lost) = try await onOwnThread {
      let carrier = try kind.start(Lane(name: "late", carrier: kind))
      let record = EventRecord()
      carrier.post({ record.ran(sender: 0, number: 0) }, hasPriority: false)
      carrier.stop()
      #expect(record.count == 1 && carrier.loss == nil)
      for number in 1...10 {
        carrier.post({ record.ran(sender: 0, number: number) }, hasPriority: false)
      }
      // These events run on threads that are no longer joined.
      #expect(becomesTrue { record.count - 1 + Self.lost(carrier) >= 10 })
      return (record.count - 1, Self.lost(carrier))
    }
    #expect(ran + lost == 10)
    #expect(ran == 0 || lost == 0)
  }

  /// The number of events in the sentence about lost events.
  private static func lost(_ carrier: any Carrier) -> Int {
    guard let words = carrier.loss?.split(separator: " "),
      let place = words.firstIndex(of: "events"), place > 0
    else { return 0 }
    return Int(words[place - 1]) ?? 0
  }

  @Test func `that loses events during its stop, as the naive one does, counts them`()
    async throws
  {
    try await onOwnThread {
      let carrier = try NaiveCarrier(Lane(name: "late", carrier: .naive))
      let record = EventRecord()
      let posters = try Posters(4, to: carrier, noting: record)
      posters.waitUntilEachPosted(100)
      carrier.stop()
      posters.end()
      posters.join()
      // This one comes even later than the others.
      carrier.post({ record.ran(sender: 4, number: 0) }, hasPriority: false)
      let lost = posters.counts.reduce(1, +) - record.count
      #expect(lost >= 1)
      #expect(
        carrier.loss == "lane 'late': \(lost) events that were sent while it stopped are lost")
    }
  }
}

/// Threads that post events to a carrier until they are stopped.
private final class Posters: Sendable {
  private let carrier: any Carrier
  private let record: EventRecord
  private let posted: Locked<[Int]>
  private let isOver = Atomic(false)
  private let threads = Locked<[PlatformThread]>([])

  init(_ count: Int, to carrier: any Carrier, noting record: EventRecord) throws {
    self.carrier = carrier
    self.record = record
    posted = Locked(Array(repeating: 0, count: count))
    for sender in 0..<count {
      let thread = try PlatformThread(name: "poster") { self.post(as: sender) }
      threads.withLock { $0.append(thread) }
    }
  }

  /// By thread: the number of its finished posts.
  var counts: [Int] { posted.withLock { $0 } }

  func waitUntilEachPosted(_ number: Int) {
    while counts.contains(where: { $0 < number }) { pause() }
  }

  func end() { isOver.store(true, ordering: .releasing) }

  func join() { for thread in threads.withLock({ $0 }) { thread.join() } }

  private func post(as sender: Int) {
    var number = 0
    while !isOver.load(ordering: .acquiring) {
      carrier.post(
        { [record, number] in record.ran(sender: sender, number: number) }, hasPriority: false)
      number += 1
      posted.withLock { $0[sender] = number }
      pause()
    }
  }

  /// So that no carrier falls behind by much.
  private func pause() { clinux_sleep_until(clinux_monotonic() + 20_000) }
}
