internal import CFrameBudgetLinux
internal import SchedulableThreads
public import FrameBudget

/// Measures how this machine schedules threads: the length of a time slice, and the cores on which woken threads run.
///
/// The machine must be otherwise idle, because other busy processes would get time slices too.
public struct MachineBench: Sendable {
  /// How long two threads share a core.
  public var span: TimeSpan
  /// The number of wake-ups.
  public var wakeUps: Int

  public init(span: TimeSpan = .milliseconds(500), wakeUps: Int = 200) {
    self.span = span
    self.wakeUps = wakeUps
  }

  /// - Throws: if a thread cannot be started, or pinned to a core.
  public func run() throws(CarrierError) -> MachineMeasurement {
    let cores = HostFacts.nameableCores
    let shared = try cores.last.map { core throws(CarrierError) in try turns(on: core) }
    let placement = try cores.count > 1 ? wakes(on: cores) : nil
    let calibration = Calibration(
      cores: HostFacts.usableCores,
      slice: shared?.slice.flatMap { Machine.slices.contains($0) ? $0 : nil },
      wakesOnIdle: placement?.percent, idleWake: placement?.latency)
    return MachineMeasurement(calibration: calibration, contextSwitch: shared?.contextSwitch)
  }

  private func turns(on core: Int) throws(CarrierError) -> TimeSlices {
    let seen = Locked<[[Range<Int64>]]>([])
    let end = clinux_monotonic() + span.nanoseconds
    let threads = try CarrierError.wrapping {
      try (0..<2).map { number in
        try PlatformThread(name: "turn \(number)", processors: [core]) {
          let spans = TimeSlices.seen(until: end, gap: Self.gap)
          seen.withLock { $0.append(spans) }
        }
      }
    }
    for thread in threads { thread.join() }
    return TimeSlices(of: seen.withLock(\.self))
  }

  private func wakes(
    on cores: [Int]
  ) throws(CarrierError) -> (percent: Int, latency: TimeSpan?)? {
    WakeUp.placement(of: try WakeProbe(samples: wakeUps, cores: cores).run())
  }

  /// Longer than an interrupt, and shorter than any time slice. Shorter gaps do not count as a time slice of the other thread.
  private static let gap: Int64 = 20_000
}
