internal import CLinux
public import FrameBudget
internal import SchedulableObjects

/// A lane on the pattern's first sketch. Loses what is sent while it stops, and counts that; the engine then sends
/// nothing.
public struct NaiveCarrier: Carrier {
  private let name: String
  private let scheduler: NaiveScheduler

  public init(_ lane: Lane) throws(CarrierError) {
    scheduler = try CarrierError.wrapping { try NaiveScheduler(name: lane.name) }
    name = lane.name
  }

  public func post(_ event: sending @escaping () -> Void, hasPriority: Bool) {
    scheduler.schedule(event)
  }

  public var loss: String? { Lane.loss(ofLate: scheduler.lost, on: name) }

  /// Waits for what was posted before, because disposing at once would lose it. Nobody can join the thread, so it is
  /// looked at until it has left its loop: what it lost can be counted only then.
  public func stop() {
    let reached = EndMark()
    scheduler.schedule { reached.set() }
    reached.wait()
    scheduler.dispose()
    while !scheduler.hasEnded { clinux_sleep_until(clinux_monotonic() + 1_000_000) }
  }
}
