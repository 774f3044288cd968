internal import CFrameBudgetLinux
public import FrameBudget

/// Measures the cost of handing events over, carrier by carrier.
///
/// Repetitions are interleaved, and each begins with another subject, so that a temporary slowdown of the machine does not
/// affect only one of them.
public struct HandOffBench: Sendable {
  public var subjects: [BenchSubject]
  public var repetitions: Int
  public var size: Size
  private let carriers: CarrierSupply

  /// `subjects` are by default all subjects of `carriers`.
  public init(
    of carriers: CarrierSupply = CarrierSupply(), subjects: [BenchSubject]? = nil,
    repetitions: Int = 5, size: Size = .full
  ) {
    self.carriers = carriers
    self.subjects = subjects ?? BenchSubject.all(of: carriers)
    self.repetitions = repetitions
    self.size = size
  }

  /// The size of one repetition.
  public struct Size: Hashable, Sendable {
    /// Events of a stream; one tenth of them for slow carriers.
    public var events: Int
    /// Events to an idle carrier; one thirtieth of them for a carrier whose polling interval determines the result.
    public var idleEvents: Int

    public static let full = Size(events: 200_000, idleEvents: 300)
    public static let quick = Size(events: 50_000, idleEvents: 100)
  }

  /// The subjects in the order of measurement, with the repetition.
  public var plan: [(subject: BenchSubject, repetition: Int)] {
    (1...repetitions).flatMap { repetition in
      subjects.indices.map { index in
        (subjects[(index + repetition - 1) % subjects.count], repetition)
      }
    }
  }

  /// Measures one subject: from one producer and from two.
  public func measure(
    _ subject: BenchSubject, repetition: Int
  ) throws(CarrierError) -> [HandOffMeasurement] {
    var measured: [HandOffMeasurement] = []
    try requireThreads(for: subject)
    for producers in 1...Self.maxProducers {
      let carrier = try subject.start(carriers)
      defer { carrier.stop() }
      // The first event of a carrier also measures its start.
      _ = try EventStream(carrier: carrier, producers: 1, events: 100).run()
      let stream = try streamed(to: carrier, of: subject, producers: producers)
      let post = try posted(to: carrier, of: subject, producers: producers)
      measured.append(
        HandOffMeasurement(
          carrier: subject.carrier, queue: subject.queue, verb: subject.verb, producers: producers,
          repetition: repetition, eventsPerSecond: stream.rate, post: post,
          idle: producers == 1 ? idle(carrier, subject) : nil, wakesPerThousand: stream.wakes))
    }
    return measured
  }

  private func requireThreads(for subject: BenchSubject) throws(CarrierError) {
    let arrangement = Arrangement(lanes: [.main, subject.lane], placement: [], entry: [])
    let most = arrangement.maxThreads(cores: HostFacts.usableCores)
    try CarrierError.wrapping { try ThreadSupply.require(most + Self.maxProducers) }
  }

  private static let maxProducers = 2

  private func events(of subject: BenchSubject) -> Int {
    subject.isSlow ? max(1, size.events / 10) : size.events
  }

  private func streamed(
    to carrier: any Carrier, of subject: BenchSubject, producers: Int
  ) throws(CarrierError) -> (rate: Double, wakes: Double?) {
    let switches = subject.hasOneThread ? ThreadSwitches(of: carrier) : nil
    let before = carrier.wakeUps ?? switches?.count
    let events = events(of: subject)
    let outcome = try EventStream(carrier: carrier, producers: producers, events: events).run()
    let after = carrier.wakeUps ?? switches?.count
    let wakes = before.flatMap { before in
      after.map { 1000 * Double($0 - before) / Double(events) }
    }
    return (Double(events) * 1e9 / Double(max(1, outcome.nanoseconds)), wakes)
  }

  private func posted(
    to carrier: any Carrier, of subject: BenchSubject, producers: Int
  ) throws(CarrierError) -> HandOffMeasurement.Spread {
    var stream = EventStream(
      carrier: carrier, producers: producers, events: max(producers, events(of: subject) / 4))
    stream.isTimed = true
    let clock = Self.costOfClock
    let posts = try stream.run().posts.map { max(0, $0 - clock) }
    guard let spread = HandOffMeasurement.Spread(posts) else {
      preconditionFailure("a stream has events")
    }
    return spread
  }

  private func idle(
    _ carrier: any Carrier, _ subject: BenchSubject
  ) -> HandOffMeasurement.Idle? {
    let isPolling = subject.polls > .zero
    let probe = IdleProbe(
      carrier: carrier, samples: max(1, isPolling ? size.idleEvents / 30 : size.idleEvents),
      rest: .microseconds(100), spread: subject.polls)
    let (latencies, posts) = probe.run()
    guard let latency = HandOffMeasurement.Spread(latencies),
      let post = HandOffMeasurement.Spread(posts.map { max(0, $0 - Self.costOfClock) })
    else { return nil }
    return HandOffMeasurement.Idle(latency: latency, wakingPost: post.p50)
  }

  /// The cost of reading the clock, which is part of each timed post.
  private static let costOfClock: Int64 = {
    let readings = (0..<1001).map { _ in clinux_monotonic() }
    let steps = zip(readings.dropFirst(), readings).map { $0 - $1 }
    return Int64(Percentiles(steps).quantile(0.5) ?? 0)
  }()
}
