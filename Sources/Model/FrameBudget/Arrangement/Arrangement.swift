/// The assignment of work to threads, as data: the lanes of an app, the placement of each service, and how work and results move.
///
/// Both engines interpret the same value by two rules: if the next step of an item is on its current lane, the item continues
/// directly; otherwise it is posted to that step's lane.
public struct Arrangement: Hashable, Sendable {
  /// The first one is the main thread.
  public var lanes: PerLane<Lane>
  /// The locks that placements refer to.
  public var locks: PerLock<Lock>
  /// The placement of each service.
  public var placement: PerService<Placement>
  /// The lane that receives items whose first step is guarded by a lock.
  public var entry: PerWorkload<LaneIndex>
  /// The rule that decides which arrived items may start.
  public var admission: Admission
  /// How the UI reads state.
  public var reading: Reading
  /// How results return to the main thread.
  public var returning: Returning
  /// When tasks on the main thread yield to frames and other work; nil if they run to their end.
  public var yielding: Yielding?
  /// When items of workloads start of which only the newest matters; nil: as each of them says.
  public var newest: NewestRule?
  /// Where each part of drawing runs, in the scenario's order; empty if all run in their frames.
  public var frameParts: [FramePartRule] = []
  /// By how many periods frames are due later than the scenario says, with as many more buffers.
  public var presentsLater = 0
  /// The factor by which every step is cheaper than the scenario states.
  public var speedup: Double

  /// The range of speedups.
  public static let speedups = 0.001...1000.0

  /// Creates an arrangement; `validate(for:)` checks it against a scenario.
  public init(
    lanes: [Lane], locks: [Lock] = [], placement: [Placement], entry: [LaneIndex],
    admission: Admission = .all, reading: Reading = .direct, returning: Returning = .inPlace,
    yielding: Yielding? = nil, speedup: Double = 1
  ) {
    self.lanes = PerLane(lanes)
    self.locks = PerLock(locks)
    self.placement = PerService(placement)
    self.entry = PerWorkload(entry)
    self.admission = admission
    self.reading = reading
    self.returning = returning
    self.yielding = yielding
    self.speedup = speedup
  }

  /// Every service on the main thread: the starting point of each named arrangement.
  public static func onMain(_ scenario: Scenario) -> Arrangement {
    Arrangement(
      lanes: [.main], placement: scenario.services.map { _ in .home(.main) },
      entry: scenario.workloads.map { _ in .main })
  }
}

/// An index of `Arrangement.lanes`.
public typealias LaneIndex = TypedIndex<Lane>
/// A value for each lane of an arrangement.
public typealias PerLane<Value> = IndexedArray<Lane, Value>

/// An index of `Arrangement.locks`.
public typealias LockIndex = TypedIndex<Lock>
/// A value for each lock of an arrangement.
public typealias PerLock<Value> = IndexedArray<Lock, Value>

extension LaneIndex {
  /// The main thread's lane.
  public static var main: Self { 0 }
}

/// A lock that guards services.
public struct Lock: Hashable, Sendable {
  /// The name, for people; unique in an arrangement.
  public var name: String
  /// The thread that gets it when it is released.
  public var kind: Kind
  /// How long a thread holds it.
  public var hold: Hold

  /// - Parameters:
  ///   - name: the name, for people.
  ///   - kind: the thread that gets it when it is released.
  ///   - hold: how long a thread holds it.
  public init(name: String, kind: Kind, hold: Hold = .step) {
    self.name = name
    self.kind = kind
    self.hold = hold
  }

  /// The thread that gets it when it is released.
  public enum Kind: String, CaseIterable, Sendable {
    /// The next thread that asks: a releaser that asks again at once wins over a waiter that has yet to wake.
    case barging
    /// The longest waiter.
    case fair
    /// Like `fair`, and its owner runs at the highest priority of its waiters.
    case inheriting

    /// The default kind.
    public static let standard = barging
  }

  /// How long a thread holds it.
  public enum Hold: String, CaseIterable, Sendable {
    /// For one step.
    case step
    /// From step to step, as long as each step needs the same lock.
    case item
    /// Until the item ends or leaves its lane, even if its steps take other locks meanwhile. Items that take two such locks in
    /// opposite orders can deadlock.
    case nested
  }
}

/// Where the steps of a service run: its lane, or a lock that guards it.
public enum Placement: Hashable, Sendable {
  /// Confined to a lane, the only one that runs its steps.
  case home(LaneIndex)
  /// Thread-safe: its steps run on the lane that calls it, under a lock.
  case guarded(LockIndex)

  /// The lock that guards the service; nil if it is confined to a lane.
  public var lock: LockIndex? {
    if case .guarded(let lock) = self { lock } else { nil }
  }
}

/// The rule that decides which arrived items may start. It holds back only workloads of priority `background`.
public enum Admission: Hashable, Sendable {
  /// Everything, as soon as it has arrived.
  case all
  /// At most this many in the first frame that begins at least the interval after the last admission.
  case batch(Int, every: TimeSpan)
  /// Items that fit into the rest of the frame besides reads and drawing.
  case fitting(Fitting)

  /// The rule that estimates what fits.
  public struct Fitting: Hashable, Sendable {
    /// The source of the expected cost.
    public var estimate: Estimate
    /// The unit that is admitted at a time.
    public var unit: Unit
    /// Whether a unit starts only if it is expected to end in time; otherwise it starts if any time is left.
    public var lookAhead: Bool

    /// - Parameters:
    ///   - estimate: the source of the expected cost.
    ///   - unit: the unit that is admitted at a time.
    ///   - lookAhead: whether a unit starts only if it is expected to end in time.
    public init(estimate: Estimate = .learned, unit: Unit = .item, lookAhead: Bool = true) {
      self.estimate = estimate
      self.unit = unit
      self.lookAhead = lookAhead
    }

    /// The source of a unit's expected cost.
    public enum Estimate: String, CaseIterable, Sendable {
      /// The mean of its previous costs.
      case learned
      /// Its true cost, which only a simulation knows.
      case exact
    }
    /// The unit that is admitted at a time.
    public enum Unit: String, CaseIterable, Sendable {
      /// A whole item.
      case item
      /// One step of it.
      case step
    }
  }
}

/// How the UI reads the state of services.
public enum Reading: Hashable, Sendable {
  /// In place; the services live on the main thread.
  case direct
  /// In place, under the service's lock.
  case locked
  /// From the newest immutable copy that the service's lane has published.
  case snapshot(PublishRule)

  /// When a service's lane makes a new copy.
  public enum PublishRule: String, CaseIterable, Sendable {
    /// At most once in a frame, and when the lane runs out of work.
    case perFrame = "per-frame"
    /// After every step that changes the state.
    case perStep = "per-step"

    /// The default.
    public static let standard = perFrame
  }

  /// When snapshots are published; nil if the UI does not read any.
  public var publishRule: PublishRule? {
    if case .snapshot(let rule) = self { rule } else { nil }
  }
}

/// How results of finished items reach the main thread.
public enum Returning: Hashable, Sendable {
  /// At once, for items that run on the main thread; otherwise all that are there when a frame begins.
  case inPlace
  /// At the start of a frame, until the budget is used up, at least one. Only results that are there by then; later ones wait
  /// for the next frame. The cost of a result is not known beforehand, so the last one may overrun.
  case drained(budget: TimeSpan)
  /// At the start of a frame, all results of a workload that are there, as one update.
  case coalesced

  /// The default for arrangements in which work ends off the main thread.
  public static let standardBudget = TimeSpan.milliseconds(2)
}

/// A thread, or a queue that behaves like one, that runs the events posted to it.
public struct Lane: Hashable, Sendable {
  /// The name, for people and for the thread; unique in an arrangement.
  public var name: String
  /// The mechanism that runs its events.
  public var carrier: CarrierKind
  /// Unix niceness: 0 competes like any thread, 19 yields most.
  public var nice: Int
  /// Changes of the nice value during the run, in the order of time.
  public var renices: [Renice] = []
  /// The number of threads that serve it.
  public var width: Int
  /// Whether items of a workload with a priority overtake queued ones.
  public var overtaking: Bool
  /// The options of its carrier.
  public var options: StrategyOptions
  /// The cores on which its thread may run; nil for all.
  public var cores: CoreSet?

  /// The range of nice values; a carrier may allow fewer.
  public static let niceValues = 0...19
  /// The range of measured nice values of threads, which may have been raised.
  package static let measuredNiceValues = -20...Int64(niceValues.upperBound)
  /// The range of widths; a carrier may allow fewer.
  public static let widths = 1...256

  /// Creates a lane with those of `options` that its carrier has.
  public init(
    name: String, carrier: CarrierKind, nice: Int = 0, width: Int = 1, overtaking: Bool = false,
    options: StrategyOptions = StrategyOptions()
  ) {
    self.name = name
    self.carrier = carrier
    self.nice = nice
    self.width = width
    self.overtaking = overtaking
    self.options = StrategyOptions(options, of: carrier)
  }

  /// A change of the nice value, at the first frame at or after `at`.
  public struct Renice: Hashable, Sendable {
    /// Since the start of the run, time 0.
    public var at: TimeSpan
    /// Unix niceness, from -20 to 19.
    public var nice: Int

    /// - Parameters:
    ///   - at: from time 0 of the run.
    ///   - nice: Unix niceness, from -20 to 19.
    public init(at: TimeSpan, to nice: Int) {
      self.at = at
      self.nice = nice
    }
  }

  /// The main thread: the first lane of every arrangement.
  public static let main = Lane(name: "main", carrier: .main)

  /// Its nice value at an instant of the run.
  public func nice(at instant: TimeSpan) -> Int {
    renices.last { $0.at <= instant }?.nice ?? nice
  }
}

// Defaults that follow from the placement of services.
extension Arrangement {
  /// The way of reading that the placement of the read services allows.
  public func fittingReading(_ scenario: Scenario) -> Reading {
    let read = scenario.reads.map { placement[$0.service] }
    if read.allSatisfy({ $0 == .home(.main) }) { return .direct }
    let isGuarded = read.contains { if case .guarded = $0 { true } else { false } }
    return isGuarded ? .locked : .snapshot(.standard)
  }

  /// In place if everything ends on main, otherwise within two milliseconds of each frame.
  public func fittingReturning(_ scenario: Scenario) -> Returning {
    endsOnMain(scenario) ? .inPlace : .drained(budget: Returning.standardBudget)
  }
}
