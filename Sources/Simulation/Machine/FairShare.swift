public import FrameBudget

/// How fair threads take turns: the one with the least virtual time runs, among those in one queue.
///
/// An idealised form of what Linux does; the lengths are those of its EEVDF scheduler, whose slice is 0.70 ms (0.75 in its
/// first versions) times 1 + log2 of the cores, of at most 8 (`sysctl_sched_base_slice` in kernel/sched/fair.c, 6.18).
public struct FairShare: Hashable, Sendable {
  /// How long a thread keeps its core while others wait for one.
  public var slice: TimeSpan
  /// How far behind the others a thread may be that slept, which it gets first when it wakes; and how far ahead of them.
  public var credit: TimeSpan
  /// How far behind it must be to take a core from a thread whose slice is not over.
  public var granularity: TimeSpan

  public init(slice: TimeSpan, credit: TimeSpan, granularity: TimeSpan) {
    precondition(slice > .zero, "slices have a length")
    self.slice = slice
    self.credit = credit
    self.granularity = granularity
  }

  public static func standard(cores: Int) -> FairShare {
    let factor =
      1 + (min(max(cores, 1), 8).bitWidth - 1 - min(max(cores, 1), 8).leadingZeroBitCount)
    return FairShare(slice: TimeSpan.microseconds(700) * factor)
  }

  /// Slices of another length, and what follows from that: as much credit, and half of it to take a core.
  public init(slice: TimeSpan) {
    self.init(
      slice: slice, credit: slice, granularity: TimeSpan(nanoseconds: slice.nanoseconds / 2))
  }
}
