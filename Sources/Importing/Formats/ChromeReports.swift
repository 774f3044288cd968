import FrameBudget
import Recordings

/// Frames of a layer tree by their `PipelineReporter`s, of which each says what became of the frame, or of a part.
///
/// Where no update was wanted, nothing was missed at the vsync.
struct ChromeReports {
  private struct Frame {
    let source: Int
    let number: Int
    let begin: Int64
    var states = ChromeEvent.States()

    /// Whether this frame's vsync is the one behind that of `other`.
    func follows(_ other: Frame) -> Bool {
      source == other.source && other.number < .max && number == other.number + 1
    }

    var isWanted: Bool { states.verdict != .notWanted }
  }

  private struct Identity: Hashable {
    let source: Int
    let number: Int
  }

  /// In the order of their vsyncs.
  private var frames: [Frame] = []
  /// By number: from its `BeginFrame` to the first `DrawFrame`.
  private var works: [Int: Int64] = [:]
  /// The time between vsyncs, the middle one of all that follow one another.
  private let period: Int64?

  /// `events` in the order of time.
  init(_ events: [ChromeEvent]) {
    var places: [Identity: Int] = [:]
    var begins: [Int: Int64] = [:]
    for event in events {
      guard let number = event.frame else { continue }
      if let state = event.state, event.kind == .report {
        let identity = Identity(source: event.source, number: number)
        let place = places[identity] ?? frames.count
        if place == frames.count {
          places[identity] = place
          frames.append(Frame(source: event.source, number: number, begin: event.instant))
        }
        frames[place].states.insert(state)
      } else if event.kind == .begin {
        if begins[number] == nil { begins[number] = event.instant }
      } else if event.kind == .draw, let begin = begins[number], works[number] == nil {
        works[number] = event.instant - begin
      }
    }
    let spans = zip(frames, frames.dropFirst()).filter { $1.follows($0) }.map {
      $1.begin - $0.begin
    }
    period = Percentiles(spans).quantile(0.5).map { Int64($0) }
  }

  func imported(
    _ key: StreamKey, refresh: RefreshRate?, _ figures: [RecordedFigure]
  ) -> ImportedFrames {
    var tally = FrameTally(refresh: refresh, clock: .vsyncs)
    tally.tellsPartial()
    if let period, let refresh = RefreshRate(period: .nanoseconds(period)) { tally.use(refresh) }
    var gap = 0
    var previous: Frame?
    for frame in frames {
      // Where nothing was wanted, a gap ends.
      if let previous, !previous.isWanted || !frame.follows(previous) { end(&gap, in: &tally) }
      count(frame, after: &gap, in: &tally)
      previous = frame
    }
    end(&gap, in: &tally)
    return ImportedFrames(key, tally, showsDisplay: true, figures: figures)
  }

  private func count(_ frame: Frame, after gap: inout Int, in tally: inout FrameTally) {
    tally.doubts.row()
    guard frame.isWanted else { return }
    if let work = works[frame.number] { tally.frame(work) }
    if frame.states.verdict == .dropped {
      gap += 1
    } else {
      tally.shown(
        afterGap: gap, interval: span(of: gap + 1), isPartial: frame.states.verdict == .partial)
      gap = 0
    }
  }

  private func end(_ gap: inout Int, in tally: inout FrameTally) {
    tally.missed(gap, interval: span(of: gap))
    gap = 0
  }

  private func span(of vsyncs: Int) -> Int64? { period.map { $0 * Int64(vsyncs) } }
}
