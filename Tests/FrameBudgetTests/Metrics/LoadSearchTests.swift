import FrameBudget
import Testing

@Suite struct `The search for the largest load` {
  @Test(arguments: [1, 2, 3, 7, 8, 99, 100, 101, 500, 999])
  func `finds the last one that is borne and the first that is not`(_ limit: Int) {
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

  @Test func `says so when not even the smallest is borne`() {
    let outcome = LoadSearch.largest(in: 5...1000) { .droppedFrames($0, mostly: .logic) }
    #expect(outcome.largest == nil)
    #expect(outcome.end?.load == 5)
    #expect(outcome.runs == 1)
  }

  @Test func `ends at the end of the range when everything is borne`() {
    let outcome = LoadSearch.largest(in: 5...1000) { _ in nil }
    #expect(outcome.largest == 1000)
    #expect(outcome.end == nil)
  }
}
