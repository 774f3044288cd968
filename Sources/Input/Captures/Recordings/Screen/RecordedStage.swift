internal import FrameBudget

/// The stage after the UI thread, which processes one frame at a time: how long each frame took there, and when it was
/// ready.
package struct RecordedStage: Sendable {
  /// By frame: its time in the stage, in nanoseconds.
  package private(set) var costs: [Int64] = []
  /// By frame: when it was ready for the screen, in nanoseconds.
  package private(set) var ready: [Int64] = []

  /// The intervals in which it had work.
  package var work: [Range<Int64>] { zip(ready, costs).map { $0 - $1..<$0 } }
  /// Whether there is such a stage.
  package var exists: Bool { costs.contains { $0 > 0 } }
  /// The median of its costs, in nanoseconds.
  package var median: Int64 { costs.middle ?? 0 }

  /// Derives the stage from the times at which frames were ready. A frame without a recorded time gets the median cost, or
  /// 0 if no time was recorded.
  init(_ frames: [RecordedScreen.Frame]) {
    func costs(usual: Int64) -> [(cost: Int64?, ready: Int64)] {
      var through = Int64.min
      return frames.map { frame in
        let begin = max(frame.end, through)
        // It may begin before the thread's slice of the frame ends, because that does more than hand the frame over.
        let known = frame.ready.map { max(frame.staged, $0 - begin) }
        through = begin + (known ?? usual)
        return (known, through)
      }
    }
    let usual = costs(usual: 0).compactMap(\.cost).middle ?? 0
    for (cost, ready) in costs(usual: usual) { append(cost ?? usual, ready) }
  }

  /// Derives the stage from the times of pictures on the screen, if the stage itself was not recorded. The least cost is
  /// the time that the fastest 10 % of frames took to the screen, from the end of their work or from the vsync of the
  /// picture, whichever came later, without whole periods. A frame took longer only if its picture came at a later vsync
  /// than that, and the picture before it, explain. A picture in time is `lag` vsyncs after the frame.
  init(_ frames: [RecordedScreen.Frame], _ grid: VsyncGrid, lag: Int, _ pictures: Pictures) {
    let pictured = frames.map { frame in
      frame.presented.flatMap { at in pictures.vsync(of: at).map { (at: at, vsync: $0) } }
    }
    let minCost = Self.minCost(frames, pictured, grid)
    var (through, newest) = (Int64.min, Int.min)
    for (frame, picture) in zip(frames, pictured) {
      let begin = max(frame.end, through)
      var cost = minCost
      if let picture {
        // Each picture is at a vsync of its own: behind a late one, those of frames in time are late, too.
        let explained = max(
          frame.vsync + lag, grid.vsync(atOrAfter: begin + minCost) - 1, newest + 1)
        if picture.vsync > explained {
          cost = max(minCost, min(picture.at, grid.instant(of: picture.vsync + 1)) - begin)
        }
        newest = max(newest, picture.vsync)
      }
      through = begin + cost
      append(cost, through)
    }
  }

  private mutating func append(_ cost: Int64, _ instant: Int64) {
    costs.append(cost)
    ready.append(instant)
  }

  private static func minCost(
    _ frames: [RecordedScreen.Frame], _ pictured: [(at: Int64, vsync: Int)?], _ grid: VsyncGrid
  ) -> Int64 {
    // A picture may wait for whole periods until the display takes it.
    let period = Int64(grid.period)
    let spans = zip(frames, pictured).compactMap { frame, picture in
      picture.map { $0.at - max(frame.end, grid.instant(of: $0.vsync)) }
    }.filter { $0 > 0 }.map { $0 % period }.sorted()
    guard !spans.isEmpty else { return 0 }
    return min(spans[spans.count / 10], Int64(grid.period * 0.9))
  }
}
