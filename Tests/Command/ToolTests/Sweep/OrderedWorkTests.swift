import SchedulableThreads
import Foundation
import Testing

@testable import FrameBudgetCLI

struct `Ordered work` {
  @Test(arguments: [1, 2, 3, 8])
  func `returns in order the results that threads produce in any order`(_ jobs: Int) {
    var taken: [Int] = []
    OrderedWork.run(200, jobs: jobs) { place in
      // Some take far longer than those behind them.
      if place % 17 == 0 { Thread.sleep(forTimeInterval: 0.002) }
      return place * place
    } take: {
      taken.append($0)
      return true
    }
    #expect(taken == (0..<200).map { $0 * $0 })
  }

  @Test(arguments: [1, 2, 8])
  func `produces little more than is consumed`(_ jobs: Int) {
    let made = Locked(0)
    var most = 0
    var taken = 0
    OrderedWork.run(500, jobs: jobs) { _ in
      made.withLock { $0 += 1 }
    } take: {
      taken += 1
      most = max(most, made.withLock(\.self) - taken)
      return true
    }
    #expect(most <= jobs * 5)
  }

  @Test(arguments: [1, 2])
  func `leaves behind what is not wanted any more`(_ jobs: Int) {
    let release = DispatchSemaphore(value: 0)
    let isBegun = Locked(false)
    var taken: [Int] = []
    OrderedWork.run(10, jobs: jobs, while: { !isBegun.withLock(\.self) }) { place in
      if place == 3 {
        isBegun.withLock { $0 = true }
        release.wait()
      }
      return place
    } take: {
      taken.append($0)
      return true
    }
    // The output that takes long would come only now.
    release.signal()
    #expect(taken == Array(0..<taken.count) && taken.count <= 3)
  }

  @Test(arguments: [1, 2, 8])
  func `stops when told, and at an error`(_ jobs: Int) {
    struct Stop: Error, Equatable {}
    var taken = 0
    OrderedWork.run(1000, jobs: jobs) {
      $0
    } take: { (place: Int) -> Bool in
      taken = place
      return place < 10
    }
    #expect(taken == 10)
    #expect(throws: Stop()) {
      try OrderedWork.run(1000, jobs: jobs) {
        $0
      } take: { (place: Int) throws(Stop) in
        if place == 3 { throw Stop() }
        return true
      }
    }
  }
}
