internal import FrameBudgetAdvice
internal import SchedulableThreads
internal import Dispatch
internal import FrameBudgetRealTime
internal import FrameBudget
internal import FrameBudgetReports

/// Makes runs in virtual time on several threads, until the user interrupts.
struct ConcurrentRuns: RunMaker {
  private let jobs: Int
  private let bar: RunCountBar?

  /// - Parameters:
  ///   - jobs: the number of concurrent runs; nil for the number of this machine's cores.
  ///   - bar: shows the number of finished runs.
  init(jobs: Int?, showing bar: RunCountBar?) {
    self.jobs = jobs ?? HostFacts.usableCores
    self.bar = bar
  }

  var isInterrupted: Bool { Interruption.signal != nil }

  func outputs<Output: Sendable>(
    _ count: Int, _ make: @escaping @Sendable (Int) -> Output
  ) -> [Output] {
    var outputs: [Output] = []
    outputs.reserveCapacity(count)
    OrderedWork.run(count, jobs: min(jobs, count), while: { !isInterrupted }) { place in
      isInterrupted ? nil : make(place)
    } take: { (output: Output?) in
      guard let output else { return false }
      outputs.append(output)
      bar?.count()
      return true
    }
    return outputs
  }
}

/// Draws the number of finished runs a few times a second. The total is not known.
final class RunCountBar: Sendable {
  private let bar: ProgressLine
  private let state = Locked((runs: 0, drawn: ContinuousClock.now))

  /// Nil if there is no terminal.
  init?(on console: Console) {
    guard let bar = ProgressLine(on: console) else { return nil }
    self.bar = bar
  }

  func count() {
    let runs = state.withLock { state -> Int? in
      state.runs += 1
      let now = ContinuousClock.now
      guard now - state.drawn >= ProgressLine.pause else { return nil }
      state.drawn = now
      return state.runs
    }
    guard let runs else { return }
    bar.draw(English.count(runs, "run"))
  }

  func wipe() { bar.wipe() }
}

extension Array where Element: Sendable {
  /// Like `map`, on all of this machine's cores at once.
  func concurrentMap<Output: Sendable>(
    _ transform: @escaping @Sendable (Element) -> Output
  ) -> [Output] {
    var outputs: [Output] = []
    OrderedWork.run(count, jobs: Swift.min(count, HostFacts.usableCores)) {
      transform(self[$0])
    } take: {
      outputs.append($0)
      return true
    }
    return outputs
  }
}

/// Computes outputs on several threads and returns them in order. A window of bounded size limits the outputs that wait, and so
/// the memory.
final class OrderedWork<Output: Sendable>: Sendable {
  private struct State {
    /// The next output to compute.
    var next = 0
    var made: [Int: Output] = [:]
    var isStopped = false
  }

  private let count: Int
  private let make: @Sendable (Int) -> Output
  private let state = Locked(State())
  private let room = DispatchSemaphore(value: 0)
  private let outputReady = DispatchSemaphore(value: 0)

  private init(_ count: Int, _ make: @escaping @Sendable (Int) -> Output) {
    self.count = count
    self.make = make
  }

  /// Calls `take` with the outputs of `make` for 0 up to `count`, in order, until it returns false.
  ///
  /// With one job, or if no thread can be created, both run on the caller's thread. With `isWanted` threads are used even so, and
  /// it returns soon after that has become false, however long an output still takes: the thread is left behind.
  static func run<Failure: Error>(
    _ count: Int, jobs: Int, while isWanted: (() -> Bool)? = nil,
    _ make: @escaping @Sendable (Int) -> Output, take: (Output) throws(Failure) -> Bool
  ) throws(Failure) {
    let work = OrderedWork(count, make)
    let threads = jobs > 1 || isWanted != nil ? work.start(jobs) : []
    var isLeft = false
    defer {
      work.stop()
      if !isLeft { for thread in threads { thread.join() } }
    }
    for place in 0..<count {
      guard let output = threads.isEmpty ? make(place) : work.output(place, while: isWanted) else {
        isLeft = true
        return
      }
      guard try take(output) else { return }
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
      // Wakes the next thread that waits for room, which must end too.
      guard let place else { return _ = room.signal() }
      let output = make(place)
      state.withLock { $0.made[place] = output }
      outputReady.signal()
    }
  }

  /// Nil if it is not wanted any more.
  private func output(_ place: Int, while isWanted: (() -> Bool)?) -> Output? {
    while true {
      if let output = state.withLock({ $0.made.removeValue(forKey: place) }) {
        room.signal()
        return output
      }
      guard let isWanted else {
        outputReady.wait()
        continue
      }
      guard isWanted() else { return nil }
      _ = outputReady.wait(timeout: .now() + .milliseconds(50))
    }
  }

  private func stop() {
    state.withLock { $0.isStopped = true }
    room.signal()
  }
}
