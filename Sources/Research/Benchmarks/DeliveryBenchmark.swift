internal import SchedulableThreads
internal import Dispatch
internal import FrameBudget
internal import Glibc
internal import OrderedDelivery
internal import SchedulableObjects
internal import Synchronization

/// The cost of an event on the schedulers and through the stages of ordered delivery, compared with a serial dispatch queue.
///
/// From the first post to the end of the last event, per event, and as a ratio to the dispatch queue. The subjects are
/// interleaved, so that they meet the same machine.
enum DeliveryBenchmark {
  private static let (repetitions, events) = (11, 200_000)
  private static let producers = [1, 2, 4]
  private static let published: [(name: String, method: Method)] = [
    ("dispatch", .dispatch), ("hand-off", .serial),
  ]

  static func run(_ speeds: inout Speeds) throws {
    print("ns each, medians, and times DispatchQueue.async: from one, two and four producers")
    var spans: [Method: [[Double]]] = [:]
    for _ in 0..<repetitions {
      for method in Method.allCases {
        spans[method, default: []].append(try producers.map { try measured(method, $0) })
      }
    }
    let medians = spans.mapValues { rows in
      producers.indices.map { column in rows.map { $0[column] }.median ?? 0 }
    }
    for method in Method.allCases {
      let cells = zip(medians[method] ?? [], medians[.dispatch] ?? []).map { own, dispatch in
        "\(Decimal.text(own, places: 0)) (\(Decimal.text(dispatch / own, places: 2)))"
      }
      print("\(method.rawValue): \(cells.joined(separator: ", "))")
    }
    for (name, method) in published {
      for (count, median) in zip(producers, medians[method] ?? []) {
        speeds.add("\(name)-\(count)", median, "ns")
      }
    }
  }

  private enum Method: String, CaseIterable {
    case dispatch = "DispatchQueue.async"
    case schedule = "ThreadScheduler.schedule"
    case scheduleWith = "ThreadScheduler.schedule(with:)"
    case object = "SchedulableObject.schedule"
    case objectWith = "SchedulableObject.schedule(with:)"
    case serial = "SerialScheduler.perform"
    case byItem = "OrderedStage, item by item"
    case byBatch = "OrderedStage, in batches"
    case ring = "the limit: a ring without closures, waiting by spinning"

    /// A function that sends numbered events, in the order in which each thread sends them.
    func sender(_ last: LastEvent) throws -> @Sendable (Int) -> Void {
      switch self {
      case .dispatch:
        let queue = DispatchQueue(label: "events")
        return { number in queue.async { last.ran(number) } }
      case .schedule:
        let scheduler = try ThreadScheduler(name: "events")
        return { number in scheduler.schedule { last.ran(number) } }
      case .scheduleWith:
        let scheduler = try ThreadScheduler(name: "events")
        return { number in scheduler.schedule(with: (last, number)) { $0.ran($1) } }
      case .object:
        let object = SchedulableObject(Receiver(), on: try ThreadScheduler(name: "events"))
        return { number in object.schedule { $0.receive(number, last) } }
      case .objectWith:
        let object = SchedulableObject(Receiver(), on: try ThreadScheduler(name: "events"))
        return { number in object.schedule(with: (number, last)) { $0.receive($1.0, $1.1) } }
      case .serial:
        let scheduler = SerialScheduler(name: "events")
        return { number in scheduler.perform { last.ran(number) } }
      case .byItem, .byBatch:
        let scheduler = ConcurrentScheduler(name: "events", width: 2)
        let stage = OrderedStage<Int>(
          on: scheduler, drain: self == .byItem ? .item : .batch, deliver: last.ran)
        return { stage.send($0) }
      case .ring:
        let ring = try RunningRing { last.ran($0) }
        return { ring.send($0) }
      }
    }
  }

  /// The last event of each producer shows that all before it have run.
  private static func measured(_ method: Method, _ producers: Int) throws -> Double {
    let each = events / producers
    let last = LastEvent(each - 1)
    let send = try method.sender(last)
    let begin = DispatchTime.now().uptimeNanoseconds
    DispatchQueue.concurrentPerform(iterations: producers) { _ in
      for number in 0..<each { send(number) }
    }
    for _ in 0..<producers { last.wait() }
    return Double(DispatchTime.now().uptimeNanoseconds - begin) / Double(each * producers)
  }
}

/// Signals when a producer's last event runs.
///
/// Events capture only a word: a counted reference, which senders and receiver would all write, would add to the cost of every
/// method, most to the fastest. So it is never freed.
@safe
private struct LastEvent: Sendable {
  private final class State: Sendable {
    let number: Int
    let ended = DispatchSemaphore(value: 0)

    init(_ number: Int) { self.number = number }
  }

  private let state: Unmanaged<State>

  init(_ number: Int) { unsafe state = .passRetained(State(number)) }

  @Sendable func ran(_ number: Int) {
    unsafe state._withUnsafeGuaranteedRef { if number == $0.number { $0.ended.signal() } }
  }

  func wait() { unsafe state._withUnsafeGuaranteedRef { $0.ended.wait() } }
}

private final class Receiver {
  func receive(_ number: Int, _ last: LastEvent) { last.ran(number) }
}

/// The least that a hand-off takes: numbers in a fixed array, for one thread, without closures, priorities or sleep.
private final class RunningRing: Sendable {
  private let ring: Ring
  private let thread: PlatformThread

  init(_ event: @escaping @Sendable (Int) -> Void) throws {
    let ring = Ring()
    self.ring = ring
    thread = try PlatformThread(name: "ring") { ring.receive(event) }
  }

  deinit {
    ring.end()
    thread.join()
  }

  func send(_ number: Int) { ring.send(number) }
}

@safe
private final class Ring: Sendable {
  /// A number, and whose turn it is at its place: the sender's of this number of all, or, one higher, the receiver's.
  private struct Place: ~Copyable {
    let turn: Atomic<Int>
    let number = Atomic(0)
    // Apart from other places' cache lines.
    private let unused = (0, 0, 0, 0, 0, 0)

    init(_ turn: Int) { self.turn = Atomic(turn) }
  }

  private static let size = 4096
  private let sent = Atomic(0)
  private let isOver = Atomic(false)
  // Proof: allocated here, freed in `deinit`; in between only its atomics are accessed.
  private nonisolated(unsafe) let places: UnsafeMutablePointer<Place>

  init() {
    unsafe places = .allocate(capacity: Self.size)
    for turn in 0..<Self.size { unsafe (places + turn).initialize(to: Place(turn)) }
  }

  deinit {
    unsafe places.deinitialize(count: Self.size)
    unsafe places.deallocate()
  }

  func send(_ number: Int) {
    let turn = sent.add(1, ordering: .relaxed).oldValue
    let place = unsafe places + turn % Self.size
    _ = spin { unsafe place.pointee.turn.load(ordering: .acquiring) == turn }
    unsafe place.pointee.number.store(number, ordering: .relaxed)
    unsafe place.pointee.turn.store(turn + 1, ordering: .releasing)
  }

  func receive(_ event: (Int) -> Void) {
    var turn = 0
    while true {
      let place = unsafe places + turn % Self.size
      guard spin({ unsafe place.pointee.turn.load(ordering: .acquiring) == turn + 1 }) else {
        return
      }
      let number = unsafe place.pointee.number.load(ordering: .relaxed)
      unsafe place.pointee.turn.store(turn + Self.size, ordering: .releasing)
      event(number)
      turn += 1
    }
  }

  func end() { isOver.store(true, ordering: .relaxed) }

  /// Waits for a condition. Returns false if the ring has ended first.
  private func spin(_ condition: () -> Bool) -> Bool {
    var turns = 0
    while !condition() {
      if isOver.load(ordering: .relaxed) { return false }
      turns += 1
      // The awaited thread may need this processor.
      if turns % 100 == 0 { sched_yield() }
    }
    return true
  }
}
