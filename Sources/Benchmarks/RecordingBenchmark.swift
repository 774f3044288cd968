internal import CLinux
internal import FrameBudget

/// What recording a frame costs: below a microsecond, and nothing allocated.
enum RecordingBenchmark {
  private static let frames = 1_000_000

  static func run() {
    for (name, detail) in [("summary", FrameLedger.Detail.summary), ("frames", .frames)] {
      let costs = (0..<5).map { _ in measure(detail) }
      let median = costs.map(\.nanoseconds).median ?? 0
      let allocated = costs.map(\.bytes).max() ?? 0
      print(
        "\(name): \(Decimal.text(median, places: 1)) ns per frame, "
          + "\(allocated) bytes allocated while recording \(frames) frames")
    }
  }

  private static func measure(_ detail: FrameLedger.Detail) -> (nanoseconds: Double, bytes: Int) {
    let refresh = RefreshRate(60)
    let duration = refresh.vsync(frames).sinceZero
    var ledger = FrameLedger(
      refresh: refresh, duration: duration, detail: detail, hasRealClock: true)
    let allocatedBefore = clinux_allocated_bytes()
    let began = clinux_monotonic()
    record(into: &ledger, refresh)
    let took = clinux_monotonic() - began
    let allocated = clinux_allocated_bytes() - allocatedBefore
    let log = ledger.finish(at: .zero + duration)
    precondition(log.begins.count > frames / 2, "frames were recorded")
    return (Double(took) / Double(log.begins.count), Int(allocated))
  }

  /// A frame of each kind: on time, and late every fourth time.
  private static func record(into ledger: inout FrameLedger, _ refresh: RefreshRate) {
    var vsync = 0
    while vsync < frames - 2 {
      let due = refresh.vsync(vsync)
      ledger.begin(vsync: vsync, wokeAt: due + .microseconds(60))
      for phase in Phase.parts + [.preempted, .machine] {
        ledger.spend(.microseconds(100), on: phase)
      }
      ledger.spend(.milliseconds(vsync % 4 == 0 ? 18 : 10), on: .logic)
      ledger.handled(items: 2)
      ledger.waiting(items: vsync % 100)
      vsync = ledger.end(at: due + .milliseconds(vsync % 4 == 0 ? 19 : 11)) ?? vsync
    }
  }
}
