import FrameBudget
import Recordings

/// Frames of a layer tree by `BeginFrame`, `DrawFrame` and `DroppedFrame`.
///
/// A frame took from its `BeginFrame` to its first `DrawFrame`. Only what was not drawn as well was dropped: a
/// partial update is marked as dropped too. The project's own traces mark each vsync that a frame missed.
struct ChromeDraws {
  private let events: [ChromeEvent]
  private let drawn: Set<Int>
  /// Whether the trace would say so if a frame were dropped.
  private let knowsDrops: Bool

  /// `events` in the order of time; `hasVsyncs` where each vsync has its mark.
  init(_ events: [ChromeEvent], hasVsyncs: Bool) {
    self.events = events
    drawn = Set(events.lazy.filter { $0.kind == .draw }.compactMap(\.frame))
    knowsDrops = hasVsyncs || events.contains { $0.kind == .drop }
  }

  func imported(
    _ key: StreamKey, refresh: RefreshRate?, _ figures: [RecordedFigure]
  ) -> ImportedFrames {
    var tally = FrameTally(refresh: refresh, clock: .vsyncs)
    var late = 0
    var begins: [Int: Int64] = [:]
    var seen: Set<Int> = []
    var previous: Int64?
    for event in events {
      switch event.kind {
      case .begin:
        if let frame = event.frame, begins[frame] == nil { begins[frame] = event.instant }
      case .drop:
        if isDropped(event, &seen) { late += 1 }
      case .draw where event.frame.map { seen.insert($0).inserted } ?? true:
        tally.doubts.row()
        if let begin = event.frame.flatMap({ begins[$0] }) { tally.frame(event.instant - begin) }
        tally.shown(afterGap: late, interval: previous.map { event.instant - $0 })
        (late, previous) = (0, event.instant)
      default: break
      }
    }
    tally.missed(late)
    let doubt =
      "the trace says of no frame that it was dropped, so dropped frames and hitches are left empty"
    return ImportedFrames(
      key, tally, showsDisplay: true, figures: figures, doubt: knowsDrops ? nil : doubt)
  }

  private func isDropped(_ event: ChromeEvent, _ seen: inout Set<Int>) -> Bool {
    guard event.vsync == nil, let frame = event.frame else { return true }
    return !drawn.contains(frame) && seen.insert(frame).inserted
  }
}
