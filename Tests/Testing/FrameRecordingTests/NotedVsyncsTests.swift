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
    #expect(placed.map(\.vsyncs) == [1..<3, 3..<4, 4..<5, 5..<6])
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

  /// A hang of two and a half vsyncs that ends just before the next one: the overdue frame is that of the vsync before, and the
  /// next one, which follows at once, is no earlier than its own.
  @Test func `a late frame just before a vsync is not an early one of that vsync`() {
    let hang: [(TimedFrame, Int64, Int64)] = [
      (TimedFrame(), 1000, 1010), (TimedFrame(), 1295, 1305), (TimedFrame(), 1305, 1315),
      (TimedFrame(), 1400, 1410),
    ]
    var vsyncs = NotedVsyncs(period: 100)
    let placed = hang.map { vsyncs.place($0.0, began: $0.1, ended: $0.2) }
    #expect(placed.map(\.begin) == [1, 3, 4, 5])
    #expect(placed.map { Array($0.missed) } == [[], [3, 4], [], []])
    #expect(vsyncs.instant(of: 6) == 1500)
  }

  @Test func `hangs drop the same however many there were before`() {
    var vsyncs = NotedVsyncs(period: 100)
    var missed: [Int] = []
    for start in stride(from: Int64(1000), to: 11_000, by: 1000) {
      // After a hang, two frames in one interval.
      let frames: [(Int64, Int64)] = [(0, 10), (250, 260), (260, 270)]
      let rest = (3...9).map { (Int64($0) * 100, Int64($0) * 100 + 10) }
      for (began, ended) in frames + rest {
        missed += vsyncs.place(TimedFrame(), began: start + began, ended: start + ended).missed
      }
    }
    #expect(missed == (0..<10).map { 3 + 10 * $0 })
  }

  @Test func `a second frame in an interval belongs to the next vsync if it ends after that`() {
    let placed = Self.placed([
      (TimedFrame(), 100, 103), (TimedFrame(), 103, 107), (TimedFrame(), 107, 114),
      (TimedFrame(), 114, 118), (TimedFrame(), 120, 124),
    ])
    #expect(placed.map(\.begin) == [1, 1, 2, 2, 3])
    #expect(placed.map(\.vsyncs) == [1..<3, 3..<3, 3..<4, 4..<4, 4..<5])
    #expect(placed.flatMap { Array($0.missed) } == [])
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
