import Testing

@testable import FrameBudget

struct PartitioningIndexTests {
  @Test(arguments: 0...17) func `equals the index of the first element that matches`(count: Int) {
    let numbers = (0..<count).map { 2 * $0 }
    for limit in -1...2 * count {
      #expect(
        numbers.partitioningIndex { $0 >= limit }
          == numbers.firstIndex { $0 >= limit } ?? numbers.endIndex)
    }
  }

  @Test func `belongs to the indices of the slice`() {
    let numbers = [9, 9, 1, 2, 3]
    #expect(numbers[2...].partitioningIndex { $0 > 1 } == 3)
    #expect(numbers[2...].partitioningIndex { $0 > 3 } == 5)
    #expect(numbers[2...].partitioningIndex { $0 > 0 } == 2)
  }
}
