import FrameBudget

extension RandomStream {
  mutating func number(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + Int(next() % UInt64(range.count))
  }

  /// One of `count` lanes, or locks, and so on.
  mutating func index<Kind>(among count: Int) -> TypedIndex<Kind> {
    TypedIndex(number(0...(count - 1)))
  }

  mutating func chance(_ percent: Int) -> Bool { number(1...100) <= percent }

  mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[number(0...(elements.count - 1))]
  }

  mutating func microseconds(_ range: ClosedRange<Int>) -> TimeSpan {
    .microseconds(Int64(number(range)))
  }
}
