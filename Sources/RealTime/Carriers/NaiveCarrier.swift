public import FrameBudget
internal import SchedulableObjects

/// A lane on the pattern's first sketch. Loses what is sent while it stops; the engine then sends nothing.
public struct NaiveCarrier: Carrier {
  private let scheduler: NaiveScheduler

  public init(_ lane: Lane) throws(CarrierError) {
    do {
      scheduler = try NaiveScheduler(name: lane.name)
    } catch {
      throw CarrierError("\(error)")
    }
  }

  public func post(_ event: sending @escaping () -> Void, hasPriority: Bool) {
    scheduler.schedule(event)
  }

  /// Waits for what was posted before, because disposing at once would lose it; nobody can join the thread.
  public func stop() {
    let reached = EndMark()
    scheduler.schedule { reached.set() }
    reached.wait()
    scheduler.dispose()
  }
}
