import FrameBudget
import Testing

@testable import FrameBudgetLearning
@testable import FrameBudgetCaptures

struct VsyncGridTests {
  @Test func `vsyncs are numbered from the first after the start, gaps included`() {
    let recording = Recording.frames(at: [116.666, 133.332, 199.996])
    let grid = VsyncGrid(recording, from: 100_000_000)
    #expect(grid.refresh == RefreshRate(60))
    #expect(grid.vsync(nearest: 116_700_000) == 1)
    #expect(grid.vsync(nearest: 133_300_000) == 2)
    #expect(grid.vsync(nearest: 199_996_000) == 6)
    #expect(grid.vsync(atOrAfter: 134_000_000) == 3)
    #expect(grid.vsync(atOrAfter: 133_332_000) == 2)
  }

  @Test func `an instant keeps its place between two vsyncs`() {
    // A clock that is a thousandth too slow: 20 vsyncs in 333 ms instead of 333.3.
    let recording = Recording.frames(at: (0...20).map { 1000 + 16.65 * Double($0) })
    let grid = VsyncGrid(recording, from: 1_000_000_000)
    #expect(grid.refresh == RefreshRate(60))
    for vsync in 0..<20 {
      let half = 1_000_000_000 + Int64(16_650_000 * vsync) + 8_325_000
      let expected = RefreshRate(60).vsync(vsync).nanoseconds + 8_333_333
      #expect(abs(grid.time(of: half) - expected) < 1000, "\(vsync)")
    }
    #expect(grid.time(of: 0) == 0, "nothing is before the begin")
  }

  /// A search through all vsyncs for each takes minutes.
  @Test(.timeLimit(.minutes(2))) func `the time of a vsync is found without a search through all`()
  {
    let count = 200_000
    let recording = Recording.frames(at: (0..<count).map { 20 * Double($0) })
    let grid = VsyncGrid(recording, from: 0)
    #expect((0..<count).allSatisfy { grid.instant(of: $0) == 20_000_000 * Int64($0) })
    #expect(grid.instant(of: -1) == -20_000_000 && grid.instant(of: count) == 4_000_000_000_000)
  }

  @Test func `an unusual rate is kept to a thousandth of a hertz`() {
    let recording = Recording.frames(at: (0...100).map { Double($0) * 1000 / 71.6 })
    #expect(VsyncGrid(recording, from: 0).refresh == RefreshRate(71_600, over: 1000))
  }

  @Test func `a recording without vsyncs is read as 60 Hz, with a warning`() {
    let grid = VsyncGrid(Recording(format: .chrome, process: .init(number: 1, name: "")), from: 5)
    #expect(grid.refresh == RefreshRate(60) && !grid.isKnown)
    #expect(grid.time(of: 5) == 0)
  }
}
