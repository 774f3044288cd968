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

struct TraitTests {
  @Test(.measuresFrames(patience: .seconds(20)), arguments: 0..<3)
  func `tests with the trait run one at a time, also of several suites`(number: Int) async throws {
    try await enter()
  }

  @Test func `a test waits until the main actor is quiet`() async {
    let jobs = Recorder<Int>()
    let isWaiting = Locked(true)
    let neighbour = Task.detached {
      for number in 0..<10 {
        await MainActor.run { burn(.milliseconds(20)) }
        if isWaiting.withLock({ $0 }) { jobs.add(number) }
      }
    }
    #expect(await eventually { jobs.count > 0 })
    #expect(await MainActorUse.untilQuiet(patience: .seconds(60)))
    isWaiting.withLock { $0 = false }
    await neighbour.value
    #expect(jobs.count == 10)
  }

  @Test func `the wait for a busy main actor ends`() async {
    let isOver = Locked(false)
    let neighbour = Task.detached {
      while !isOver.withLock({ $0 }) { await MainActor.run { burn(.milliseconds(5)) } }
    }
    #expect(await !MainActorUse.untilQuiet(patience: .milliseconds(300)))
    isOver.withLock { $0 = true }
    await neighbour.value
  }

  @Test func `short jobs are ignored, long ones and many are not`() {
    #expect(!ForeignJobs.disturb([], in: 0))
    #expect(!ForeignJobs.disturb([400_000], in: 1_000_000_000))
    #expect(ForeignJobs.disturb([600_000], in: 1_000_000_000))
    #expect(ForeignJobs.disturb(Array(repeating: 100_000, count: 30), in: 1_000_000_000))
  }
}
