import FrameBudget
import Testing

@testable import FrameBudgetCaptures

/// The UI thread's part of frames that the platform reports as a whole, up to the screen.
struct FramePartsTests {
  private let names = ["Choreographer#doFrame 1", "recompose", "prefetch"]

  private func thread(_ number: Int, _ slices: [(name: Int32, from: Int64, to: Int64)])
    -> RecordedThread
  {
    RecordedThread(
      number: number, name: "",
      slices: slices.map {
        RecordedSlice(
          name: $0.name, depth: 0, begin: .microseconds($0.from),
          length: .microseconds($0.to - $0.from))
      })
  }

  private func frame(_ vsync: Int64, _ work: ClosedRange<Int64>) -> RecordedFrame {
    RecordedFrame(
      vsync: .microseconds(vsync), work: work.lowerBound * 1000..<work.upperBound * 1000)
  }

  private func works(_ threads: [RecordedThread], _ frames: [RecordedFrame]) -> [[Int64]?] {
    FrameParts(threads, names: names).refined(frames).map { frame in
      frame.work.map { [$0.lowerBound / 1000, $0.upperBound / 1000] }
    }
  }

  @Test
  func `a marked frame's work is its slice, or nothing if another thread drew it`() {
    let main = thread(1, [(0, 9_900, 14_000), (1, 31_000, 32_000)])
    let other = thread(2, [(0, 30_000, 35_000)])
    let found = works(
      [main, other], [frame(9_000, 10_000...20_000), frame(29_000, 30_000...40_000)])
    #expect(found == [[9_900, 14_000], nil])
  }

  @Test func `the work of a frame without marks ends with the last task before the next frame`() {
    let main = thread(1, [(1, 10_100, 12_000), (1, 12_100, 13_000), (2, 22_000, 23_000)])
    let frames = [frame(10_000, 10_000...18_000), frame(26_600, 26_700...30_000)]
    // Only the end of the second is known.
    #expect(works([main], frames) == [[10_000, 13_000], [26_700, 30_000]])
  }

  @Test func `a frame that was wanted meanwhile would have begun if the thread had been free`() {
    let main = thread(1, [(1, 10_100, 28_000), (1, 31_000, 32_000)])
    let frames = [frame(10_000, 10_000...40_000), frame(26_600, 30_500...45_000)]
    #expect(works([main], frames) == [[10_000, 30_500], [30_500, 32_000]])
  }

  @Test func `a frame that came while the thread was in one task is another thread's`() {
    let main = thread(1, [(1, 10_100, 38_000), (1, 44_000, 45_000)])
    let frames = [
      frame(10_000, 10_000...18_000), frame(26_600, 26_700...30_000),
      frame(43_300, 43_500...50_000),
    ]
    #expect(works([main], frames) == [[10_000, 18_000], nil, [43_500, 45_000]])
  }
}
