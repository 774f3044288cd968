/// What moving work about costs, besides the work itself: a handful of constants for the virtual engine.
///
/// The standard ones are constants, so that a simulation gives the same bytes everywhere; measured
/// ones take their place only on request.
public struct Costs: Hashable, Sendable {
  /// By carrier, in the order of `CarrierKind.allCases`.
  private var handOffs: [HandOffCosts]
  /// Passing a lock on to a thread that waits for it; `post` is what taking and releasing a free one takes.
  public var lock: HandOffCosts
  /// What a core loses when it turns to another thread.
  public var contextSwitch: TimeSpan
  /// Copying a record of a state that a snapshot shares: the first change after a publication.
  public var copyPerRecord: TimeSpan
  /// Freeing a record of a snapshot, on the thread that drops the last reference.
  public var releasePerRecord: TimeSpan
  /// How the measured machine schedules threads; unknown without a measurement.
  public var calibration = Calibration()

  /// What has been measured on Linux with two cores.
  ///
  /// Copying is what `bench` found: medians of 29 to 33 ns a record for states of 1000 to 60 000 records, so 20 000 are
  /// copied in 0.6 ms. The page Measurements has the machine and the range.
  ///
  /// Who waits for a lock wakes after the releaser is through with waking it, who then can take the lock again.
  public static let standard = Costs(
    handOffs: CarrierKind.allCases.map(\.description.costs),
    lock: HandOffCosts(
      post: .nanoseconds(20), wake: .microseconds(2), latency: .microseconds(5)),
    contextSwitch: .microseconds(2), copyPerRecord: .nanoseconds(30),
    releasePerRecord: .nanoseconds(15))

  /// Everything but the work itself is free.
  public static let none = Costs(
    handOffs: CarrierKind.allCases.map { _ in .none }, lock: .none, contextSwitch: .zero,
    copyPerRecord: .zero, releasePerRecord: .zero)

  /// What a hand-off to a lane on `carrier` costs.
  public subscript(carrier: CarrierKind) -> HandOffCosts {
    get { handOffs[carrier.place] }
    set { handOffs[carrier.place] = newValue }
  }

  /// What a hand-off to `lane` costs: that of its carrier, as the lane's options change it.
  public func handOff(to lane: Lane) -> HandOffCosts {
    let costs = self[lane.carrier]
    return costs == .none ? .none : lane.changed(costs)
  }
}

extension CarrierKind {
  fileprivate var place: Int {
    guard let place = Self.allCases.firstIndex(of: self) else {
      preconditionFailure("a carrier of all")
    }
    return place
  }
}

/// What handing something over to another thread costs.
public struct HandOffCosts: Hashable, Sendable {
  /// Whoever hands over, every time.
  public var post: TimeSpan
  /// Whoever hands over, when the receiver sleeps and has to be woken.
  public var wake: TimeSpan
  /// Until the receiver that was woken is ready to run: from when whoever hands over is through with that, but of a
  /// lock from the beginning of its release.
  public var latency: TimeSpan
  /// Whoever hands over, and the receiver at the end of each event, for every event that waits: a list that is walked,
  /// a file that is written anew.
  public var perWaiting: TimeSpan
  /// How long a receiver that found nothing sleeps before it looks again; zero where it is woken.
  public var lookEvery: TimeSpan
  /// The receiver, for each event, before what it is to run: decoding it, starting an operation.
  public var run: TimeSpan
  /// Whoever restores what earlier runs have left, once, for each of it.
  public var perKept: TimeSpan

  /// The costs; what is left out costs nothing.
  public init(
    post: TimeSpan, wake: TimeSpan, latency: TimeSpan, perWaiting: TimeSpan = .zero,
    lookEvery: TimeSpan = .zero, run: TimeSpan = .zero, perKept: TimeSpan = .zero
  ) {
    self.post = post
    self.wake = wake
    self.latency = latency
    self.perWaiting = perWaiting
    self.lookEvery = lookEvery
    self.run = run
    self.perKept = perKept
  }

  /// Handing over for nothing.
  public static let none = HandOffCosts(post: .zero, wake: .zero, latency: .zero)
}

// What costs are called in files, where they are numbers of nanoseconds.

extension HandOffCosts {
  package enum Key: String, CaseIterable, Sendable {
    case post = "post_ns"
    case wake = "wake_ns"
    case latency = "latency_ns"
    case perWaiting = "per_waiting_ns"
    case lookEvery = "look_every_ns"
    case run = "run_ns"

    /// What the costs of a lock consist of.
    package static let ofLocks: [Key] = [.post, .wake, .latency]

    package var path: WritableKeyPath<HandOffCosts, TimeSpan> {
      switch self {
      case .post: \.post
      case .wake: \.wake
      case .latency: \.latency
      case .perWaiting: \.perWaiting
      case .lookEvery: \.lookEvery
      case .run: \.run
      }
    }
  }
}

extension Costs {
  /// Contains the carriers, each with the costs of a hand-off to it.
  package static let carriersKey = "carriers"
  /// Contains the costs of passing a lock on.
  package static let lockKey = "lock"
  /// Contains how the machine schedules threads.
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
