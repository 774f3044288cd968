/// What a machine does with threads, apart from what that costs. Nil is what was not measured.
public struct Calibration: Hashable, Sendable {
  /// How many cores a process may use there.
  public var cores: Int?
  /// How long a thread keeps its core while another one waits for it: the simulated machine's slice, where a scenario
  /// says none.
  public var slice: TimeSpan?
  /// Of the threads that wake while their core is taken and another one is idle, how many get that: in percent.
  public var wakesOnIdle: Int?
  /// From when such a thread is woken until it runs on the idle core.
  public var idleWake: TimeSpan?

  /// What was measured; the rest is nil.
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
  /// What it is called in files, where all are whole numbers.
  package enum Key: String, CaseIterable, Sendable {
    case cores
    case slice = "slice_ns"
    case wakesOnIdle = "wakes_on_idle_percent"
    case idleWake = "idle_wake_ns"

    /// What files may say.
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

/// What `bench` found about the machine itself.
public struct MachineMeasurement: Hashable, Sendable {
  /// What it does with threads.
  public var calibration: Calibration
  /// Between the last moment of one thread and the first one of the next on the same core; nil if that was not measured.
  public var contextSwitch: TimeSpan?

  /// What was found.
  public init(calibration: Calibration, contextSwitch: TimeSpan? = nil) {
    self.calibration = calibration
    self.contextSwitch = contextSwitch
  }
}

/// What `bench` measured for one carrier and number of producers, in one repetition.
public struct HandOffMeasurement: Hashable, Sendable {
  /// What was measured; nil for the least that handing over takes: memory that is allocated, pushed, and freed by another
  /// thread.
  public var carrier: CarrierKind?
  /// The scheduler's queue, where the carrier has several.
  public var queue: String?
  /// The words in which events were sent, where the carrier has several and these are not the usual ones.
  public var verb: String?
  /// How many threads posted at once.
  public var producers: Int
  /// Which repetition it was, from 1.
  public var repetition: Int
  /// From the first post until the last event has run.
  public var eventsPerSecond: Double
  /// What a post takes in a stream of them, in nanoseconds.
  public var post: Spread
  /// Nil with several producers: an idle carrier has one sender.
  public var idle: Idle?
  /// Wake-ups of the carrier's thread per thousand events of the stream; nil if unknown.
  public var wakesPerThousand: Double?

  /// What one repetition found; times in nanoseconds.
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

  /// What the rows of a carrier are called, and those of the least there is.
  public static func name(of carrier: CarrierKind?) -> String { carrier?.rawValue ?? "limit" }

  /// Handing an event to a carrier that has nothing to do, and sleeps.
  public struct Idle: Hashable, Sendable {
    /// From before the post until the event runs, in nanoseconds.
    public var latency: Spread
    /// What the post takes that wakes the carrier, in nanoseconds: the median.
    public var wakingPost: Double

    /// - Parameters:
    ///   - latency: from before the post until the event runs, in nanoseconds.
    ///   - wakingPost: the median of what the post takes, in nanoseconds.
    public init(latency: Spread, wakingPost: Double) {
      self.latency = latency
      self.wakingPost = wakingPost
    }
  }

  /// Where the values of a sample lie.
  public struct Spread: Hashable, Sendable {
    /// The median.
    public var p50: Double
    /// Exceeded by one value of a hundred.
    public var p99: Double
    /// The largest.
    public var max: Double

    /// - Parameters:
    ///   - p50: the median.
    ///   - p99: exceeded by one value of a hundred.
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

/// What `bench` measured for snapshots of a state of that many records, in one repetition.
public struct CopyMeasurement: Hashable, Sendable {
  /// The size of the state.
  public var records: Int
  /// Which repetition it was, from 1.
  public var repetition: Int
  /// What the first change after a publication took, which copies the state, in nanoseconds.
  public var copy: HandOffMeasurement.Spread
  /// What dropping the last reference to a snapshot took, in nanoseconds.
  public var release: HandOffMeasurement.Spread

  /// What one repetition found; times in nanoseconds.
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
