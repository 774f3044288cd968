internal import FrameBudget

/// Which dropped frames are put down to the machine, and not to the app.
///
/// In real time these are what others on it dropped and, while they are few, late wake-ups: many of those are more
/// likely to come from the arrangement's own threads, which keep the processors busy. In virtual time there is nobody
/// else, unless the scenario's machine has other processes on it: then they are part of what the app has to bear.
struct MachineFrames {
  /// Up to this share of all frames late wake-ups are the machine's.
  static let wakeupLimit = 0.005

  /// Whether late wake-ups are the machine's.
  let excusesWakeups: Bool
  let count: Int
  /// The causes that are not the app's.
  let excused: [Cause]

  init(wakeups: Int, machine: Int, of expected: Int, isReal: Bool) {
    excusesWakeups = isReal && Double(wakeups) <= Self.wakeupLimit * Double(expected)
    excused = isReal ? [.machine] + (excusesWakeups ? [.wakeup] : []) : []
    count = isReal ? machine + (excusesWakeups ? wakeups : 0) : 0
  }

  init(_ metrics: RunMetrics) {
    let frames = metrics.frames
    self.init(
      wakeups: frames.drops[Int(Cause.wakeup.rawValue)],
      machine: frames.drops[Int(Cause.machine.rawValue)], of: frames.expected,
      isReal: metrics.log.engine == .real)
  }

  init(_ row: ResultRow) {
    func count(_ metric: Metric) -> Int { row[metric].map { Int($0) } ?? 0 }
    self.init(
      wakeups: count(.drops(by: .wakeup)), machine: count(.drops(by: .machine)),
      of: count(.expectedFrames), isReal: row.engine == EngineKind.real.rawValue)
  }
}
