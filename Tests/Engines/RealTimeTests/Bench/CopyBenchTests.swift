import FrameBudget
import FrameBudgetRealTime
import TestSupport
import Testing

/// The duration is not tested, because a busy machine changes it.
@Suite(.serialized) struct `The benchmark of copying` {
  @Test func `copies and frees each snapshot of a state`() async throws {
    let measured = try await onOwnThread {
      try CopyBench(repetitions: 1, snapshots: 5).measure(records: 5000, repetition: 3)
    }
    #expect(measured.records == 5000 && measured.repetition == 3)
    // Copying or freeing 5000 records with four strings each takes some time.
    #expect(measured.copyPerRecord > 0.5 && measured.releasePerRecord > 0.5)
    #expect(measured.copy.p50 <= measured.copy.max && measured.release.p50 <= measured.release.max)
  }

  @Test func `measures several sizes, interleaved`() {
    let plan = CopyBench(repetitions: 2).plan
    #expect(plan.map(\.records) == CopyBench.sizes + CopyBench.sizes)
    #expect(
      plan.map(\.repetition) == CopyBench.sizes.map { _ in 1 } + CopyBench.sizes.map { _ in 2 })
    #expect(CopyBench.sizes.count > 2)
  }
}
