internal import FrameBudget

/// The second stage: a thread of its own that takes one frame after the other from the main thread, and makes it ready.
struct Compositor {
  /// Where the main thread posts frames to it.
  let inbox: QueueIndex
  /// The vsyncs of the frames that it has not begun with.
  private var frames: [Int] = []
  private var stage = Stage.idle
  private var began = Instant.zero

  private enum Stage { case idle, takingFrame, working }

  /// Behind the lanes' own queues.
  init(lanes: Int) { inbox = QueueIndex(lanes) }

  /// Takes a frame in.
  mutating func post(frame vsync: Int) -> Operation {
    frames.append(vsync)
    return .post(inbox)
  }

  /// What its thread does next.
  mutating func next(
    at now: Instant, _ main: inout MainThread, _ workers: inout LaneWorkers, thread: ThreadIndex
  ) -> Operation {
    switch stage {
    case .idle:
      stage = .takingFrame
      return .wait(inbox)
    case .takingFrame:
      stage = .working
      began = now
      return .compute(main.plan.compositorCost(vsync: frames.removeFirst()))
    case .working:
      workers.trace?.append(.phase(.compositor), by: thread, from: began, to: now)
      main.frameIsReady(at: now, &workers)
      stage = .idle
      return next(at: now, &main, &workers, thread: thread)
    }
  }
}
