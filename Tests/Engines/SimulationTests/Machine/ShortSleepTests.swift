import FrameBudget
import TestSupport
import Testing

@testable import FrameBudgetSimulation

/// Main draws 12 ms, 20 times a second, beside lanes that compute 300 us and sleep: measured on Linux (6.18, two cores;
/// Machine.md).
@Suite struct ShortSleepTests {
  @Test(arguments: [
    // On one core, where the sleeps are the timer's own 50 us longer.
    (cores: 1, lanes: 2, sleep: 500, median: 23.7, p90: 24.3),
    (cores: 2, lanes: 2, sleep: 20, median: 22.6, p90: 22.9),
    (cores: 2, lanes: 2, sleep: 60, median: 21.7, p90: 22.3),
    (cores: 2, lanes: 2, sleep: 1000, median: 12.0, p90: 12.1),
  ])
  func `frames last as long as they did`(
    cores: Int, lanes: Int, sleep: Int64, median: Double, p90: Double
  ) {
    let frames = Self.frames(cores: cores, lanes: lanes, sleep: .microseconds(sleep))
    #expect(abs(frames[frames.count / 2] - median) < median / 10, "\(frames)")
    #expect(abs(frames[frames.count * 9 / 10] - p90) < p90 / 10, "\(frames)")
  }

  /// Milliseconds from each vsync to the end of its frame, sorted.
  private static func frames(cores: Int, lanes: Int, sleep: TimeSpan) -> [Double] {
    var machine = VirtualMachine(
      FramesAndLanes(sleep: sleep, lanes: lanes),
      threads: Array(repeating: Priority.fair(nice: 0), count: lanes + 1),
      speeds: Array(repeating: 1000, count: cores),
      // Keeping threads on one of two cores does not change the slice.
      sharing: .standard(cores: 2), contextSwitch: .microseconds(2), scheduler: .perCore)
    machine.advance(to: .zero + .seconds(4))
    return machine.end().frames.sorted()
  }
}

/// Thread 0 draws; the others compute and sleep.
private struct FramesAndLanes: VirtualThreads {
  let sleep: TimeSpan
  var computed: [Bool]
  var vsync = Instant.zero
  var isDrawing = false
  var frames: [Double] = []

  init(sleep: TimeSpan, lanes: Int) {
    self.sleep = sleep
    computed = Array(repeating: false, count: lanes + 1)
  }

  mutating func next(_ thread: ThreadIndex, at now: Instant, ready: TimeSpan) -> Operation {
    guard thread == 0 else {
      computed[thread.position].toggle()
      return computed[thread.position] ? .compute(.microseconds(300)) : .sleep(until: now + sleep)
    }
    if isDrawing { frames.append(Double((now - vsync).nanoseconds) / 1e6) }
    guard isDrawing || now < vsync || vsync == .zero else {
      isDrawing = true
      return .compute(.milliseconds(12))
    }
    isDrawing = false
    vsync = max(vsync + .milliseconds(50), now)
    return .sleep(until: vsync)
  }
}
