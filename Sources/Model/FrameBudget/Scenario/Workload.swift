/// Items of one kind: their arrivals, their steps, and the response that the user waits for.
public struct Workload: Hashable, Sendable {
  /// The name; unique in a scenario.
  public var name: String
  /// The file's name of the workload that this one is a copy of; nil if it is not a copy.
  public var copyOf: String?
  /// The name in the file, which all copies share.
  package var fileName: String { copyOf ?? name }
  /// The name of one of its items, in the singular, for sentences: `photo`. Nil if it has none.
  public var item: String?
  /// The arrivals of items.
  public var arrival: Arrival
  /// The steps of an item, one after another.
  public var steps: [Step]
  /// The folder with the files for real work of steps, on the real engine.
  public var files: String?
  /// The UI update for each finished item, on the main thread.
  public var result: DurationDistribution
  /// Whether its items may overtake others, if an arrangement allows that.
  public var priority: Priority
  /// The longest acceptable time until the frame that shows an item's result.
  public var respondWithin: TimeSpan?
  /// Whether its items want a frame when they arrive, like input and animations, if frames are drawn on demand.
  public var draws: Bool
  /// Whether a finished item wants a frame that shows its result, if frames are drawn on demand. Otherwise the next frame shows
  /// it.
  public var shows = true
  /// Whether its items are the user's input: the first work of the main thread for one is its handlers, and the picture after
  /// them ends the interaction. This does not change the course of a run, except in a main loop that defers tasks after inputs.
  public var isInput = false
  /// Whether its items are callbacks of timers. A main loop of events notices that a timer is due only when it chooses its next
  /// event, and then runs the callback after everything that was posted before.
  public var isTimer = false
  /// When its items start, if only the newest of them matters, so that a newer one may replace it; nil if each must be done.
  public var admission: NewestRule?

  /// By default, items cost nothing to show and have no response.
  public init(
    name: String, arrival: Arrival, steps: [Step], result: DurationDistribution = .none,
    priority: Priority = .background, respondWithin: TimeSpan? = nil, files: String? = nil,
    item: String? = nil, draws: Bool = false
  ) {
    self.draws = draws
    self.name = name
    self.item = item
    self.arrival = arrival
    self.steps = steps
    self.result = result
    self.priority = priority
    self.respondWithin = respondWithin
    self.files = files
  }

  /// The importance of a workload.
  public enum Priority: String, CaseIterable, Sendable {
    /// The user does not wait.
    case background
    /// The user waits.
    case user
  }
}

/// An index of `Scenario.workloads`.
public typealias WorkloadIndex = TypedIndex<Workload>
/// A value for each workload of a scenario.
public typealias PerWorkload<Value> = IndexedArray<Workload, Value>

/// When the items of a workload arrive, on the scenario's own clock.
public enum Arrival: Hashable, Sendable {
  /// This number of items at one instant, counted from time 0.
  case once(Int, start: TimeSpan)
  /// `count` items at the same instant, repeatedly until the run ends.
  case batch(Int, every: TimeSpan, start: TimeSpan)
  /// A Poisson process: exponential gaps, the first of which begins at `start`.
  case rate(perSecond: Double, start: TimeSpan)
  /// At these instants, from time 0.
  case at([TimeSpan])
  /// Recorded arrivals: at these instants, from time 0, or all of them delayed by the run's phase.
  case recorded([TimeSpan])
}

extension Arrival {
  /// When the first item may arrive; nil if none does.
  package var first: TimeSpan? {
    switch self {
    case .once(_, let start), .batch(_, _, let start), .rate(_, let start): start
    case .at(let instants), .recorded(let instants): instants.min()
    }
  }

  /// The same arrivals, all later by `delay`, which may be negative.
  package func moved(by delay: TimeSpan) -> Arrival {
    switch self {
    case .once(let count, let start): .once(count, start: start + delay)
    case .batch(let count, let every, let start):
      .batch(count, every: every, start: start + delay)
    case .rate(let rate, let start): .rate(perSecond: rate, start: start + delay)
    case .at(let instants): .at(instants.map { $0 + delay })
    case .recorded(let instants): .recorded(instants.map { $0 + delay })
    }
  }

  /// The same arrivals with the first one at `start`: a list moves as a whole.
  package func starting(at start: TimeSpan) -> Arrival {
    first.map { moved(by: start - $0) } ?? self
  }
}

/// One piece of an item's work, inside one service.
public struct Step: Hashable, Sendable {
  /// The name, for people.
  public var name: String
  /// The service that runs it.
  public var service: ServiceIndex
  /// Used by the real engine only if there is no task.
  public var load: Load
  /// The real work, which the real engine does instead of the load; the virtual one uses the load.
  public var task: FileTask?
  /// How long the step then blocks its thread without using a processor.
  public var wait: DurationDistribution
  /// How the item then waits without its thread; nil if it continues at once.
  public var suspension: Suspension?
  /// Whether the item continues with its next step only when this one has ended. A step that is not awaited runs on another
  /// lane meanwhile; if it is on the item's own lane, it runs in place.
  public var isAwaited: Bool
  /// Whether it begins only when all earlier steps have ended, including forks.
  public var joins: Bool
  /// Whether the item's result runs, and the user has the answer, when this step has ended. At most one step of a workload
  /// answers; without one, an item answers when its last step has ended.
  public var answers = false
  /// How often it runs, one time after the other. Each run is a step of its own for carriers and locks, with costs of its own.
  public var repeats = 1
  /// The range of repeats.
  public static let allowedRepeats = 1...10_000
  /// The processor time after which it may end early, to go on at its item's next turn, if the arrangement gives turns to parts
  /// of items; nil if it never does.
  public var slice: TimeSpan?
  /// The shortest slice.
  public static let shortestSlice = TimeSpan.microseconds(100)

  /// By default, a step does no real work on files, does not block, and is awaited.
  public init(
    name: String, service: ServiceIndex, load: Load, task: FileTask? = nil,
    wait: DurationDistribution = .none, isAwaited: Bool = true, joins: Bool = false
  ) {
    self.isAwaited = isAwaited
    self.joins = joins
    self.name = name
    self.service = service
    self.load = load
    self.task = task
    self.wait = wait
  }

  /// The cost of a step.
  public enum Load: Hashable, Sendable {
    /// This much processor time, regardless of the elapsed time.
    case cpu(DurationDistribution)
    /// A fixed amount of work, by its duration on an idle machine, over memory of the given size.
    case work(DurationDistribution, touches: Int)

    /// The time it takes on an idle core.
    public var duration: DurationDistribution {
      switch self {
      case .cpu(let duration), .work(let duration, _): duration
      }
    }
  }
}
