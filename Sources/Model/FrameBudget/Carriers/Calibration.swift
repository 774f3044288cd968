/// The scheduling of threads on a machine, without its costs. Values that were not measured are nil.
public struct Calibration: Hashable, Sendable {
  /// The number of cores that a process may use.
  public var cores: Int?
  /// The time slice: how long a thread keeps its core while another one waits for it. The simulated machine uses it unless a
  /// scenario sets one.
  public var slice: TimeSpan?
  /// The percentage of threads that run on an idle core when they are woken while their own core is busy.
  public var wakesOnIdle: Int?
  /// The time from the wake-up of such a thread until it runs on the idle core.
  public var idleWake: TimeSpan?

  /// The measured values; the others are nil.
  public init(
    cores: Int? = nil, slice: TimeSpan? = nil, wakesOnIdle: Int? = nil, idleWake: TimeSpan? = nil
  ) {
    self.cores = cores
    self.slice = slice
    self.wakesOnIdle = wakesOnIdle
    self.idleWake = idleWake
  }
}

extension Calibration {
  /// The names in files, where all values are integers.
  package enum Key: String, CaseIterable, Sendable {
    case cores
    case slice = "slice_ns"
    case wakesOnIdle = "wakes_on_idle_percent"
    case idleWake = "idle_wake_ns"

    /// The valid range in files.
    package var range: ClosedRange<Int> {
      switch self {
      case .cores: 1...4096
      case .slice:
        Int(Machine.slices.lowerBound.nanoseconds)...Int(Machine.slices.upperBound.nanoseconds)
      case .wakesOnIdle: 0...100
      case .idleWake: 0...1_000_000_000
      }
    }
  }

  package subscript(key: Key) -> Int? {
    get {
      switch key {
      case .cores: cores
      case .slice: slice.map { Int($0.nanoseconds) }
      case .wakesOnIdle: wakesOnIdle
      case .idleWake: idleWake.map { Int($0.nanoseconds) }
      }
    }
    set {
      switch key {
      case .cores: cores = newValue
      case .slice: slice = newValue.map { .nanoseconds(Int64($0)) }
      case .wakesOnIdle: wakesOnIdle = newValue
      case .idleWake: idleWake = newValue.map { .nanoseconds(Int64($0)) }
      }
    }
  }
}

/// The measurement of the machine itself by `bench`.
public struct MachineMeasurement: Hashable, Sendable {
  /// The scheduling of threads.
  public var calibration: Calibration
  /// The time from the last moment of one thread to the first one of the next on the same core; nil if it was not measured.
  public var contextSwitch: TimeSpan?

  /// Creates a measurement.
  public init(calibration: Calibration, contextSwitch: TimeSpan? = nil) {
    self.calibration = calibration
    self.contextSwitch = contextSwitch
  }
}

/// The measurement of one carrier and number of producers by `bench`, in one repetition.
public struct HandOffMeasurement: Hashable, Sendable {
  /// The carrier; nil for the lower limit of a hand-off: memory that is allocated, pushed, and freed by another thread.
  public var carrier: CarrierKind?
  /// The scheduler's queue, if the carrier has several.
  public var queue: String?
  /// The method that sent the events, if it is not the usual one.
  public var verb: String?
  /// The number of threads that posted at once.
  public var producers: Int
  /// The number of the repetition, from 1.
  public var repetition: Int
  /// From the first post until the last event has run.
  public var eventsPerSecond: Double
  /// The duration of a post in a stream of posts, in nanoseconds.
  public var post: Spread
  /// Nil with several producers: an idle carrier has one sender.
  public var idle: Idle?
  /// Wake-ups of the carrier's thread per thousand events of the stream; nil if unknown.
  public var wakesPerThousand: Double?

  /// The values of one repetition; times in nanoseconds.
  public init(
    carrier: CarrierKind?, queue: String? = nil, verb: String? = nil, producers: Int,
    repetition: Int,
    eventsPerSecond: Double, post: Spread, idle: Idle? = nil, wakesPerThousand: Double? = nil
  ) {
    self.carrier = carrier
    self.queue = queue
    self.verb = verb
    self.producers = producers
    self.repetition = repetition
    self.eventsPerSecond = eventsPerSecond
    self.post = post
    self.idle = idle
    self.wakesPerThousand = wakesPerThousand
  }

  /// The name in rows: that of the carrier, or of the lower limit.
  public static func name(of carrier: CarrierKind?) -> String { carrier?.rawValue ?? "limit" }

  /// A hand-off to an idle carrier, whose thread sleeps.
  public struct Idle: Hashable, Sendable {
    /// From before the post until the event runs, in nanoseconds.
    public var latency: Spread
    /// The median duration of a post that wakes the carrier, in nanoseconds.
    public var wakingPost: Double

    /// - Parameters:
    ///   - latency: from before the post until the event runs, in nanoseconds.
    ///   - wakingPost: the median duration of the post, in nanoseconds.
    public init(latency: Spread, wakingPost: Double) {
      self.latency = latency
      self.wakingPost = wakingPost
    }
  }

  /// Quantiles of a sample.
  public struct Spread: Hashable, Sendable {
    /// The median.
    public var p50: Double
    /// The 99th percentile.
    public var p99: Double
    /// The largest.
    public var max: Double

    /// - Parameters:
    ///   - p50: the median.
    ///   - p99: the 99th percentile.
    ///   - max: the largest.
    public init(p50: Double, p99: Double, max: Double) {
      self.p50 = p50
      self.p99 = p99
      self.max = max
    }

    /// Nil for an empty sample.
    public init?(_ sample: [Int64]) {
      let percentiles = Percentiles(sample)
      guard let p50 = percentiles.quantile(0.5), let p99 = percentiles.quantile(0.99),
        let max = percentiles.maximum
      else { return nil }
      self.init(p50: p50, p99: p99, max: max)
    }
  }
}

/// The measurement of snapshots of a state of `records` by `bench`, in one repetition.
public struct CopyMeasurement: Hashable, Sendable {
  /// The size of the state.
  public var records: Int
  /// The number of the repetition, from 1.
  public var repetition: Int
  /// The duration of the first change after a publication, which copies the state, in nanoseconds.
  public var copy: HandOffMeasurement.Spread
  /// The duration of dropping the last reference to a snapshot, in nanoseconds.
  public var release: HandOffMeasurement.Spread

  /// The values of one repetition; times in nanoseconds.
  public init(
    records: Int, repetition: Int, copy: HandOffMeasurement.Spread,
    release: HandOffMeasurement.Spread
  ) {
    self.records = records
    self.repetition = repetition
    self.copy = copy
    self.release = release
  }

  /// The median copy, in nanoseconds for each record.
  public var copyPerRecord: Double { copy.p50 / Double(records) }
  /// The median release, in nanoseconds for each record.
  public var releasePerRecord: Double { release.p50 / Double(records) }
}
