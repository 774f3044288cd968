import FrameBudget

/// Possible measurements of `bench`, chosen so that medians are easy to see.
enum HandMadeMeasurements {
  static let all = (1...3).flatMap { repetition in
    measured(.scheduler, "stack", repetition, rate: 9_000_000, post: 40, wakes: 2.5)
      + measured(
        .scheduler, "stack", verb: "object.schedule", repetition, rate: 8_000_000, post: 45,
        wakes: 3)
      + measured(.scheduler, "swap", repetition, rate: 6_000_000, post: 60, wakes: 10)
      + measured(nil, nil, repetition, rate: 12_000_000, post: 30, wakes: 2)
      + measured(.dispatch, nil, repetition, rate: 3_000_000, post: 100, wakes: nil)
      + measured(.nio, nil, repetition, rate: 4_500_000, post: 95, wakes: 20)
      + measured(.naive, nil, repetition, rate: 1_500, post: 70, wakes: 0, latency: 50_000_000)
  }

  /// Two sizes; in the larger one a record costs half as much.
  static let copies = (1...3).flatMap { repetition in
    [(records: 1000, perRecord: 40.0), (20_000, 20)].map { records, perRecord in
      let copy = perRecord * Double(records) * [1.1, 1, 0.9][repetition - 1]
      return CopyMeasurement(
        records: records, repetition: repetition,
        copy: .init(p50: copy, p99: 2 * copy, max: 3 * copy),
        release: .init(p50: copy / 4, p99: copy, max: copy))
    }
  }

  /// The second repetition is the middle one in every figure; the others are off by a tenth of it.
  private static func measured(
    _ carrier: CarrierKind?, _ queue: String?, verb: String? = nil, _ repetition: Int, rate: Double,
    post: Double,
    wakes: Double?, latency: Double = 3_000
  ) -> [HandOffMeasurement] {
    let scale = [1.1, 1, 0.9][repetition - 1]
    return [1, 2].map { producers in
      HandOffMeasurement(
        carrier: carrier, queue: queue, verb: verb, producers: producers, repetition: repetition,
        eventsPerSecond: rate * scale / Double(producers),
        post: .init(p50: post * scale, p99: 10 * post * scale, max: 100 * post * scale),
        idle: producers == 2
          ? nil
          : .init(
            latency: .init(
              p50: latency * scale, p99: 2 * latency * scale, max: 9 * latency * scale),
            wakingPost: 20 * post * scale), wakesPerThousand: wakes)
    }
  }
}
