import Testing

@testable import FrameBudgetAdvice

@Suite struct `The search for the first bad commit` {
  /// All lines of up to nine commits, all first bad ones, all sets of commits that cannot be judged.
  @Test func `ends with it, or with it and the undecided ones before it`() {
    for count in 1...9 {
      for first in 0..<count {
        for skipped in 0..<(1 << count) {
          var search = FirstBadSearch(count: count)
          var judged: Set<Int> = []
          while let place = search.next {
            #expect(judged.insert(place).inserted && place < search.bad && place > search.good)
            let isUndecided = skipped >> place & 1 == 1
            search.note(isUndecided ? .undecided : place < first ? .good : .bad, at: place)
          }
          let suspects = search.suspects
          #expect(suspects.contains(first))
          #expect(suspects.dropLast().allSatisfy { skipped >> $0 & 1 == 1 })
        }
      }
    }
  }

  @Test func `judges as few commits as halves need`() {
    for count in 1...300 {
      for first in 0..<count {
        var search = FirstBadSearch(count: count)
        var tries = 0
        while let place = search.next {
          search.note(place < first ? .good : .bad, at: place)
          tries += 1
        }
        #expect(search.suspects == first...first)
        #expect(1 << tries < 2 * count, "\(count), \(first): \(tries)")
      }
    }
  }
}
