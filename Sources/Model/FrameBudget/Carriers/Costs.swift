/// The costs of moving work between threads, besides the work itself: constants of the virtual engine.
///
/// The standard ones are fixed, so that a simulation gives the same bytes everywhere; measured ones replace them only on
/// request.
public struct Costs: Hashable, Sendable {
  /// By carrier, in the order of `CarrierKind.allCases`.
  private var handOffs: [HandOffCosts]
  /// Passing a lock on to a waiting thread; `post` is the cost of locking and unlocking a free one.
  public var lock: HandOffCosts
  /// The cost of switching a core to another thread.
  public var contextSwitch: TimeSpan
  /// Copying a record of a state that a snapshot shares, at the first change after a publication.
  public var copyPerRecord: TimeSpan
  /// Freeing a record of a snapshot, on the thread that drops the last reference.
  public var releasePerRecord: TimeSpan
  /// The scheduling of the measured machine; empty without a measurement.
  public var calibration = Calibration()

  /// Measured on Linux with two cores.
  ///
  /// The copy cost is from `bench`: medians of 29 to 33 ns per record for states of 1000 to 60 000 records, so 20 000 records
  /// are copied in 0.6 ms. results/measured/README.md has the machine and the range.
  ///
  /// A thread that waits for a lock wakes after the releaser has finished waking it, and the releaser can take the lock again
  /// before that.
  public static let standard = Costs(
    handOffs: CarrierKind.allCases.map(\.description.costs),
    lock: HandOffCosts(
      post: .nanoseconds(20), wake: .microseconds(2), latency: .microseconds(5)),
    contextSwitch: .microseconds(2), copyPerRecord: .nanoseconds(30),
    releasePerRecord: .nanoseconds(15))

  /// Everything except the work itself is free.
  public static let none = Costs(
    handOffs: CarrierKind.allCases.map { _ in .none }, lock: .none, contextSwitch: .zero,
    copyPerRecord: .zero, releasePerRecord: .zero)

  /// The cost of a hand-off to a lane on `carrier`.
  public subscript(carrier: CarrierKind) -> HandOffCosts {
    get { handOffs[carrier.allCasesIndex] }
    set { handOffs[carrier.allCasesIndex] = newValue }
  }

  /// The cost of a hand-off to `lane`: that of its carrier with the effect of the lane's options.
  public func handOff(to lane: Lane) -> HandOffCosts {
    let costs = self[lane.carrier]
    return costs == .none ? .none : lane.changed(costs)
  }
}

extension CarrierKind {
  fileprivate var allCasesIndex: Int {
    guard let index = Self.allCases.firstIndex(of: self) else {
      preconditionFailure("a carrier of all")
    }
    return index
  }
}

/// The costs of a hand-off to another thread.
public struct HandOffCosts: Hashable, Sendable {
  /// Paid by the sender, for every event.
  public var post: TimeSpan
  /// Paid by the sender if it has to wake a sleeping receiver.
  public var wake: TimeSpan
  /// The time in which an idle core starts a woken receiver, since the end of the sender's post; for a lock, since the start of
  /// its release. A receiver that finds no idle core has no latency; it waits for its turn.
  public var latency: TimeSpan
  /// Paid by the sender, and by the receiver at the end of each event, for every waiting event: for example, if a list is
  /// searched or a file is rewritten.
  public var perWaiting: TimeSpan
  /// The polling interval of an idle receiver; zero if it is woken.
  public var pollInterval: TimeSpan
  /// Paid by the receiver for each event before it runs: for example, decoding it or starting an operation.
  public var run: TimeSpan
  /// Paid once per stored job by the thread that restores the jobs of earlier runs.
  public var perRestoredJob: TimeSpan

  /// Creates costs; by default each is zero.
  public init(
    post: TimeSpan, wake: TimeSpan, latency: TimeSpan, perWaiting: TimeSpan = .zero,
    pollInterval: TimeSpan = .zero, run: TimeSpan = .zero, perRestoredJob: TimeSpan = .zero
  ) {
    self.post = post
    self.wake = wake
    self.latency = latency
    self.perWaiting = perWaiting
    self.pollInterval = pollInterval
    self.run = run
    self.perRestoredJob = perRestoredJob
  }

  /// No costs.
  public static let none = HandOffCosts(post: .zero, wake: .zero, latency: .zero)
}

// The names of costs in files, where they are numbers of nanoseconds.

extension HandOffCosts {
  package enum Key: String, CaseIterable, Sendable {
    case post = "post_ns"
    case wake = "wake_ns"
    case latency = "latency_ns"
    case perWaiting = "per_waiting_ns"
    case pollInterval = "look_every_ns"
    case run = "run_ns"

    /// The costs of a lock.
    package static let ofLocks: [Key] = [.post, .wake, .latency]

    package var path: WritableKeyPath<HandOffCosts, TimeSpan> {
      switch self {
      case .post: \.post
      case .wake: \.wake
      case .latency: \.latency
      case .perWaiting: \.perWaiting
      case .pollInterval: \.pollInterval
      case .run: \.run
      }
    }
  }
}

extension Costs {
  /// The key of the carriers, each with the costs of a hand-off to it.
  package static let carriersKey = "carriers"
  /// The key of the costs of passing a lock on.
  package static let lockKey = "lock"
  /// The key of the machine's scheduling.
  package static let machineKey = "machine"

  package enum Key: String, CaseIterable, Sendable {
    case contextSwitch = "context_switch_ns"
    case copyPerRecord = "copy_per_record_ns"
    case releasePerRecord = "release_per_record_ns"

    package var path: WritableKeyPath<Costs, TimeSpan> {
      switch self {
      case .contextSwitch: \.contextSwitch
      case .copyPerRecord: \.copyPerRecord
      case .releasePerRecord: \.releasePerRecord
      }
    }
  }
}
