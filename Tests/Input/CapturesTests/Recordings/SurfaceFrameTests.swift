import FrameBudget
import Testing

@testable import FrameBudgetCaptures

/// FrameTimeline's numbers of surface frames, calculated by hand.
struct SurfaceFrameTests {
  private static func figures(janks: [UInt64], overruns: [Double?] = []) -> [String: Double] {
    let count = max(janks.count, overruns.count)
    let frames = (0..<count).map { place in
      let overrun = place < overruns.count ? overruns[place].map { Int64($0 * 1e6) } : nil
      return SurfaceFrame(begin: 0, jank: place < janks.count ? janks[place] : 1, overrun: overrun)
    }
    return Dictionary(
      uniqueKeysWithValues: SurfaceFrame.figures(of: frames).compactMap { figure in
        figure.value.number.map { (figure.metric.name, $0) }
      })
  }

  @Test(arguments: JankType.allCases)
  func `a jank type counts for each surface frame that has it, alone or with other types`(
    _ type: JankType
  ) {
    let name = RecordedMetric.jank(type).name
    let bits = UInt64(type.rawValue)
    let other = UInt64((type == .appDeadline ? JankType.bufferStuffing : .appDeadline).rawValue)
    let isAlone = type == .none || type == .unspecified
    for (janks, count) in [
      ([bits], 1.0), ([other], 0), ([bits, other, bits], 2), ([bits | other], isAlone ? 0 : 1),
      ([bits, bits | other, other], isAlone ? 1 : 2),
    ] {
      #expect(Self.figures(janks: janks)[name] == count, "\(janks)")
    }
  }

  @Test(
    arguments: [
      ([0], [0, 0, 0, 0]), ([10, -10], [0, 8, 9, 9.8]), ([5, 1, 4, 2, 3], [3, 4.6, 4.8, 4.96]),
      // Frames that have not ended, or have no deadline, do not count.
      (Array(repeating: -8, count: 9) + [40, nil], [-8, -3.2, 18.4, 35.68]),
    ] as [([Double?], [Double])])
  func `percentiles of overruns are signed`(_ overruns: [Double?], _ percentiles: [Double]) {
    let figures = Self.figures(janks: [], overruns: overruns)
    for (value, overrun) in zip(percentiles, RecordedMetric.overruns) {
      let found = figures[overrun.metric.name] ?? .nan
      #expect(abs(found - value) < 1e-9, "\(overrun.metric.name): \(found), not \(value)")
    }
  }

  @Test func `a frame misses its deadline by the delay of its latest surface`() {
    let frame = RecordedFrame(vsync: .zero, due: .milliseconds(10), ready: .milliseconds(13))
    #expect(frame.overrun == 3_000_000)
    #expect(RecordedFrame(vsync: .zero, due: .milliseconds(10)).overrun == nil)
    #expect(RecordedFrame(vsync: .zero, ready: .milliseconds(10)).overrun == nil)
    let broken = RecordedFrame(
      vsync: .zero, due: TimeSpan(nanoseconds: .min), ready: TimeSpan(nanoseconds: .max))
    #expect(broken.overrun == nil)
  }
}
