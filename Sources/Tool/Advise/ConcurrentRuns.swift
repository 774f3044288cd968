internal import Advice
internal import Concurrency
internal import RealTime
internal import Reports

/// Makes runs in virtual time on several threads, until somebody ends it.
struct ConcurrentRuns: RunMaker {
  private let jobs: Int
  private let bar: RunCountBar?

  /// - Parameters:
  ///   - jobs: how many at once; nil for this machine's cores.
  ///   - bar: what counts them where somebody sees it.
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
    OrderedWork.run(count, jobs: min(jobs, count)) { place in
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

/// How many runs were made so far, drawn a few times a second: how many there will be nobody knows.
final class RunCountBar: Sendable {
  private let bar: ProgressLine
  private let state = Locked((runs: 0, drawn: ContinuousClock.now))

  /// Nil where there is no terminal to draw on.
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
