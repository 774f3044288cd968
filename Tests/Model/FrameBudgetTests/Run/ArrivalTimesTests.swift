import Testing

@testable import FrameBudget

@Suite struct `The times of arrival` {
  @Test(arguments: [[], [7], [7, 7, 7], [0, 0, 5, 5, 5, 9], [1, 2, 3, 4, 5, 6, 7]] as [[Int64]])
  func `equal those that were appended, by index and as a sequence`(_ instants: [Int64]) {
    var times = ArrivalTimes()
    for instant in instants { times.append(instant) }
    #expect(Array(times) == instants)
    #expect(times.indices.map { times[$0] } == instants)
    #expect(times.first == instants.first && times.last == instants.last)
  }
}
