internal import Concurrency
internal import FrameBudget

/// What items took of Swift's pool of threads.
///
/// An actor runs all that waits for it in one go, so whose work a piece on the pool was is not always known: what items of one
/// workload that arrived together took there is shared evenly among them.
struct PoolShares {
  /// By item, in the order of their ids: nanoseconds of processor time.
  let cpu: [Int64]

  init(_ measured: Measured) {
    var sums: [Arrived: Int64] = [:]
    var counts: [Arrived: Int64] = [:]
    for item in measured.items { counts[Arrived(item), default: 0] += 1 }
    for segment in measured.segments where segment.place == Measured.pool {
      let place = Int(segment.item) - 1
      guard measured.items.indices.contains(place) else { continue }
      sums[Arrived(measured.items[place]), default: 0] += segment.cpu
    }
    cpu = measured.items.map { item in
      let key = Arrived(item)
      return (sums[key] ?? 0) / max(1, counts[key] ?? 1)
    }
  }

  private struct Arrived: Hashable {
    let workload: Int
    let instant: Instant

    init(_ item: MeasuredItem) { (workload, instant) = (item.workload, item.arrival) }
  }
}
