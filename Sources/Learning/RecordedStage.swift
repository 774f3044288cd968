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

  /// From when pictures were on the screen, where nobody recorded the stage itself: a tenth of the frames took no longer to
  /// there, from the end of their work or from the vsync of the picture, whichever came later. Only where a picture came
  /// at a later vsync than that explains did it take longer. In time it is `lag` vsyncs behind the frame.
  init(_ frames: [RecordedScreen.Frame], _ grid: VsyncGrid, lag: Int, _ pictures: Pictures) {
    let pictured = frames.map { frame in
      frame.presented.flatMap { at in pictures.vsync(of: at).map { (at: at, vsync: $0) } }
    }
    let least = Self.least(frames, pictured, grid)
    var through = Int64.min
    for (frame, picture) in zip(frames, pictured) {
      let begin = max(frame.end, through)
      var cost = least
      if let picture,
        picture.vsync
          > max(
            frame.vsync + lag, grid.vsync(atOrAfter: begin + least) - 1)
      {
        cost = max(least, min(picture.at, grid.instant(of: picture.vsync + 1)) - begin)
      }
      through = begin + cost
      append(cost, through)
    }
  }

  private mutating func append(_ cost: Int64, _ instant: Int64) {
    costs.append(cost)
    ready.append(instant)
  }

  private static func least(
    _ frames: [RecordedScreen.Frame], _ pictured: [(at: Int64, vsync: Int)?], _ grid: VsyncGrid
  ) -> Int64 {
    let spans = zip(frames, pictured).compactMap { frame, picture in
      picture.map { $0.at - max(frame.end, grid.instant(of: $0.vsync)) }
    }.filter { $0 > 0 }.sorted()
    guard !spans.isEmpty else { return 0 }
    return min(spans[spans.count / 10], Int64(grid.period * 0.9))
  }
}
