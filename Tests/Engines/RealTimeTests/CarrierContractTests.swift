import CFrameBudgetLinux
import SchedulableThreads
import Dispatch
import Foundation
import FrameBudget
import Synchronization
import TestSupport
import Testing

@testable import FrameBudgetRealTime

/// The contract that every carrier keeps, with all options of lanes.
@Suite struct `Every carrier` {
  static let kinds = CarrierSupply.ofThisBuild.kinds

  @Test(arguments: kinds)
  func `runs each event exactly once, one at a time, and in the order that it promises`(
    _ kind: CarrierKind
  ) async throws {
    let record = try await onOwnThread {
      let carrier = try kind.start(Lane(name: "contract", carrier: kind))
      let record = EventRecord()
      DispatchQueue.concurrentPerform(iterations: 4) { sender in
        for number in 0..<500 {
          carrier.post({ record.ran(sender: sender, number: number) }, hasPriority: false)
        }
      }
      carrier.stop()
      return record
    }
    #expect(record.count == 2000)
    #expect(record.collisions == 0)
    for sender in 0..<4 {
      let numbers = record.numbers(of: sender)
      #expect(numbers.sorted() == Array(0..<500))
      if kind.description.order == .firstInFirstOut { #expect(numbers == Array(0..<500)) }
    }
  }

  @Test(arguments: kinds.filter(\.description.canChooseCores))
  func `runs its events on the cores that its lane is pinned to`(_ kind: CarrierKind) async throws {
    let core = clinux_get_affinity().trailingZeroBitCount
    let affinity = try await onOwnThread {
      var lane = Lane(name: "bound", carrier: kind)
      lane.cores = CoreSet([core])
      let carrier = try kind.start(lane)
      let seen = Locked<UInt64>(0)
      carrier.post({ seen.withLock { $0 = clinux_get_affinity() } }, hasPriority: false)
      carrier.stop()
      return seen.withLock { $0 }
    }
    #expect(affinity == 1 << UInt64(core))
  }

  @Test(arguments: kinds.filter(\.description.canBeWide))
  func `runs at most as many events at once as its lane is wide, and each exactly once`(
    _ kind: CarrierKind
  ) async throws {
    let (record, most) = try await onOwnThread {
      let carrier = try kind.start(Lane(name: "wide", carrier: kind, width: 2))
      let (record, contention) = (EventRecord(), ProcessorContention())
      DispatchQueue.concurrentPerform(iterations: 4) { sender in
        for number in 0..<250 {
          carrier.post(
            { contention.during { record.ran(sender: sender, number: number) } }, hasPriority: false
          )
        }
      }
      // Both threads are there: each of these two waits for the other.
      let met = [DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)]
      for side in 0..<2 {
        carrier.post(
          {
            met[side].signal()
            met[1 - side].wait()
          }, hasPriority: false)
      }
      carrier.stop()
      return (record, contention.most)
    }
    #expect(record.count == 1000 && most <= 2)
    for sender in 0..<4 { #expect(record.numbers(of: sender).sorted() == Array(0..<250)) }
  }

  @Test(arguments: kinds, [1, 2])
  func `starts each event of a chain when the previous one is finished`(
    _ kind: CarrierKind, width: Int
  ) async throws {
    guard kind.description.options.contains(.operations), width == 1 || kind.description.canBeWide
    else { return }
    let record = try await onOwnThread {
      let carrier = try kind.start(Lane(name: "chain", carrier: kind, width: width))
      let record = EventRecord()
      for sender in 0..<50 {
        carrier.post(
          chain: (0..<4).map { number in { record.ran(sender: sender, number: number) } })
      }
      carrier.stop()
      return record
    }
    for sender in 0..<50 { #expect(record.numbers(of: sender) == [0, 1, 2, 3]) }
  }

  @Test(arguments: kinds)
  func `runs all events posted before the stop, then joins its threads`(_ kind: CarrierKind)
    async throws
  {
    let (count, loss) = try await onOwnThread {
      let carrier = try kind.start(Lane(name: "stop", carrier: kind))
      let gate = DispatchSemaphore(value: 0)
      let record = EventRecord()
      carrier.post({ gate.wait() }, hasPriority: false)
      for number in 0..<100 {
        carrier.post({ record.ran(sender: 0, number: number) }, hasPriority: false)
      }
      gate.signal()
      carrier.stop()
      return (record.count, carrier.loss)
    }
    #expect(count == 100)
    #expect(loss == nil)
  }

  @Test(arguments: kinds)
  func `frees the captures of an event after it has run`(_ kind: CarrierKind) async throws {
    let alive = Counter()
    try await onOwnThread {
      let carrier = try kind.start(Lane(name: "leak", carrier: kind))
      for _ in 0..<10 { Self.post(Payload(counting: alive), to: carrier) }
      carrier.stop()
    }
    // A task ends a moment after its work.
    #expect(await eventually { alive.value == 0 })
  }

  @Test(arguments: kinds.filter { $0.description.niceValues?.contains(10) ?? true })
  func `gives its thread the nice value of the lane`(_ kind: CarrierKind) async throws {
    let nice = try await onOwnThread {
      let carrier = try kind.start(Lane(name: "nice", carrier: kind, nice: 10))
      let seen = Counter()
      carrier.post({ seen.set(ThreadLog.current("").nice) }, hasPriority: false)
      carrier.stop()
      return seen.value
    }
    #expect(nice == 10)
  }

  @Test(arguments: kinds.filter(\.description.canOvertake))
  func `lets a priority overtake only where the lane allows it`(_ kind: CarrierKind) async throws {
    let overtaken = try await onOwnThread { try Self.order(on: kind, overtaking: true) }
    #expect(overtaken == [2, 0, 1])
    let inTurn = try await onOwnThread { try Self.order(on: kind, overtaking: false) }
    #expect(inTurn == [0, 1, 2])
  }

  private static func post(_ payload: Payload, to carrier: any Carrier) {
    carrier.post({ withExtendedLifetime(payload) {} }, hasPriority: false)
  }

  /// The order in which three events run that were queued behind a blocked one, the last with priority.
  private static func order(on kind: CarrierKind, overtaking: Bool) throws -> [Int] {
    let carrier = try kind.start(Lane(name: "order", carrier: kind, overtaking: overtaking))
    let running = DispatchSemaphore(value: 0)
    let gate = DispatchSemaphore(value: 0)
    let record = EventRecord()
    carrier.post(
      {
        running.signal()
        gate.wait()
      }, hasPriority: false)
    running.wait()
    for number in 0..<3 {
      carrier.post({ record.ran(sender: 0, number: number) }, hasPriority: number == 2)
    }
    gate.signal()
    carrier.stop()
    return record.numbers(of: 0)
  }
}

/// The events that ran, their order, and whether two ever ran at once.
final class EventRecord: Sendable {
  private let events = Locked<[(sender: Int, number: Int)]>([])
  private let isInside = Atomic<Bool>(false)
  private let overlaps = Atomic<Int>(0)

  func ran(sender: Int, number: Int) {
    if isInside.exchange(true, ordering: .acquiringAndReleasing) {
      overlaps.add(1, ordering: .relaxed)
    }
    events.withLock { $0.append((sender, number)) }
    isInside.store(false, ordering: .releasing)
  }

  var count: Int { events.withLock { $0.count } }
  var collisions: Int { overlaps.load(ordering: .relaxed) }
  func numbers(of sender: Int) -> [Int] {
    events.withLock { $0.filter { $0.sender == sender }.map(\.number) }
  }
}

/// The maximum number inside at once.
private final class ProcessorContention: Sendable {
  private let state = Locked((now: 0, most: 0))

  var most: Int { state.withLock { $0.most } }

  func during(_ body: () -> Void) {
    state.withLock { state in
      state.now += 1
      state.most = max(state.most, state.now)
    }
    body()
    state.withLock { $0.now -= 1 }
  }
}

/// Counts how many of its kind are alive.
private final class Payload: Sendable {
  private let alive: Counter

  init(counting alive: Counter) {
    self.alive = alive
    alive.add(1)
  }

  deinit { alive.add(-1) }
}

/// A number that threads share.
private final class Counter: Sendable {
  private let number = Atomic<Int>(0)

  var value: Int { number.load(ordering: .acquiring) }
  func set(_ value: Int) { number.store(value, ordering: .releasing) }
  func add(_ amount: Int) { number.add(amount, ordering: .acquiringAndReleasing) }
}
