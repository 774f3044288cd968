internal import CLinux
internal import Concurrency
package import FrameBudget
internal import Glibc

/// A lane's nice value, set by the thread itself where somebody else started it.
package final class NiceRequest: Sendable {
  private let lane: Lane
  private let error = Locked<Int32>(0)
  private let applied = EndMark()

  package init(_ lane: Lane) { self.lane = lane }

  /// On the lane's thread.
  package func apply() {
    let which = __priority_which_t(PRIO_PROCESS.rawValue)
    let outcome = setpriority(which, id_t(bitPattern: clinux_thread_id()), Int32(lane.nice))
    if outcome != 0 { error.withLock { $0 = errno } }
    applied.set()
  }

  /// Waits until it was applied; throws if the system refused.
  package func wait() throws(CarrierError) {
    applied.wait()
    let error = error.withLock { $0 }
    if error != 0 {
      throw CarrierError("lane '\(lane.name)' cannot have nice \(lane.nice): error \(error)")
    }
  }
}
