import Concurrency
import Foundation
import Testing

@testable import FrameBudgetTesting

struct `The clock of the main thread` {
  @Test func `counts sleep within an interval as blocked time`() {
    let stretch = Self.stretch { keepThread(.milliseconds(20)) }
    #expect(stretch.blocked >= 15_000_000 && stretch.cpu < 5_000_000, "\(stretch)")
  }

  @Test func `counts computation as processor time, whatever other threads do`() {
    let before = ThreadUse.processorTime
    let stretch = Self.stretch { burn(.milliseconds(20)) }
    let used = ThreadUse.processorTime - before
    #expect(stretch.blocked == 0)
    #expect(stretch.cpu >= 19_900_000 && stretch.cpu <= used + 100_000, "\(stretch)")
  }

  @Test(arguments: [false, true])
  func `excludes what the thread did between two intervals`(isTold: Bool) {
    var clock = MainThreadClock()
    _ = clock.end(clock.begin())
    keepThread(.milliseconds(20))
    clock.mayHaveSlept = isTold
    let start = clock.begin()
    burn(.milliseconds(2))
    let stretch = clock.end(start)
    #expect(stretch.blocked == 0)
    #expect(stretch.cpu >= 1_900_000, "\(stretch)")
  }

  @Test func `counts all of many short intervals`() {
    var clock = MainThreadClock()
    let before = ThreadUse.processorTime
    var sum: Int64 = 0
    for _ in 0..<20_000 {
      let stretch = clock.end(clock.begin())
      #expect(stretch.cpu >= 0 && stretch.blocked >= 0 && stretch.lost >= 0)
      sum += stretch.cpu
    }
    #expect(sum > 0 && sum <= ThreadUse.processorTime - before)
  }

  private static func stretch(_ work: () -> Void) -> MainThreadClock.Stretch {
    var clock = MainThreadClock()
    let start = clock.begin()
    work()
    return clock.end(start)
  }
}

struct `The loop's place` {
  @Test func `is the item that the main thread runs`() {
    let progress = LoopProgress()
    #expect(progress.current == nil)
    progress.begin(["add", "tap"])
    progress.enter(workload: 1, item: 70_000)
    #expect(progress.current?.workload == "tap" && progress.current?.item == 70_000)
    progress.enter(workload: 0, item: 0)
    #expect(progress.current?.workload == "add" && progress.current?.item == 0)
    progress.leave()
    #expect(progress.current == nil)
  }
}
