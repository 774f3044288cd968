public import FrameBudget
internal import Synchronization

/// How far a run has come, for whoever watches it from another thread.
public final class RunProgress: Sendable {
  private let nanoseconds = Atomic<Int64>(0)
  private let dropped = Atomic<Int>(0)
  private let done = Atomic<Int>(0)

  public init() {}

  public var elapsed: TimeSpan { TimeSpan(nanoseconds: nanoseconds.load(ordering: .relaxed)) }
  public var droppedFrames: Int { dropped.load(ordering: .relaxed) }
  public var itemsDone: Int { done.load(ordering: .relaxed) }

  /// Begins a run: whatever was shown of the one before is over.
  func restart() {
    nanoseconds.store(0, ordering: .relaxed)
    dropped.store(0, ordering: .relaxed)
    done.store(0, ordering: .relaxed)
  }

  func frameEnded(at instant: Instant, dropped count: Int) {
    nanoseconds.store(instant.nanoseconds, ordering: .relaxed)
    dropped.store(count, ordering: .relaxed)
  }

  func itemsEnded(_ count: Int) {
    if count > 0 { done.add(count, ordering: .relaxed) }
  }
}
