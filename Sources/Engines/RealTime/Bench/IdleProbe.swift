internal import CFrameBudgetLinux
internal import FrameBudget

/// Sends single events to an idle carrier, and measures the latency of each and the duration of its post.
struct IdleProbe {
  let carrier: any Carrier
  let samples: Int
  /// The idle time before each event, so that the carrier's thread sleeps.
  let rest: TimeSpan
  /// A range of additional idle time, over which the samples are spread, for a carrier that polls at fixed times.
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

  /// Spins, because a real poster has warm caches and an awake processor.
  private func pause(before sample: Int) {
    let share = spread.nanoseconds * Int64(2 * sample + 1) / Int64(2 * samples)
    let end = clinux_monotonic() + rest.nanoseconds + share
    if share > 0 { clinux_sleep_until(end - rest.nanoseconds) }
    while clinux_monotonic() < end {}
  }
}
