internal import FrameBudget

/// Separates the UI thread's part of frames from the later stages, for platforms that report only whole frames.
struct FrameParts {
  /// When the UI thread, and when other threads, drew frames.
  private let own: [Range<Int64>]
  private let others: [Range<Int64>]
  /// The UI thread's tasks.
  private let tasks: [Range<Int64>]

  /// The app's mark may be this much earlier than the platform's for the same moment.
  private static let slack: Int64 = 500_000

  /// The first of `threads` is the UI thread.
  init(_ threads: [RecordedThread], names: [String]) {
    let meant = names.map { $0.hasPrefix(AndroidFrames.name) }
    func drawn(_ thread: RecordedThread) -> [Range<Int64>] {
      thread.slices.filter { meant[Int($0.name)] }.map(\.span)
    }
    own = threads.first.map(drawn) ?? []
    others = threads.dropFirst().flatMap(drawn).sorted { $0.lowerBound < $1.lowerBound }
    tasks = threads.first?.slices.filter { $0.depth == 0 }.map(\.span) ?? []
  }

  /// `frames` in the order of their vsyncs, each with only the work of the UI thread; none if another thread drew it.
  func refined(_ frames: [RecordedFrame]) -> [RecordedFrame] {
    frames.indices.map { index in
      var frame = frames[index]
      guard let whole = frame.work else { return frame }
      if let drawn = Self.first(of: own, in: whole) {
        frame.work = drawn
      } else if Self.first(of: others, in: whole) != nil {
        frame.work = nil
      } else if own.isEmpty {
        frame.work = part(of: whole, before: frames[(index + 1)...].first { $0.work != nil })
      }
      return frame
    }
  }

  /// If the frame itself has no mark: up to the end of the last task in it that no later frame can have begun with. If the next
  /// frame was wanted by then, the thread was not free, because otherwise it would have begun that frame. Nil if the thread was
  /// in one earlier task all along; then another thread drew the frame.
  private func part(of whole: Range<Int64>, before next: RecordedFrame?) -> Range<Int64>? {
    let first = tasks.partitioningIndex { $0.lowerBound >= whole.lowerBound - Self.slack }
    if first > 0, tasks[first - 1].upperBound >= whole.upperBound { return nil }
    let nextBegin = next?.work?.lowerBound ?? .max
    let limit = min(whole.upperBound, max(whole.lowerBound, nextBegin))
    let inside = tasks[first...].prefix { $0.lowerBound < limit }
    guard let last = inside.map(\.upperBound).max() else { return whole.lowerBound..<limit }
    let isFollowed = next.map { $0.vsync.nanoseconds < last } ?? false
    let end = isFollowed ? limit : min(last, limit)
    return whole.lowerBound..<max(whole.lowerBound, end)
  }

  private static func first(of spans: [Range<Int64>], in whole: Range<Int64>) -> Range<Int64>? {
    let next = spans.partitioningIndex { $0.lowerBound >= whole.lowerBound - slack }
    guard next < spans.count, spans[next].lowerBound < whole.upperBound else { return nil }
    return spans[next]
  }
}

extension RecordedSlice {
  /// From its start to its end.
  var span: Range<Int64> { begin.nanoseconds..<end.nanoseconds }
}
