internal import FrameBudget
internal import Synchronization

/// Counts what the threads of a lane do, step by step, for whoever watches the run.
struct LaneMeter: ~Copyable {
  private let busy = Atomic<Int64>(0)
  private let waiting = Atomic<Int64>(0)

  borrowing func add(_ use: LaneUse) {
    busy.add(use.busy.nanoseconds, ordering: .relaxed)
    if use.waiting > .zero { waiting.add(use.waiting.nanoseconds, ordering: .relaxed) }
  }

  var use: LaneUse {
    LaneUse(
      busy: TimeSpan(nanoseconds: busy.load(ordering: .relaxed)),
      waiting: TimeSpan(nanoseconds: waiting.load(ordering: .relaxed)))
  }
}
