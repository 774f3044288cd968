internal import CLinux
internal import FrameBudget

/// Uses up processors as steps say.
struct Burner: Sendable {
  /// By bytes touched: nanoseconds that a round of work takes on this machine when it is idle.
  private let roundCosts: [Int: Double]

  /// Measures how fast this machine works over each of the sizes that `plan` touches.
  init(for plan: RunPlan) {
    let sizes = Set(plan.scenario.workloads.flatMap(\.steps).compactMap(\.touchedBytes))
    roundCosts = Dictionary(uniqueKeysWithValues: sizes.map { ($0, Self.measure($0)) })
  }

  /// Uses `span` of this thread's processor time, or does the work that takes so long on an idle machine.
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

  /// The fastest of several tries: the one that the rest of the machine disturbed least.
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

/// Memory that work goes over, so that caches and neighbours can show.
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
  /// How much memory its work goes over; nil if it only uses processor time.
  var touchedBytes: Int? {
    if case .work(_, let touches) = load { touches } else { nil }
  }
}
