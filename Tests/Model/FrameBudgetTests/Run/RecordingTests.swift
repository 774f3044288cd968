import CFrameBudgetLinux
import FrameBudget
import Testing

/// Allocates nothing itself, so it can be measured: no closure, no array.
@inline(never)
private func record(_ frames: Int, in ledger: inout FrameLedger, at rate: RefreshRate) {
  var vsync = 0
  for frame in 0..<frames {
    let begin = rate.vsync(vsync)
    ledger.begin(vsync: vsync, wokeAt: begin + .microseconds(100))
    ledger.waiting(items: frame)
    ledger.spend(.milliseconds(2), on: .logic)
    ledger.spend(.microseconds(3), on: .lockWait)
    ledger.handled(items: 1)
    // Every third frame is late, so causes are recorded as well.
    vsync = ledger.end(at: begin + .milliseconds(frame % 3 == 0 ? 20 : 3)) ?? vsync
  }
}

/// The bytes that recording `frames` frames allocates and keeps, in a ledger with room for them.
private func growth(recording frames: Int, _ detail: FrameLedger.Detail) -> Int64 {
  let rate = RefreshRate(60)
  var ledger = FrameLedger(
    refresh: rate, duration: .seconds(600), detail: detail, hasRealClock: true)
  let before = clinux_allocated_bytes()
  record(frames, in: &ledger, at: rate)
  let growth = clinux_allocated_bytes() - before
  let log = ledger.finish(at: .zero + .seconds(600))
  precondition(log.begins.count >= frames && log.drops.count > frames / 3)
  return growth
}

@Suite struct RecordingTests {
  /// In a process of its own: concurrent allocations of other tests would count as well.
  @Test func `recording a frame allocates nothing`() async {
    await #expect(processExitsWith: .success) {
      for detail in [FrameLedger.Detail.summary, .frames] {
        // Not every time: Swift sets up a type at its first use, and threads of the runtime allocate.
        precondition((0..<20).contains { _ in growth(recording: 20_000, detail) == 0 })
      }
    }
  }

  @Test func `the measurement of allocations notices a growing array`() async {
    await #expect(processExitsWith: .success) {
      let before = clinux_allocated_bytes()
      let array = Array(0..<20_000)
      precondition(clinux_allocated_bytes() - before >= 160_000 && array.count == 20_000)
    }
  }
}
