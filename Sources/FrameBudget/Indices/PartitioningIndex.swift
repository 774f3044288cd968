extension RandomAccessCollection {
  /// The first index from which on `isBehind` holds, in a collection where it does not hold before; `endIndex` where it
  /// holds nowhere. It is asked of as few elements as halving takes.
  @inlinable
  package func partitioningIndex(where isBehind: (Element) -> Bool) -> Index {
    var low = startIndex
    var left = count
    while left > 0 {
      let half = left / 2
      let middle = index(low, offsetBy: half)
      if isBehind(self[middle]) {
        left = half
      } else {
        low = index(after: middle)
        left -= half + 1
      }
    }
    return low
  }
}
