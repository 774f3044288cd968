internal import Concurrency
internal import FrameBudget
internal import Statistics

/// What the items of one workload took, by the clocks of the threads that they ran on.
///
/// A thread's clock says nothing across a suspension, so an item is the sum of its segments: what ran from one suspension to
/// the next without a pause.
public struct ClosureCost: Sendable {
  /// The workload's name.
  public let name: String
  /// Items that were begun.
  public let items: Int
  /// Processor time of the main thread for an item; the mean without the lowest and the highest fifth.
  public let main: Duration
  /// The longest that one segment kept the main thread, processor time and sleep together.
  public let longestOnMain: Duration
  /// Processor time of other threads for an item; the same mean.
  public let elsewhere: Duration
  /// Time in which an item's thread slept within a segment, in all items.
  public let blocked: Duration
  /// Where segments ran, `main` first: the scheduler's name, or `pool` for Swift's own threads.
  public let places: [Place]
  /// By item, in nanoseconds: processor time on all threads.
  let samples: [Double]

  /// A thread or queue on which segments of a workload ran.
  public struct Place: Sendable {
    /// What it is called.
    public let name: String
    /// How many segments ran there.
    public let segments: Int
    /// Processor time of all of them.
    public let processorTime: Duration
  }

  init(_ workload: Int, of measured: Measured) {
    name = measured.workloads[workload].name
    let own = measured.items.indices.filter { measured.items[$0].workload == workload }
    items = own.count
    var main: [Int: Int64] = [:]
    var elsewhere: [Int: Int64] = [:]
    var places: [String: (count: Int, cpu: Int64)] = [:]
    var (longest, blocked) = (Int64(0), Int64(0))
    let ids = Set(own.map { UInt32($0 + 1) })
    for segment in measured.segments where ids.contains(segment.item) {
      let item = Int(segment.item) - 1
      if segment.place == Measured.main {
        main[item, default: 0] += segment.cpu
        longest = max(longest, segment.cpu + segment.blocked)
      } else if segment.place != Measured.pool {
        elsewhere[item, default: 0] += segment.cpu
      }
      blocked += segment.blocked
      places[segment.place, default: (0, 0)].count += 1
      places[segment.place, default: (0, 0)].cpu += segment.cpu
    }
    let shares = PoolShares(measured).cpu
    for item in own { elsewhere[item, default: 0] += shares[item] }
    samples = own.map { Double((main[$0] ?? 0) + (elsewhere[$0] ?? 0)) }
    self.main = Self.mean(own.map { main[$0] ?? 0 })
    self.elsewhere = Self.mean(own.map { elsewhere[$0] ?? 0 })
    longestOnMain = .nanoseconds(longest)
    self.blocked = .nanoseconds(blocked)
    self.places = places.keys.sorted { left, right in
      left == Measured.main || (right != Measured.main && left < right)
    }.map { name in
      let sum = places[name] ?? (0, 0)
      return Place(name: name, segments: sum.count, processorTime: .nanoseconds(sum.cpu))
    }
  }

  private static func mean(_ values: [Int64]) -> Duration {
    values.isEmpty ? .zero : .nanoseconds(Int64(Sample(values.map(Double.init)).trimmedMean))
  }
}
