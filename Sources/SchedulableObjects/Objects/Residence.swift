internal import Synchronization

/// The part of a scheduler that its objects reference: enough to send events to it and to keep its thread, if it has one.
///
/// They do not reference the scheduler itself, so the library can tell when no other code does. A scheduler without a
/// thread then ends, because no code is left to drain it. For one with a thread the library reports that only its objects
/// keep it.
final class Residence: Scheduler {
  let loop: SchedulerLoop
  private let keepsThread: Bool
  private let objects = Atomic(0)

  init(of loop: SchedulerLoop, keepsThread: Bool) {
    self.loop = loop
    self.keepsThread = keepsThread
    loop.residence = self
  }

  deinit {
    if keepsThread { loop.closeForgotten(.drain) }
  }

  func moveIn() { objects.add(1, ordering: .relaxed) }
  func moveOut() { objects.subtract(1, ordering: .relaxed) }

  /// Called when the scheduler is released. Reports a second later that only objects keep the thread, if that is still
  /// so; objects that are released together with the scheduler are gone by then.
  func schedulerWasDropped() {
    guard objects.load(ordering: .relaxed) > 0, !loop.isClosed else { return }
    loop.post(chore: { [weak self] in self?.reportResidents() }, after: 1_000_000_000)
  }

  private func reportResidents() {
    let count = objects.load(ordering: .relaxed)
    if count > 0 { loop.options.report(.keptByObjects(scheduler: loop.name, objects: count)) }
  }
}
