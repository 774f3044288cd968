internal import FrameBudget
internal import RealTime

/// What passing a lock on takes: the constants of locks in `Costs.standard` are such medians, rounded.
enum LockBenchmark {
  static func run() throws {
    for kind in [Lock.Kind.barging, .fair, .inheriting] {
      let outcome = try LockProbe(kind, samples: 300).run()
      print(
        "\(kind): woken after \(text(outcome.latencies)), the release takes \(text(outcome.wakes))")
    }
  }

  private static func text(_ nanoseconds: [Int64]) -> String {
    let percentiles = Percentiles(nanoseconds)
    let values = [0.5, 0.99].map {
      Decimal.text((percentiles.quantile($0) ?? 0) / 1000, places: 1)
    }
    return "\(values[0]) µs (p99 \(values[1]))"
  }
}
