internal import Synchronization

/// What a scheduler's objects hold of it: enough to send events to it and, where it has a thread, to keep that.
///
/// They do not hold the scheduler itself. So it is known when nobody else does any more: a passive one ends then,
/// because nobody is left to drain it, and of one with a thread it can be told that its objects alone keep it.
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

  /// Reports, if this is still so in a second, that only objects keep the scheduler, which was dropped just now. Until
  /// then those that are dropped together with it are gone.
  func schedulerWasDropped() {
    guard objects.load(ordering: .relaxed) > 0, !loop.isClosed else { return }
    loop.post(chore: { [weak self] in self?.reportResidents() }, after: 1_000_000_000)
  }

  private func reportResidents() {
    let count = objects.load(ordering: .relaxed)
    if count > 0 { loop.options.report(.keptByObjects(scheduler: loop.name, objects: count)) }
  }
}
