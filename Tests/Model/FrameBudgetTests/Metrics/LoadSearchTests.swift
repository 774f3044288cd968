import FrameBudget
import Testing

@Suite struct `The search for the largest load` {
  @Test(arguments: [1, 2, 3, 7, 8, 99, 100, 101, 500, 999])
  func `finds the largest load without overload and the smallest with it`(_ limit: Int) {
    var tried: [Int] = []
    let outcome = LoadSearch.largest(in: 1...1000) { load in
      tried.append(load)
      return load > limit ? .droppedFrames(load, mostly: .logic) : nil
    }
    #expect(outcome.largest == limit)
    #expect(outcome.end?.load == limit + 1)
    #expect(outcome.end?.overload == .droppedFrames(limit + 1, mostly: .logic))
    #expect(outcome.runs == tried.count)
    #expect(tried.count <= 21)
    #expect(Set(tried).count == tried.count)
  }

  @Test(arguments: [1...1, 1...2, 1...1000, 1...1024, 5...1000, 7...8, 0...3, 100...130])
  func `makes at most the promised number of runs, and exactly as many in the worst case`(
    _ range: ClosedRange<Int>
  ) {
    let runs = (range.lowerBound - 1...range.upperBound).map { limit in
      LoadSearch.largest(in: range) { $0 > limit ? .droppedFrames(1, mostly: .logic) : nil }.runs
    }
    #expect(runs.max() == LoadSearch.maxRuns(in: range))
  }

  @Test func `reports that even the smallest load is too much`() {
    let outcome = LoadSearch.largest(in: 5...1000) { .droppedFrames($0, mostly: .logic) }
    #expect(outcome.largest == nil)
    #expect(outcome.end?.load == 5)
    #expect(outcome.runs == 1)
  }

  @Test func `ends at the largest load of the range if none is too much`() {
    let outcome = LoadSearch.largest(in: 5...1000) { _ in nil }
    #expect(outcome.largest == 1000)
    #expect(outcome.end == nil)
  }
}
