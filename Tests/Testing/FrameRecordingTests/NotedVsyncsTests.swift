import Testing

@testable import FrameRecording

/// Times are in tenths of a period of 10.
struct NotedVsyncsTests {
  private static func placed(
    _ frames: [(frame: TimedFrame, began: Int64, ended: Int64)]
  ) -> [NotedVsyncs.Placed] {
    var vsyncs = NotedVsyncs(period: 10)
    return frames.map { vsyncs.place($0.frame, began: $0.began, ended: $0.ended) }
  }

  @Test func `frames at every vsync miss none`() {
    let placed = Self.placed((0..<4).map { (TimedFrame(), 100 + 10 * $0, 104 + 10 * $0) })
    #expect(placed.map(\.begin) == [1, 2, 3, 4])
    #expect(placed.map(\.vsyncs) == [1...2, 3...3, 4...4, 5...5])
    #expect(placed.flatMap { Array($0.missed) } == [])
  }

  @Test func `a late frame was wanted since its vsync`() {
    let placed = Self.placed([
      (TimedFrame(), 100, 104), (TimedFrame(), 143, 147), (TimedFrame(), 150, 154),
    ])
    #expect(placed.map(\.begin) == [1, 5, 6])
    #expect(placed.map { Array($0.missed) } == [[], [3, 4, 5], []])
  }

  @Test func `the vsyncs during a long frame are missed`() {
    let placed = Self.placed([
      (TimedFrame(), 100, 104), (TimedFrame(), 110, 135), (TimedFrame(), 135, 139),
    ])
    #expect(placed.map { Array($0.missed) } == [[], [3, 4], []])
  }

  @Test func `an idle app misses nothing, unless it states since when its frame is wanted`() {
    let rested = Self.placed([(TimedFrame(), 100, 104), (TimedFrame(), 100_100, 100_104)])
    #expect(rested[1].begin == 10_001)
    #expect(rested[1].missed.isEmpty && rested[1].vsyncs.count == 1)
    let waiting = Self.placed([
      (TimedFrame(), 100, 104), (TimedFrame(vsync: nil, wanted: 180), 200, 204),
    ])
    #expect(Array(waiting[1].missed) == [10, 11])
  }

  @Test func `vsyncs reported by the app are used, whatever the rate`() {
    let placed = Self.placed(
      (0..<30).map { (TimedFrame(vsync: 100 + 11 * $0), 102 + 11 * $0, 104 + 11 * $0) })
    #expect(placed.map(\.begin) == Array(1...30))
    #expect(placed.flatMap { Array($0.missed) } == [])
  }

  @Test func `vsyncs follow a clock that is slightly early`() {
    var vsyncs = NotedVsyncs(period: 1000)
    _ = vsyncs.place(TimedFrame(), began: 1_050, ended: 1_060)
    #expect(vsyncs.place(TimedFrame(), began: 2_000, ended: 2_010).begin == 2)
    #expect(vsyncs.instant(of: 3) == 3_000)
  }
}
