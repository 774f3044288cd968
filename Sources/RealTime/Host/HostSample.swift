internal import CLinux
public import FrameBudget
internal import Glibc

/// What the machine's processors had done at some moment, and this process of it.
public struct HostSample: Hashable, Sendable {
  /// Ticks of all processors since the machine started.
  let busy: Int64
  let stolen: Int64
  let total: Int64
  let ownCPU: TimeSpan
  /// The mean number of runnable threads over the last minute.
  public let load: Double

  public static var now: HostSample? {
    HostSample(.pressure, ownCPU: TimeSpan(nanoseconds: clinux_process_cpu()))
  }

  /// Nil where the kernel does not count.
  init?(_ texts: HostTexts, ownCPU: TimeSpan) {
    // cpu user nice system idle iowait irq softirq steal guest guest_nice; guests are contained in user.
    guard let line = texts.times.split(separator: "\n").first, line.hasPrefix("cpu ") else {
      return nil
    }
    let ticks = line.split(separator: " ").dropFirst().prefix(8).compactMap { Int64($0) }
    guard ticks.count == 8 else { return nil }
    busy = ticks[0] + ticks[1] + ticks[2] + ticks[5] + ticks[6]
    stolen = ticks[7]
    total = ticks.reduce(0, +)
    load = texts.load.split(separator: " ").first.flatMap { Double($0) } ?? 0
    self.ownCPU = ownCPU
  }
}

extension HostLoad {
  /// What else went on on the machine between two samples.
  public init(from before: HostSample, to after: HostSample) {
    self.init(from: before, to: after, ticksPerSecond: Int64(sysconf(Int32(_SC_CLK_TCK))))
  }

  init(from before: HostSample, to after: HostSample, ticksPerSecond: Int64) {
    let total = Double(max(1, after.total - before.total))
    let own = (after.ownCPU - before.ownCPU).inSeconds * Double(ticksPerSecond)
    // The kernel's ticks are coarse: over a short time a process may seem to have used more than all did.
    self.init(
      stealPercent: 100 * Double(max(0, after.stolen - before.stolen)) / total,
      othersPercent: 100 * max(0, Double(after.busy - before.busy) - own) / total)
  }
}
