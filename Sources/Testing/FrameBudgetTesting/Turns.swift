internal import FrameRecording
internal import SchedulableThreads

/// Lets one caller at a time go on, in the order of arrival.
package final class Turns: Sendable {
  private let line = Locked(Line())

  private struct Line {
    var isTaken = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  /// The turns of the measurements of this process.
  static let measurements = Turns()

  package init() {}

  package func acquire() async {
    await withCheckedContinuation { continuation in
      let isFree = line.withLock { line in
        if !line.isTaken {
          line.isTaken = true
          return true
        }
        line.waiting.append(continuation)
        return false
      }
      if isFree { continuation.resume() }
    }
  }

  package func release() {
    let next = line.withLock { line -> CheckedContinuation<Void, Never>? in
      guard !line.waiting.isEmpty else {
        line.isTaken = false
        return nil
      }
      return line.waiting.removeFirst()
    }
    next?.resume()
  }
}

/// The use of the main actor by other code, which would disturb a measurement.
package enum MainActorUse {
  /// How long the main actor has to be quiet.
  private static let window = Duration.milliseconds(100)

  /// Waits until no measurement runs, and no other code has used the main actor for a while.
  ///
  /// - Parameter patience: the longest wait for the other code.
  /// - Returns: whether the main actor is quiet.
  @discardableResult
  package static func untilQuiet(patience: Duration) async -> Bool {
    await Turns.measurements.acquire()
    defer { Turns.measurements.release() }
    let uses = ObservedUses()
    // While a FrameRecorder observes the main actor, the measurement fails anyway.
    guard MainJobs.begin(uses) else { return false }
    defer { MainJobs.end() }
    // Whatever was posted before is not observed, but runs before this.
    await MainActor.run {}
    let end = ContinuousClock.now + patience
    while ContinuousClock.now < end {
      uses.forget()
      do { try await Task.sleep(for: window) } catch { return false }
      if uses.areIgnored(within: window) { return true }
    }
    return false
  }
}

/// The jobs of the main actor since a moment.
private final class ObservedUses: MainJobObserver {
  private let foreign = Locked<[Int64]>([])

  func posted(_ job: UInt) -> PostedJob? {
    PostedJob(item: 0, poster: 0, posted: ThreadUse.clock)
  }

  func run(_ job: PostedJob, _ body: () -> Void) {
    let before = ThreadUse.processorTime
    body()
    foreign.withLock { $0.append(ThreadUse.processorTime - before) }
  }

  func forget() { foreign.withLock { $0 = [] } }

  /// Whether they are so short that a measurement of that length would ignore them, and none waits or runs.
  func areIgnored(within window: Duration) -> Bool {
    MainJobs.areOver
      && !ForeignJobs.disturb(foreign.withLock { $0 }, in: Int64(window / .nanoseconds(1)))
  }
}

/// Jobs of the main actor that no item of a measurement started.
enum ForeignJobs {
  /// In nanoseconds: the main actor's usual jobs between tests are shorter.
  private static let longestIgnored: Int64 = 500_000
  /// The fraction of the time.
  private static let ignoredShare = 0.002

  /// Whether jobs that took so many nanoseconds change the verdict on a measurement of `duration` nanoseconds.
  static func disturb(_ jobs: [Int64], in duration: Int64) -> Bool {
    jobs.contains { $0 > longestIgnored }
      || Double(jobs.reduce(0, +)) / Double(max(1, duration)) > ignoredShare
  }
}
