/// What runs where, as data: the lanes of an app, where each service lives, and how work and results move.
///
/// Both engines interpret the same value by two rules: an item whose next step lives on the lane it is on
/// continues directly; otherwise it is posted to that step's lane.
public struct Arrangement: Hashable, Sendable {
  /// The first one is the main thread.
  public var lanes: PerLane<Lane>
  /// Those that placements name.
  public var locks: PerLock<Lock>
  /// Where each service lives.
  public var placement: PerService<Placement>
  /// The lane to which an item is handed whose first step is guarded by a lock.
  public var entry: PerWorkload<LaneIndex>
  /// Which arrived items may start.
  public var admission: Admission
  /// How the UI reads state.
  public var reading: Reading
  /// How results come back to the main thread.
  public var returning: Returning
  /// Where tasks on the main thread end early, so that frames and others get a turn; nil where they run to their end.
  public var yielding: Yielding?
  /// How many times cheaper every step is than the scenario says.
  public var speedup: Double

  /// The speedups that there are.
  public static let speedups = 0.001...1000.0

  /// An arrangement; whether it fits a scenario, `validate(for:)` says.
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

  /// Every service at home on the main thread: where each named arrangement starts from.
  public static func onMain(_ scenario: Scenario) -> Arrangement {
    Arrangement(
      lanes: [.main], placement: scenario.services.map { _ in .home(.main) },
      entry: scenario.workloads.map { _ in .main })
  }
}

/// A place in `Arrangement.lanes`.
public typealias LaneIndex = TypedIndex<Lane>
/// Something for each lane of an arrangement.
public typealias PerLane<Value> = IndexedArray<Lane, Value>

/// A place in `Arrangement.locks`.
public typealias LockIndex = TypedIndex<Lock>
/// Something for each lock of an arrangement.
public typealias PerLock<Value> = IndexedArray<Lock, Value>

extension LaneIndex {
  /// The main thread's lane.
  public static var main: Self { 0 }
}

/// A lock that guards services.
public struct Lock: Hashable, Sendable {
  /// For people; no two locks of an arrangement have the same.
  public var name: String
  /// Who gets it when it is released.
  public var kind: Kind
  /// How long it is held.
  public var hold: Hold

  /// - Parameters:
  ///   - name: for people.
  ///   - kind: who gets it when it is released.
  ///   - hold: how long it is held.
  public init(name: String, kind: Kind, hold: Hold = .step) {
    self.name = name
    self.kind = kind
    self.hold = hold
  }

  /// Who gets it when it is released.
  public enum Kind: String, CaseIterable, Sendable {
    /// Whoever asks next: a releaser that asks again at once wins over a waiter that has yet to wake.
    case barging
    /// The longest waiter, to whom it is handed.
    case fair
    /// As `fair`, and its owner runs at the highest priority of its waiters.
    case inheriting

    /// The default kind.
    public static let standard = barging
  }

  /// How long it is held.
  public enum Hold: String, CaseIterable, Sendable {
    /// For one step.
    case step
    /// From step to step, as long as each needs this very lock.
    case item
    /// Until the item ends or leaves its lane, whichever other locks its steps take meanwhile: items that take
    /// two such locks in opposite orders can wait for each other for ever.
    case nested
  }
}

/// Where a service lives.
public enum Placement: Hashable, Sendable {
  /// Confined to a lane: its steps run there and nowhere else.
  case home(LaneIndex)
  /// Thread-safe: its steps run on whichever lane calls, under a lock.
  case guarded(LockIndex)

  /// The lock that guards the service; nil where it is confined to a lane.
  public var lock: LockIndex? {
    if case .guarded(let lock) = self { lock } else { nil }
  }
}

/// Which arrived items may start. Holds back workloads of priority `background` only.
public enum Admission: Hashable, Sendable {
  /// Everything, as soon as it has arrived.
  case all
  /// At most this many in the first frame that begins at least the interval after the last admission.
  case batch(Int, every: TimeSpan)
  /// What fits into the rest of the frame beside reads and drawing.
  case fitting(Fitting)

  /// How it estimates what fits.
  public struct Fitting: Hashable, Sendable {
    /// What is known of a cost beforehand.
    public var estimate: Estimate
    /// What is let in at a time.
    public var unit: Unit
    /// Whether something starts only if it is expected to end in time, or as soon as any time is left.
    public var lookAhead: Bool

    /// - Parameters:
    ///   - estimate: what is known of a cost beforehand.
    ///   - unit: what is let in at a time.
    ///   - lookAhead: whether something starts only if it is expected to end in time.
    public init(estimate: Estimate = .learned, unit: Unit = .item, lookAhead: Bool = true) {
      self.estimate = estimate
      self.unit = unit
      self.lookAhead = lookAhead
    }

    /// What is known of a cost before it is paid.
    public enum Estimate: String, CaseIterable, Sendable {
      /// The mean of what it took so far.
      case learned
      /// What it will really take, which only a simulation knows.
      case exact
    }
    /// What is let in at a time.
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
  /// In place: its services live on the main thread.
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

    /// Of arrangements that do not say otherwise.
    public static let standard = perFrame
  }

  /// When snapshots are published; nil where the UI reads none.
  public var publishRule: PublishRule? {
    if case .snapshot(let rule) = self { rule } else { nil }
  }
}

/// How results of finished items reach the main thread.
public enum Returning: Hashable, Sendable {
  /// At once, where items run on the main thread; otherwise all that are there when a frame begins.
  case inPlace
  /// When a frame begins, until the budget is used up, at least one. Only what is there by then: what comes back
  /// meanwhile waits for the next frame. Nobody knows what a result will take, so the last one may overrun.
  case drained(budget: TimeSpan)
  /// When a frame begins, all results of a workload that are there as one update.
  case coalesced

  /// Of arrangements that do not say otherwise, where work ends off the main thread.
  public static let standardBudget = TimeSpan.milliseconds(2)
}

/// A thread, or something that behaves like one, that runs what is posted to it.
public struct Lane: Hashable, Sendable {
  /// For people, and as the thread's name; no two lanes of an arrangement have the same.
  public var name: String
  /// The mechanism behind it.
  public var carrier: CarrierKind
  /// Unix niceness: 0 competes like any thread, 19 yields most.
  public var nice: Int
  /// How that changes while the app runs, in the order of time.
  public var renices: [Renice] = []
  /// How many threads serve it.
  public var width: Int
  /// Whether items of a workload with a priority overtake those that are queued.
  public var overtaking: Bool
  /// What it chose of its carrier's options.
  public var options: StrategyOptions
  /// The cores on which its thread may run; nil for all.
  public var cores: CoreSet?

  /// The nice values that there are; a carrier may offer fewer.
  public static let niceValues = 0...19
  /// The same of threads as they were measured, which may have been raised.
  package static let measuredNiceValues = -20...Int64(niceValues.upperBound)
  /// The widths that there are; a carrier may offer fewer.
  public static let widths = 1...256

  /// A lane that chose what of `options` is its carrier's; they may hold more.
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

  /// From the first frame at or after `at` on it has another nice value.
  public struct Renice: Hashable, Sendable {
    /// From the beginning of the run, time 0.
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

// Defaults that follow from where services live.
extension Arrangement {
  /// The way to read that the placement of what the UI reads allows.
  public func fittingReading(_ scenario: Scenario) -> Reading {
    let read = scenario.reads.map { placement[$0.service] }
    if read.allSatisfy({ $0 == .home(.main) }) { return .direct }
    let isGuarded = read.contains { if case .guarded = $0 { true } else { false } }
    return isGuarded ? .locked : .snapshot(.standard)
  }

  /// In place where everything ends on main, otherwise within two milliseconds of each frame.
  public func fittingReturning(_ scenario: Scenario) -> Returning {
    endsOnMain(scenario) ? .inPlace : .drained(budget: Returning.standardBudget)
  }
}
