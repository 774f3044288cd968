// Public names of earlier versions.

/// The former name of `TraceStep`.
@available(*, deprecated, renamed: "TraceStep")
public typealias TracePlace = TraceStep

extension Cause {
  /// The former name of `attributionOrder`.
  @available(*, deprecated, renamed: "attributionOrder")
  public static var tried: [Cause] { attributionOrder }
}

extension FrameLedger {
  /// The former name of `noteIdle`.
  @available(*, deprecated, renamed: "noteIdle(at:)")
  public mutating func isIdle(at now: Instant) { noteIdle(at: now) }
}

extension HandOffCosts {
  /// Creates costs under the former names of `pollInterval` and `perRestoredJob`.
  @available(
    *, deprecated,
    renamed: "init(post:wake:latency:perWaiting:pollInterval:run:perRestoredJob:)"
  )
  public init(
    post: TimeSpan, wake: TimeSpan, latency: TimeSpan, perWaiting: TimeSpan = .zero,
    lookEvery: TimeSpan, run: TimeSpan = .zero, perKept: TimeSpan = .zero
  ) {
    self.init(
      post: post, wake: wake, latency: latency, perWaiting: perWaiting, pollInterval: lookEvery,
      run: run, perRestoredJob: perKept)
  }

  /// Creates costs under the former name of `perRestoredJob`.
  @available(
    *, deprecated,
    renamed: "init(post:wake:latency:perWaiting:pollInterval:run:perRestoredJob:)"
  )
  public init(
    post: TimeSpan, wake: TimeSpan, latency: TimeSpan, perWaiting: TimeSpan = .zero,
    run: TimeSpan = .zero, perKept: TimeSpan
  ) {
    self.init(
      post: post, wake: wake, latency: latency, perWaiting: perWaiting, run: run,
      perRestoredJob: perKept)
  }

  /// The former name of `pollInterval`.
  @available(*, deprecated, renamed: "pollInterval")
  public var lookEvery: TimeSpan {
    get { pollInterval }
    set { pollInterval = newValue }
  }

  /// The former name of `perRestoredJob`.
  @available(*, deprecated, renamed: "perRestoredJob")
  public var perKept: TimeSpan {
    get { perRestoredJob }
    set { perRestoredJob = newValue }
  }
}

extension HandOffCosts.Key {
  /// The former name of `pollInterval`.
  @available(*, deprecated, renamed: "pollInterval")
  public static var lookEvery: Self { .pollInterval }
}

extension LoadSearch {
  /// The former name of `maxRuns`.
  @available(*, deprecated, renamed: "maxRuns(in:)")
  public static func mostRuns(in range: ClosedRange<Int>) -> Int { maxRuns(in: range) }
}

extension LoopTurns {
  /// The former name of `noteIdle`.
  @available(*, deprecated, renamed: "noteIdle()")
  public mutating func isIdle() { noteIdle() }
}

extension Pipeline {
  /// The former name of `maxBuffers`.
  @available(*, deprecated, renamed: "maxBuffers")
  public static var mostBuffers: Int { maxBuffers }
}

extension Publication {
  /// The former name of `beginChange`.
  @available(*, deprecated, renamed: "beginChange()")
  public mutating func copies() -> Bool { beginChange() }

  /// The former name of `publish`.
  @available(*, deprecated, renamed: "publish(_:in:)")
  public mutating func publishes(_ rule: Reading.PublishRule?, in vsync: Int) -> Bool {
    publish(rule, in: vsync)
  }
}

extension ResultDrain {
  /// The former name of `takeNext`.
  @available(*, deprecated, renamed: "takeNext(at:)")
  public mutating func takesNext(at now: Instant) -> Bool { takeNext(at: now) }

  /// The former name of `beginUpdate`.
  @available(*, deprecated, renamed: "beginUpdate(_:)")
  public mutating func isUpdate(_ workload: WorkloadIndex) -> Bool { beginUpdate(workload) }
}

extension ThreadTrace {
  /// The former name of `noteLost`.
  @available(*, deprecated, renamed: "noteLost(_:)")
  public mutating func miss(_ count: Int) { noteLost(count) }
}

extension TraceLog {
  /// The former name of `maxSpans`.
  @available(*, deprecated, renamed: "maxSpans")
  public static var mostSpans: Int { maxSpans }
}
