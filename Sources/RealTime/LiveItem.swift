internal import FrameBudget

/// An item on its way through its steps.
struct LiveItem: Hashable, Sendable {
  let workload: WorkloadIndex
  /// Its place in its workload, from 0: the sequence number by which lost and repeated items are found.
  let number: Int
  /// The step that comes next.
  var step = 0

  init(workload: WorkloadIndex, number: Int) {
    self.workload = workload
    self.number = number
  }

  init(_ arrival: ArrivalSchedule.Item) {
    self.init(workload: arrival.workload, number: arrival.number)
  }
}
