internal import FrameBudget

/// An instant at which the stage after the UI thread worked on the frame with that number.
struct StageMark {
  var instant: Int64
  var number: Int
}

/// The thread that takes frames from the UI thread to the screen, if its slices show the time of each frame.
struct FrameStage {
  private let prefix: String
  /// Whether it begins a frame while the UI thread still works on it; then it has at most one of each.
  private let isWithin: Bool

  /// Nil for formats that have the times of ready frames elsewhere.
  init?(_ format: RecordingFormat) {
    switch format {
    case .chrome, .framebudget, .instruments, .wayland, .firefox, .sysprof: return nil
    case .flutter: (prefix, isWithin) = ("GPURasterizer::Draw", false)
    case .perfetto, .systrace: (prefix, isWithin) = ("DrawFrame", true)
    }
  }

  /// `frames`, in order, each with the time at which the stage had finished it, unless it is known. A frame with a number has
  /// the work that `marks` give that number; others are matched in order.
  func noted(
    in frames: [RecordedFrame], _ threads: some Sequence<RecordedThread>, names: [String],
    marks: [StageMark]
  ) -> [RecordedFrame] {
    let spans = spans(threads, names)
    let byNumber = marks.isEmpty ? nil : Self.paired(frames, spans, marks)
    return byNumber ?? inOrder(frames, spans)
  }

  /// Nil if no frame has the number of any work.
  private static func paired(
    _ frames: [RecordedFrame], _ spans: [StageSpan], _ marks: [StageMark]
  ) -> [RecordedFrame]? {
    let marks = marks.sorted { $0.instant < $1.instant }
    let places = Dictionary(
      frames.indices.compactMap { place in frames[place].number.map { ($0, place) } },
      uniquingKeysWith: { first, _ in first })
    var frames = frames
    var isPaired = false
    for span in spans {
      let next = marks.partitioningIndex { $0.instant >= span.whole.lowerBound }
      guard next < marks.count, marks[next].instant <= span.whole.upperBound,
        let place = places[marks[next].number], let work = frames[place].work
      else { continue }
      isPaired = true
      frames[place].ready = .nanoseconds(max(work.upperBound, span.whole.upperBound))
      frames[place].stage = span.work
    }
    return isPaired ? frames : nil
  }

  private func inOrder(_ frames: [RecordedFrame], _ spans: [StageSpan]) -> [RecordedFrame] {
    let places = frames.indices.filter { frames[$0].work != nil && frames[$0].ready == nil }
    let works = places.compactMap { frames[$0].work }
    var frames = frames
    var next = 0
    for span in spans {
      let begin = span.whole.lowerBound
      while isWithin, next + 1 < works.count, works[next + 1].lowerBound <= begin { next += 1 }
      guard next < works.count else { break }
      let work = works[next]
      guard (isWithin ? work.lowerBound : work.upperBound) <= begin else { continue }
      frames[places[next]].ready = .nanoseconds(max(work.upperBound, span.whole.upperBound))
      if !isWithin { frames[places[next]].stage = span.work }
      next += 1
    }
    return frames
  }

  /// The spans in which the stage worked on a frame, in order, without nesting.
  private func spans(
    _ threads: some Sequence<RecordedThread>, _ names: [String]
  ) -> [StageSpan] {
    let meant = names.map { $0.hasPrefix(prefix) }
    let parts = names.map { StageSpan.Part(rawValue: $0) }
    return threads.flatMap { thread in
      var spans: [StageSpan] = []
      for slice in thread.slices {
        if spans.last.map({ slice.span.lowerBound >= $0.whole.upperBound }) ?? true {
          if meant[Int(slice.name)] { spans.append(StageSpan(slice.span)) }
        } else if let part = parts[Int(slice.name)] {
          spans[spans.count - 1].take(part, slice.span)
        }
      }
      return spans
    }
    .sorted { $0.whole.lowerBound < $1.whole.lowerBound }
  }
}

/// The stage's work on a frame.
private struct StageSpan {
  /// Slices of Flutter's raster thread that bound what its tools call the raster time.
  enum Part: String {
    /// Of engines since Flutter 3.16; that includes the wait for a surface.
    case surfaces = "Rasterizer::DrawToSurfaces"
    /// Of earlier ones, behind that wait.
    case layers = "CompositorContext::ScopedFrame::Raster"
    case submit = "SurfaceFrame::Submit"
  }

  let whole: Range<Int64>
  private var begin: Int64?
  private var end: Int64?

  init(_ whole: Range<Int64>) { self.whole = whole }

  /// From `FrameTiming.rasterStart` to `rasterFinish`, as near as slices tell.
  var work: Range<Int64> {
    let begin = begin ?? whole.lowerBound
    return begin..<max(begin, end ?? whole.upperBound)
  }

  mutating func take(_ part: Part, _ span: Range<Int64>) {
    switch part {
    case .surfaces, .layers: begin = begin ?? span.lowerBound
    case .submit: end = span.upperBound
    }
  }
}
