package import FrameBudget

/// What a page of a process in a Chrome trace would find through a `PerformanceObserver`: interactions, long animation
/// frames and long tasks.
///
/// INP is counted over all the events that the trace has.
package struct PageTimings {
  private struct AnimationFrame {
    var begin: Int64
    var length: Int64
    var blocking: Int64
  }

  private var inputs: [Interactions.Input] = []
  /// The long animation frames.
  private var frames: [AnimationFrame] = []
  /// By id: animation frames that have begun.
  private var open: [UInt64: (begin: Int64, blocking: Int64)] = [:]
  private var hasFrames = false
  private var tasks: [(thread: Int, begin: Int64)] = []
  private var mainThreads: Set<Int> = []
  private var hasTasks = false

  package init() {}

  /// The number of kept values.
  var count: Int { inputs.count + frames.count + open.count + tasks.count }

  /// The least duration of a long animation frame (W3C, "Long Animation Frames API").
  private static let longFrame: Int64 = 50_000_000

  package mutating func take(_ event: ChromeEvent) {
    switch (event.kind, event.phase) {
    case (.eventTiming, .asyncBegin):
      if let timing = event.input { inputs.append(timing.input(at: event.instant)) }
    case (.animationFrame, .asyncBegin):
      hasFrames = true
      if let blocking = event.blocking { open[event.identity] = (event.instant, blocking) }
    case (.animationFrame, .asyncEnd):
      guard let (begin, blocking) = open.removeValue(forKey: event.identity) else { return }
      let length = event.instant - begin
      guard length >= Self.longFrame else { return }
      frames.append(AnimationFrame(begin: begin, length: length, blocking: blocking))
    case (.task, .complete):
      hasTasks = true
      if event.length > FrameThresholds.longTask.nanoseconds {
        tasks.append((event.thread, event.instant))
      }
    case (.threadName, _): describe(thread: event.thread, name: event.text)
    default: break
    }
  }

  mutating func describe(thread: Int, name: String?) {
    if name == UIThread.chromeMain { mainThreads.insert(thread) }
  }

  /// The figures of the events that began inside; without figures that the trace does not have.
  package func figures(where isInside: (Int64) -> Bool = { _ in true }) -> [RecordedFigure] {
    interactionFigures(isInside) + frameFigures(isInside) + taskFigures(isInside)
  }

  private func frameFigures(_ isInside: (Int64) -> Bool) -> [RecordedFigure] {
    guard hasFrames else { return [] }
    let frames = frames.filter { isInside($0.begin) }
    func total(_ span: (AnimationFrame) -> Int64) -> MetricValue {
      .real(frames.reduce(0) { $0 + Double(span($1)) } / 1e6)
    }
    return [
      RecordedFigure(.longAnimationFrames, .count(frames.count)),
      RecordedFigure(.longAnimationFrameTime, total(\.length)),
      RecordedFigure(.blockingTime, total(\.blocking)),
    ]
  }

  private func taskFigures(_ isInside: (Int64) -> Bool) -> [RecordedFigure] {
    guard hasTasks, !mainThreads.isEmpty else { return [] }
    let count = tasks.count { mainThreads.contains($0.thread) && isInside($0.begin) }
    return [RecordedFigure(.longTasks, .count(count))]
  }

  private func interactionFigures(_ isInside: (Int64) -> Bool) -> [RecordedFigure] {
    guard !inputs.isEmpty else { return [] }
    let interactions = Interactions(inputs.filter { isInside($0.at) })
    let count = RecordedFigure(.interactions, .count(interactions.count))
    guard let inp = interactions.inp else { return [count] }
    let spans: [(RecordedMetric, TimeSpan)] = [
      (.inp, inp.duration), (.inputDelay, inp.inputDelay), (.processing, inp.processing),
      (.presentationDelay, inp.presentationDelay),
    ]
    return [count] + spans.map { RecordedFigure($0, .real($1.inMilliseconds)) }
  }
}
