internal import FrameBudget

/// What decides which of several ready threads gets a core.
enum Priority: Hashable, Sendable {
  /// Shares the cores with all other fair threads, by weight.
  case fair(nice: Int)
  /// Runs before every fair thread and every one of a smaller number, as long as it likes.
  case fixed(Int)

  /// 0 for fair threads; more for others.
  var rank: Int {
    switch self {
    case .fair: 0
    case .fixed(let number): number
    }
  }

  /// By how much a nanosecond on a core advances a thread's virtual time: 1024 at nice 0.
  var pace: Int64 {
    guard case .fair(let nice) = self else { return 0 }
    let weight = Self.weights[min(max(nice, -20), 19) + 20]
    return ((1 << 20) + weight / 2) / weight
  }

  /// Linux's weight for each nice value from -20 to 19: `sched_prio_to_weight` in kernel/sched/core.c.
  private static let weights: [Int64] = [
    88761, 71755, 56483, 46273, 36291, 29154, 23254, 18705, 14949, 11916,
    9548, 7620, 6100, 4904, 3906, 3121, 2501, 1991, 1586, 1277,
    1024, 820, 655, 526, 423, 335, 272, 215, 172, 137,
    110, 87, 70, 56, 45, 36, 29, 23, 18, 15,
  ]
}
