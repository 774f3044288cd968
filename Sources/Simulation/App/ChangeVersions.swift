internal import FrameBudget

/// Which change of a published service each item under way has made, so that one can say whether a snapshot
/// misses a finished item.
struct ChangeVersions {
  /// The services that are published.
  let published: [ServiceIndex]
  /// By thread and published service: the newest change by the item that runs there; 0 if none.
  private var current: ContiguousArray<Int>
  /// By workload and published service, then by item: for items that went on to another lane.
  private var carried: ContiguousArray<ContiguousArray<Int>>

  init(of published: [ServiceIndex], threads: Int, plan: RunPlan) {
    self.published = published
    current = ContiguousArray(repeating: 0, count: threads * published.count)
    carried = ContiguousArray(repeating: [], count: plan.workloads.count * published.count)
  }

  /// Notes that the item on `thread` made `version` of `service`.
  mutating func note(_ version: Int, of service: ServiceIndex, on thread: ThreadIndex) {
    guard let place = published.firstIndex(of: service) else { return }
    current[thread.position * published.count + place] = version
  }

  /// Keeps what the item on `thread` has changed: it leaves for another lane.
  mutating func carry(_ item: Item, from thread: ThreadIndex) {
    for place in published.indices {
      let version = take(place, on: thread)
      if version == 0 { continue }
      let list = item.workload.position * published.count + place
      let missing = Int(item.number) + 1 - carried[list].count
      if missing > 0 { carried[list].append(contentsOf: repeatElement(0, count: missing)) }
      // Parts of an item leave one after another, and each knows what it has changed itself.
      carried[list][Int(item.number)] = max(carried[list][Int(item.number)], version)
    }
  }

  /// The newest change that `item`, done on `thread`, made of the published service at `place`; 0 if none.
  mutating func newest(of item: Item, on thread: ThreadIndex, at place: Int) -> Int {
    let version = take(place, on: thread)
    let list = item.workload.position * published.count + place
    guard carried[list].indices.contains(Int(item.number)) else { return version }
    return max(version, carried[list][Int(item.number)])
  }

  private mutating func take(_ place: Int, on thread: ThreadIndex) -> Int {
    let index = thread.position * published.count + place
    defer { current[index] = 0 }
    return current[index]
  }
}
