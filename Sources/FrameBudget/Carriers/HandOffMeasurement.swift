/// What `bench` found about one carrier, from so many producers, in one repetition.
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
  /// How often the carrier's thread was woken per thousand events of the stream; nil where nobody knows.
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
