import FrameBudget

extension RandomStream {
  mutating func number(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + Int(next() % UInt64(range.count))
  }

  mutating func chance(_ percent: Int) -> Bool { number(1...100) <= percent }

  mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[number(0...(elements.count - 1))]
  }

  mutating func microseconds(_ range: ClosedRange<Int>) -> TimeSpan {
    .microseconds(Int64(number(range)))
  }
}
