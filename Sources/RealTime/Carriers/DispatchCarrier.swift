internal import Dispatch
public import FrameBudget

/// A lane on a serial dispatch queue.
public struct DispatchCarrier: Carrier {
  private let queue: DispatchQueue

  public init(_ lane: Lane) { queue = DispatchQueue(label: lane.name, qos: lane.serviceClass) }

  public func post(_ event: sending @escaping () -> Void, hasPriority: Bool) {
    let posted = PostedEvent(event)
    queue.async { posted.run() }
  }

  public func send(_ number: Int, to tally: EventTally) {
    queue.async { tally.ran(number) }
  }

  public func stop() { queue.sync {} }
}

extension Lane {
  /// The class whose threads Dispatch gives this lane's nice value on Linux.
  var serviceClass: DispatchQoS {
    switch nice {
    case 10: .background
    case 2: .utility
    case -2: .userInitiated
    default: .default
    }
  }
}
