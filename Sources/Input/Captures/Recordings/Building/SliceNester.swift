internal import FrameBudget

/// Nests the slices of one thread.
struct SliceNester {
  /// Nests `slices`, which are in any order and of any depth. Also returns the number of those that ended after the slice in
  /// which they began, and were cut off there.
  static func nest(_ slices: consuming [RecordedSlice]) -> (slices: [RecordedSlice], cut: Int) {
    let nester = Self(slices)
    return (nester.slices, nester.cut)
  }

  /// With clocks of whole microseconds, slices may be too long or too early by this much.
  static let rounding = TimeSpan.microseconds(2)

  private var slices: [RecordedSlice]
  private var cut = 0
  /// Slices that may contain the next one, the outermost first.
  private var open: [Int] = []

  private init(_ slices: consuming [RecordedSlice]) {
    self.slices = slices
    if !isInOrder { self.slices.sort(by: Self.comesFirst) }
    for index in self.slices.indices { place(index) }
  }

  private static func comesFirst(_ left: RecordedSlice, _ right: RecordedSlice) -> Bool {
    left.begin == right.begin ? left.length > right.length : left.begin < right.begin
  }

  private var isInOrder: Bool {
    !zip(slices, slices.dropFirst()).contains { Self.comesFirst($1, $0) }
  }

  private mutating func place(_ index: Int) {
    let (begin, end) = (slices[index].begin, slices[index].end)
    while let last = open.last, slices[last].end <= begin { open.removeLast() }
    // A slice that overlaps this one only by rounding has ended before it.
    while let last = open.last, slices[last].end < end, slices[last].end - begin <= Self.rounding {
      slices[last].length = begin - slices[last].begin
      open.removeLast()
    }
    if let last = open.last, slices[last].end < end {
      if end - slices[last].end > Self.rounding { cut += 1 }
      slices[index].length = slices[last].end - begin
    }
    slices[index].depth = Int32(open.count)
    open.append(index)
  }
}
