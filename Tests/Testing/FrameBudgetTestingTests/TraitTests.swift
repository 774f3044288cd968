import FrameBudgetTraits
import SchedulableThreads
import TestSupport
import Testing

@testable import FrameBudgetTesting

private let inside = Locked((now: 0, most: 0))

/// Enters for as long as another test would take to enter too.
private func enter() async throws {
  let most = inside.withLock { inside in
    inside.now += 1
    inside.most = max(inside.most, inside.now)
    return inside.most
  }
  try await Task.sleep(for: .milliseconds(20))
  inside.withLock { $0.now -= 1 }
  #expect(most == 1)
}

@Suite(.measuresFrames) struct TraitOfSuiteTests {
  @Test(arguments: 0..<3)
  func `tests of a suite with the trait run one at a time`(number: Int) async throws {
    try await enter()
  }

  @Test(.measuresFrames) func `the trait of a test in such a suite waits for no second turn`()
    async throws
  {
    try await enter()
  }
}

/// Runs job after job on the main actor, until one of them wants no more.
///
/// Each job posts the next one, so that one waits or runs at any moment, however slow the machine is. A job takes longer than
/// the main actor has to be quiet.
private func keepMainActorBusy(_ wantsMore: @escaping @Sendable () -> Bool) {
  Task { @MainActor in
    burn(.milliseconds(150))
    if wantsMore() { keepMainActorBusy(wantsMore) }
  }
}

struct TraitTests {
  @Test(.measuresFrames(patience: .seconds(20)), arguments: 0..<3)
  func `tests with the trait run one at a time, also of several suites`(number: Int) async throws {
    try await enter()
  }

  @Test func `a test waits until the main actor is quiet`() async {
    let jobs = Recorder<Int>()
    keepMainActorBusy {
      jobs.add(jobs.count)
      return jobs.count < 4
    }
    #expect(await MainActorUse.untilQuiet(patience: .seconds(60)))
    #expect(jobs.count == 4)
  }

  @Test func `the wait for a busy main actor ends`() async {
    let (isOver, wasLast) = (Locked(false), Locked(false))
    keepMainActorBusy {
      let isLast = isOver.withLock { $0 }
      wasLast.withLock { $0 = isLast }
      return !isLast
    }
    #expect(await !MainActorUse.untilQuiet(patience: .milliseconds(300)))
    isOver.withLock { $0 = true }
    // Otherwise it would run beside the next test.
    #expect(await eventually { wasLast.withLock { $0 } })
  }

  @Test func `short jobs are ignored, long ones and many are not`() {
    #expect(!ForeignJobs.disturb([], in: 0))
    #expect(!ForeignJobs.disturb([400_000], in: 1_000_000_000))
    #expect(ForeignJobs.disturb([600_000], in: 1_000_000_000))
    #expect(ForeignJobs.disturb(Array(repeating: 100_000, count: 30), in: 1_000_000_000))
  }
}
