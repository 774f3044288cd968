internal import FrameBudget

/// An item on its way through its steps.
struct LiveItem: Hashable, Sendable {
  let workload: WorkloadIndex
  /// Its place in its workload, from 0: the sequence number by which lost and repeated items are found.
  let number: Int
  /// The step that comes next.
  var step = 0
  /// Whether it is a part of the item: this one step, which the rest of it does not await.
  var isFork = false

  init(workload: WorkloadIndex, number: Int) {
    self.workload = workload
    self.number = number
  }

  /// The part that is its next step, for another lane to do.
  var part: LiveItem {
    var part = self
    part.isFork = true
    return part
  }

  /// The item itself, with this step next.
  func at(_ step: Int) -> LiveItem {
    var item = LiveItem(workload: workload, number: number)
    item.step = step
    return item
  }

  init(_ arrival: ArrivalSchedule.Item) {
    self.init(workload: arrival.workload, number: arrival.number)
  }
}
