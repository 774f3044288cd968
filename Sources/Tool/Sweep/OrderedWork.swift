internal import Concurrency
internal import Dispatch

/// Makes things on several threads and hands them out in their order, through a window of bounded size: whoever is
/// ahead waits, so that what is made and not taken yet takes little memory.
final class OrderedWork<Output: Sendable>: Sendable {
  private struct State {
    /// The first that nobody makes yet.
    var next = 0
    var made: [Int: Output] = [:]
    var isStopped = false
  }

  private let count: Int
  private let make: @Sendable (Int) -> Output
  private let state = Locked(State())
  private let room = DispatchSemaphore(value: 0)
  private let news = DispatchSemaphore(value: 0)

  private init(_ count: Int, _ make: @escaping @Sendable (Int) -> Output) {
    self.count = count
    self.make = make
  }

  /// Hands `take` what `make` makes of 0 up to `count`, until it says false.
  ///
  /// With one job, or where there can be no threads, both run on the caller's thread.
  static func run<Failure: Error>(
    _ count: Int, jobs: Int, _ make: @escaping @Sendable (Int) -> Output,
    take: (Output) throws(Failure) -> Bool
  ) throws(Failure) {
    let work = OrderedWork(count, make)
    let threads = jobs > 1 ? work.start(jobs) : []
    defer {
      work.stop()
      for thread in threads { thread.join() }
    }
    for place in 0..<count {
      guard try take(threads.isEmpty ? make(place) : work.output(place)) else { return }
    }
  }

  private static var windowOfEach: Int { 4 }

  private func start(_ jobs: Int) -> [PlatformThread] {
    for _ in 0..<(jobs * Self.windowOfEach) { room.signal() }
    return (0..<jobs).compactMap { job in
      try? PlatformThread(name: "sweep \(job + 1)") { [self] in work() }
    }
  }

  private func work() {
    while true {
      room.wait()
      let place = state.withLock { state -> Int? in
        guard !state.isStopped, state.next < count else { return nil }
        defer { state.next += 1 }
        return state.next
      }
      // The next thread that waits for room is to end too.
      guard let place else { return _ = room.signal() }
      let output = make(place)
      state.withLock { $0.made[place] = output }
      news.signal()
    }
  }

  private func output(_ place: Int) -> Output {
    while true {
      if let output = state.withLock({ $0.made.removeValue(forKey: place) }) {
        room.signal()
        return output
      }
      news.wait()
    }
  }

  private func stop() {
    state.withLock { $0.isStopped = true }
    room.signal()
  }
}
