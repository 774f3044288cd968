import Dispatch
import FrameBudget
import FrameBudgetRealTime

/// A lane whose poster waits until the event has run. This is not a useful lane, but the smallest possible carrier.
struct WaitingCarrier: Carrier {
  private let queue: DispatchQueue

  init(_ lane: Lane) { queue = DispatchQueue(label: lane.name) }

  func post(_ event: sending @escaping () -> Void, hasPriority: Bool) { queue.sync { event() } }

  func stop() { queue.sync {} }
}
