public import FrameBudget

/// What a run came to, as far as it is judged by.
public struct Outcome: Hashable, Sendable {
  /// Vsyncs without a new frame, and vsyncs.
  public let dropped: Int
  /// How many vsyncs there were.
  public let frames: Int
  /// Responses that took too long; nil where nobody waits.
  public let late: Int?
  /// Items that were not done.
  public let pending: Int
  /// What it cost.
  public let price: Price
  /// By aim: by how much it is missed.
  let misses: [Double]
  /// Whether the run broke no invariant.
  let isValid: Bool

  /// What an arrangement costs; milliseconds on different threads, so their sum is a rule to rank by.
  public struct Price: Hashable, Sendable {
    /// Handing work over and taking results, on the main thread, in milliseconds.
    public let handOff: Double
    /// Copying state for snapshots, in milliseconds.
    public let copying: Double
    /// The main thread blocked on locks, in milliseconds.
    public let lockWait: Double
    /// In milliseconds; nil where nobody waits.
    public let response: Observation?
    /// In milliseconds; nil where nothing arrives.
    public let content: Observation?

    /// Handing over, copying and waiting together.
    public var total: Double { handOff + copying + lockWait }
  }

  /// Whether all aims are met.
  public var meets: Bool { isValid && misses.allSatisfy { $0 == 0 } }

  init(_ metrics: RunMetrics, for aims: [Aim]) {
    dropped = metrics.frames.dropped
    frames = metrics.frames.expected
    late = metrics.items.responsesLate
    pending = metrics.items.pending
    isValid = metrics.log.violations.isEmpty
    misses = aims.map { $0.miss(metrics.observed($0.metric)) }
    let arrived = Double(metrics.items.arrived)
    price = Price(
      handOff: (metrics[.handOff] ?? 0) * arrived / 1000,
      copying: metrics[.publishing] ?? 0, lockWait: metrics[.lockWait] ?? 0,
      response: metrics.observed(Metric.response(.p99).name),
      content: metrics.observed(Metric.content(.p95).name))
  }
}
