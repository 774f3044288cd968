package import FrameBudget

/// What a page of a process in a Chrome trace would find through a `PerformanceObserver`: interactions, long animation
/// frames and long tasks.
///
/// INP is that of Google's web-vitals library, version 5, counted over all the events that the trace has.
package struct PageTimings {
  private struct Input {
    var at: Int64
    var timing: InputTiming

    /// When the next picture was painted.
    var paint: Int64 { at + timing.duration }
  }

  private struct AnimationFrame {
    var begin: Int64
    var length: Int64
    var blocking: Int64
  }

  private var inputs: [Input] = []
  /// Long ones.
  private var frames: [AnimationFrame] = []
  /// Those that have begun, by their identities.
  private var open: [UInt64: (begin: Int64, blocking: Int64)] = [:]
  private var hasFrames = false
  private var tasks: [(thread: Int, begin: Int64)] = []
  private var mainThreads: Set<Int> = []
  private var hasTasks = false

  package init() {}

  /// How much is kept.
  var count: Int { inputs.count + frames.count + open.count + tasks.count }

  /// Animation frames that take as long are long (W3C, "Long Animation Frames API").
  private static let longFrame: Int64 = 50_000_000
  /// What durations of Event Timing are rounded to, and by how much the paints of one picture may differ.
  private static let resolution: Int64 = 8_000_000
  /// One interaction in so many is left out of INP, and no more than `candidates - 1`.
  private static let interactionsPerOutlier = 50
  private static let candidates = 10

  package mutating func take(_ event: ChromeEvent) {
    switch (event.kind, event.phase) {
    case (.eventTiming, .asyncBegin):
      if let timing = event.input { inputs.append(Input(at: event.instant, timing: timing)) }
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
    case (.threadName, _):
      if event.text == UIThread.chromeMain { mainThreads.insert(event.thread) }
    default: break
    }
  }

  /// The numbers of what began at an instant that is inside; without what the trace does not record.
  package func figures(where isInside: (Int64) -> Bool = { _ in true }) -> [RecordedFigure] {
    interactionFigures(inputs.filter { isInside($0.at) }) + frameFigures(isInside)
      + taskFigures(isInside)
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

  // MARK: Interactions

  private func interactionFigures(_ inputs: [Input]) -> [RecordedFigure] {
    guard !self.inputs.isEmpty else { return [] }
    var slowest: [Int64: Input] = [:]
    for input in inputs where input.timing.interaction > 0 {
      let known = slowest[input.timing.interaction]
      if Self.isSlower(input, than: known) { slowest[input.timing.interaction] = input }
    }
    let count = RecordedFigure(.interactions, .count(slowest.count))
    let order = slowest.values.sorted { Self.rank($0) > Self.rank($1) }
    let place = min(
      slowest.count / Self.interactionsPerOutlier, Self.candidates - 1, order.count - 1)
    guard order.indices.contains(place) else { return [count] }
    return [count] + parts(of: order[place], among: inputs)
  }

  /// The slowest first; of equal ones the later.
  private static func rank(_ input: Input) -> (Int64, Int64) { (rounded(input), input.at) }

  /// Of equal ones the first counts.
  private static func isSlower(_ input: Input, than known: Input?) -> Bool {
    guard let known else { return true }
    return (rounded(input), -input.at) > (rounded(known), -known.at)
  }

  /// Its duration as pages see it.
  private static func rounded(_ input: Input) -> Int64 {
    (input.timing.duration + resolution / 2) / resolution * resolution
  }

  /// What happened between the input and the paint: all handlers whose effects the same picture showed count.
  private func parts(of input: Input, among inputs: [Input]) -> [RecordedFigure] {
    let frame = inputs.filter { ($0.paint - input.paint).magnitude <= Self.resolution.magnitude }
    let begin = frame.map { $0.at + $0.timing.handlers.lowerBound }.min() ?? input.at
    let last = frame.map { $0.at + $0.timing.handlers.upperBound }.max() ?? input.at
    let start = max(begin, input.at)
    let paint = max(input.at + Self.rounded(input), start)
    let end = min(last, paint)
    let spans: [(RecordedMetric, Int64)] = [
      (.inp, Self.rounded(input)), (.inputDelay, start - input.at),
      (.processing, max(0, end - start)), (.presentationDelay, paint - max(end, start)),
    ]
    return spans.map { RecordedFigure($0, .real(Double($1) / 1e6)) }
  }
}
