internal import CFrameBudgetLinux
internal import SchedulableThreads
internal import Synchronization

/// Events that producers, each on a thread of its own, post as fast as they can.
struct EventStream {
  let carrier: any Carrier
  let producers: Int
  /// The number of events of all producers together.
  let events: Int
  /// Whether each post is timed, which slows the stream down.
  var isTimed = false

  struct Outcome {
    /// From the moment the last producer was ready until the last event had run.
    var nanoseconds: Int64
    /// The duration of each post; empty if not timed.
    var posts: [Int64] = []
  }

  func run() throws(CarrierError) -> Outcome {
    let tally = EventTally()
    tally.expect(events)
    let start = StartBarrier(producers)
    let posts = Locked<[Int64]>([])
    let threads = try startProducers { numbers in
      let times = start.crossed { produce(numbers, to: tally) }
      posts.withLock { $0 += times }
    }
    let end = tally.wait()
    for thread in threads { thread.join() }
    guard tally.sumOfNumbers == events * (events - 1) / 2 else {
      throw CarrierError("the carrier did not run each event once")
    }
    return Outcome(nanoseconds: end - start.time, posts: posts.withLock { $0 })
  }

  private func startProducers(
    _ body: @escaping @Sendable (Range<Int>) -> Void
  ) throws(CarrierError) -> [PlatformThread] {
    try CarrierError.wrapping {
      try (0..<producers).map { index in
        let numbers = events * index / producers..<events * (index + 1) / producers
        return try PlatformThread(name: "producer \(index)") { body(numbers) }
      }
    }
  }

  private func produce(_ numbers: Range<Int>, to tally: EventTally) -> [Int64] {
    isTimed ? timed(numbers, to: tally) : untimed(numbers, to: tally)
  }

  private func untimed(_ numbers: Range<Int>, to tally: EventTally) -> [Int64] {
    for number in numbers { carrier.send(number, to: tally) }
    return []
  }

  private func timed(_ numbers: Range<Int>, to tally: EventTally) -> [Int64] {
    var times = [Int64](repeating: 0, count: numbers.count)
    var before = clinux_monotonic()
    for number in numbers {
      carrier.send(number, to: tally)
      let after = clinux_monotonic()
      times[number - numbers.lowerBound] = after - before
      before = after
    }
    return times
  }
}

/// Lets producers wait for one another, so that none starts early.
private final class StartBarrier: Sendable {
  private let missing: Atomic<Int>
  private let startedAt = Atomic<Int64>(0)

  init(_ count: Int) { missing = Atomic(count) }

  /// When the last producer arrived.
  var time: Int64 { startedAt.load(ordering: .acquiring) }

  func crossed<R>(_ body: () -> R) -> R {
    if missing.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 {
      startedAt.store(clinux_monotonic(), ordering: .releasing)
    }
    while time == 0 {}
    return body()
  }
}
