public import FrameBudget
internal import SchedulableObjects

/// A lane on the library's scheduler.
public struct SchedulerCarrier: Carrier {
  private let scheduler: ThreadScheduler
  private let overtaking: Bool

  public init(_ lane: Lane) throws(CarrierError) {
    do {
      scheduler = try ThreadScheduler(name: lane.name, nice: lane.nice == 0 ? nil : lane.nice)
    } catch {
      throw CarrierError("\(error)")
    }
    overtaking = lane.overtaking
  }

  public func post(_ event: sending @escaping () -> Void, hasPriority: Bool) {
    scheduler.schedule(priority: overtaking && hasPriority ? .user : .normal, event)
  }

  public func stop() { scheduler.shutdownAndWait(.drain) }
}
