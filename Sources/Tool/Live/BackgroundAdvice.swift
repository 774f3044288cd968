internal import Advice
internal import Concurrency
internal import SchedulableObjects

/// A search for advice beside a run that somebody watches: on one thread, which gives way to all others.
final class BackgroundAdvice: Sendable {
  private struct State {
    var isStopped = false
    var runs = 0
    var answer: Advice?
  }

  private let state = Locked(State())
  private let thread: ThreadScheduler

  /// Begins it.
  init(_ request: AdviceRequest) throws(ThreadError) {
    thread = try ThreadScheduler(name: "advice", nice: 19)
    let state = state
    thread.schedule {
      let advice = Adviser(request, maker: WatchedRuns(state: state)).advice()
      state.withLock { $0.answer = advice }
    }
  }

  /// What came of it; nil while it goes on.
  var answer: Advice? { state.withLock { $0.answer } }

  /// How many were made by now.
  var runs: Int { state.withLock { $0.runs } }

  /// Ends it after the run that is under way.
  func stop() {
    state.withLock { $0.isStopped = true }
    thread.shutdownAndWait()
  }

  /// One run after the other, until it is stopped.
  private struct WatchedRuns: RunMaker {
    let state: Locked<State>

    var isInterrupted: Bool { state.withLock { $0.isStopped } }

    func outputs<Output: Sendable>(
      _ count: Int, _ make: @escaping @Sendable (Int) -> Output
    ) -> [Output] {
      var outputs: [Output] = []
      for place in 0..<count {
        let isStopped = state.withLock { state in
          state.runs += 1
          return state.isStopped
        }
        if isStopped { break }
        outputs.append(make(place))
      }
      return outputs
    }
  }
}
