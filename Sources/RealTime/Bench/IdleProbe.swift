internal import CLinux
internal import FrameBudget

/// Single events to a carrier that has nothing to do: how long until each runs, and what its post takes.
struct IdleProbe {
  let carrier: any Carrier
  let samples: Int
  /// For how long the carrier is left alone before each, so that its thread sleeps.
  let rest: TimeSpan
  /// Over how long the samples are spread beyond that, for a carrier that looks at fixed times.
  let spread: TimeSpan

  func run() -> (latencies: [Int64], posts: [Int64]) {
    let tally = EventTally()
    var latencies: [Int64] = []
    var posts: [Int64] = []
    for sample in 0..<samples {
      pause(before: sample)
      tally.expect(1)
      let began = clinux_monotonic()
      carrier.send(sample, to: tally)
      let posted = clinux_monotonic()
      latencies.append(tally.waitSpinning(for: 1_000_000) - began)
      posts.append(posted - began)
    }
    return (latencies, posts)
  }

  /// Spins, because a poster that has just been working has its caches warm and its processor awake.
  private func pause(before sample: Int) {
    let share = spread.nanoseconds * Int64(2 * sample + 1) / Int64(2 * samples)
    let end = clinux_monotonic() + rest.nanoseconds + share
    if share > 0 { clinux_sleep_until(end - rest.nanoseconds) }
    while clinux_monotonic() < end {}
  }
}
