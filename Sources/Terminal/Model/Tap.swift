internal import FrameBudget

/// Somebody who waits for the picture that shows what they asked for.
struct Tap: Hashable, Sendable {
  let at: Instant
  /// Nil while they wait.
  let answer: Instant?
  let isLate: Bool
}

extension Array {
  /// The first place from which on `isBehind` is true, in an array where it is false before.
  func partitioningIndex(_ isBehind: (Element) -> Bool) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = low + (high - low) / 2
      if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
