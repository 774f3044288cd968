/// What comes behind the UI thread, one frame after the other: how long it had each, and when it was through with it.
struct RecordedStage: Sendable {
  /// By frame, in nanoseconds.
  private(set) var costs: [Int64] = []
  /// By frame, when it was ready for the screen.
  private(set) var ready: [Int64] = []

  /// Whether there is such a stage.
  var isThere: Bool { costs.contains { $0 > 0 } }
  /// The middle one of its costs.
  var median: Int64 { costs.isEmpty ? 0 : costs.sorted()[costs.count / 2] }

  /// From when frames were ready: what was not recorded takes what is usual, and nothing where that is not known.
  init(_ frames: [RecordedScreen.Frame]) {
    func costs(usual: Int64) -> [(cost: Int64?, ready: Int64)] {
      var through = Int64.min
      return frames.map { frame in
        let begin = max(frame.end, through)
        let known = frame.ready.map { max(0, $0 - begin) }
        through = begin + (known ?? usual)
        return (known, through)
      }
    }
    let known = costs(usual: 0).compactMap(\.cost).sorted()
    let usual = known.isEmpty ? 0 : known[known.count / 2]
    for (cost, ready) in costs(usual: usual) { append(cost ?? usual, ready) }
  }

  /// From when pictures were on the screen, where nobody recorded the stage itself: a tenth of the frames took no longer from
  /// the end of their work to there, which is what it takes where nothing waits for a vsync. Only where a picture came
  /// at a later vsync than that explains did it take longer.
  init(
    _ frames: [RecordedScreen.Frame], _ grid: VsyncGrid, _ deadline: Int, pictures: Pictures
  ) {
    let least = Self.least(frames, grid)
    var through = Int64.min
    for frame in frames {
      let begin = max(frame.end, through)
      var cost = least
      if let presented = frame.presented, let vsync = pictures.vsync(of: presented) {
        let seen = min(presented, grid.instant(of: vsync + deadline))
        if grid.vsync(atOrAfter: seen) > grid.vsync(atOrAfter: begin + least) {
          cost = max(least, seen - begin)
        }
      }
      through = begin + cost
      append(cost, through)
    }
  }

  private mutating func append(_ cost: Int64, _ instant: Int64) {
    costs.append(cost)
    ready.append(instant)
  }

  private static func least(_ frames: [RecordedScreen.Frame], _ grid: VsyncGrid) -> Int64 {
    let spans = frames.compactMap { frame in frame.presented.map { $0 - frame.end } }
      .filter { $0 > 0 }.sorted()
    guard !spans.isEmpty else { return 0 }
    return min(spans[spans.count / 10], Int64(grid.period * 0.9))
  }
}
