internal import FrameBudget

/// The thread that takes frames from the UI thread to the screen, if its slices show the time of each frame.
struct FrameStage {
  private let prefix: String
  /// Whether it begins a frame while the UI thread still works on it; then it has at most one of each.
  private let isWithin: Bool

  /// Nil for formats that have the times of ready frames elsewhere.
  init?(_ format: RecordingFormat) {
    switch format {
    case .chrome, .framebudget: return nil
    case .flutter: (prefix, isWithin) = ("GPURasterizer::Draw", false)
    case .perfetto, .systrace: (prefix, isWithin) = ("DrawFrame", true)
    }
  }

  /// `frames`, in order, each with the time at which the stage had finished it, unless it is known.
  func noted(
    in frames: [RecordedFrame], _ threads: some Sequence<RecordedThread>, names: [String]
  ) -> [RecordedFrame] {
    let places = frames.indices.filter { frames[$0].work != nil && frames[$0].ready == nil }
    let works = places.compactMap { frames[$0].work }
    var frames = frames
    var next = 0
    for span in spans(threads, names) {
      while isWithin, next + 1 < works.count, works[next + 1].lowerBound <= span.lowerBound {
        next += 1
      }
      guard next < works.count else { break }
      let work = works[next]
      guard (isWithin ? work.lowerBound : work.upperBound) <= span.lowerBound else { continue }
      frames[places[next]].ready = .nanoseconds(max(work.upperBound, span.upperBound))
      next += 1
    }
    return frames
  }

  /// The spans in which the stage worked on a frame, in order, without nesting.
  private func spans(
    _ threads: some Sequence<RecordedThread>, _ names: [String]
  ) -> [Range<Int64>] {
    let meant = names.map { $0.hasPrefix(prefix) }
    var end = Int64.min
    return threads.flatMap { $0.slices.filter { meant[Int($0.name)] }.map(\.span) }
      .sorted { ($0.lowerBound, $1.upperBound) < ($1.lowerBound, $0.upperBound) }
      .filter { span in
        guard span.lowerBound >= end else { return false }
        end = span.upperBound
        return true
      }
  }
}
