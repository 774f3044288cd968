internal import CFrameBudgetLinux
internal import FrameBudget

/// Burns the processor time of steps.
struct Burner: Sendable {
  /// By bytes touched: nanoseconds per round of work on an idle machine.
  private let roundCosts: [Int: Double]

  /// Measures this machine's speed at each working-set size of `plan`.
  init(for plan: RunPlan) {
    let sizes = Set(plan.scenario.workloads.flatMap(\.steps).compactMap(\.touchedBytes))
    roundCosts = Dictionary(uniqueKeysWithValues: sizes.map { ($0, Self.measure($0)) })
  }

  /// Uses `span` of this thread's processor time, or does the work that takes `span` on an idle machine.
  func burn(_ span: TimeSpan, as load: Step.Load, over memory: inout WorkMemory) {
    switch load {
    case .cpu: Self.burn(span)
    case .work(_, let touches):
      guard let cost = roundCosts[touches] else { preconditionFailure("a size of this plan") }
      memory.work(touching: touches, rounds: Int64((Double(span.nanoseconds) / cost).rounded()))
    }
  }

  /// Uses `span` of this thread's processor time.
  static func burn(_ span: TimeSpan) {
    if span > .zero { clinux_burn_cpu(span.nanoseconds) }
  }

  /// The minimum of several tries has the least disturbance by other programs.
  private static func measure(_ bytes: Int) -> Double {
    let rounds: Int64 = 200_000
    var memory = WorkMemory(bytes: bytes)
    memory.work(touching: bytes, rounds: rounds)
    let spans = (0..<7).map { _ in
      let began = clinux_thread_cpu()
      memory.work(touching: bytes, rounds: rounds)
      return clinux_thread_cpu() - began
    }
    return Double(max(1, spans.min() ?? 1)) / Double(rounds)
  }
}

/// The working set of a step, so that caches and other cores affect its time.
struct WorkMemory: Sendable {
  private var bytes: [UInt8]

  init(bytes count: Int) { bytes = Array(repeating: 0, count: count) }

  mutating func work(touching count: Int, rounds: Int64) {
    precondition(count <= bytes.count && count >= 64, "memory for the work")
    unsafe bytes.withUnsafeMutableBufferPointer { buffer in
      unsafe clinux_work(buffer.baseAddress, Int64(count), rounds)
    }
  }
}

extension Step {
  /// The size of its working set; nil if it only uses processor time.
  var touchedBytes: Int? {
    if case .work(_, let touches) = load { touches } else { nil }
  }
}
