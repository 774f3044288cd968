import SchedulableThreads
import Foundation
import Testing

@testable import FrameBudgetTesting

struct `The clock of the main thread` {
  @Test func `counts sleep within an interval as blocked time`() {
    let interval = Self.interval { keepThread(.milliseconds(20)) }
    #expect(interval.blocked >= 15_000_000 && interval.cpu < 5_000_000, "\(interval)")
  }

  @Test func `counts computation as processor time, whatever other threads do`() {
    let interval = Self.unstopped {
      let before = ThreadUse.processorTime
      let interval = Self.interval { burn(.milliseconds(20)) }
      let used = ThreadUse.processorTime - before
      #expect(interval.cpu >= 19_900_000 && interval.cpu <= used + 100_000, "\(interval)")
      return interval
    }
    #expect(interval.blocked == 0)
  }

  @Test(arguments: [false, true])
  func `excludes what the thread did between two intervals`(isTold: Bool) {
    let interval = Self.unstopped {
      var clock = MainThreadClock()
      _ = clock.end(clock.begin())
      keepThread(.milliseconds(20))
      clock.mayHaveSlept = isTold
      let start = clock.begin()
      burn(.milliseconds(2))
      let interval = clock.end(start)
      #expect(interval.cpu >= 1_900_000, "\(interval)")
      return interval
    }
    #expect(interval.blocked == 0)
  }

  @Test func `counts all of many short intervals`() {
    var clock = MainThreadClock()
    let before = ThreadUse.processorTime
    var sum: Int64 = 0
    for _ in 0..<20_000 {
      let interval = clock.end(clock.begin())
      #expect(interval.cpu >= 0 && interval.blocked >= 0 && interval.lost >= 0)
      sum += interval.cpu
    }
    #expect(sum > 0 && sum <= ThreadUse.processorTime - before)
  }

  /// The first of up to five intervals without a sleep, or the last: a process that is stopped sleeps.
  private static func unstopped(
    _ measure: () -> MainThreadClock.MeasuredInterval
  ) -> MainThreadClock.MeasuredInterval {
    var interval = measure()
    for _ in 1..<5 where interval.blocked > 0 { interval = measure() }
    return interval
  }

  private static func interval(_ work: () -> Void) -> MainThreadClock.MeasuredInterval {
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
    #expect(progress.current == .item(workload: "tap", 70_000))
    progress.enter(workload: 0, item: 0)
    #expect(progress.current == .item(workload: "add", 0))
    progress.enterFrame()
    #expect(progress.current == .frame)
    progress.leave()
    #expect(progress.current == nil)
  }
}
