/// Items of one kind: when they arrive, the steps each of them takes, and what the user waits for.
public struct Workload: Sendable {
  /// No two of a scenario have the same.
  public var name: String
  /// The name in its file of the workload that it is a copy of; nil where the file has this one itself.
  public var copyOf: String?
  /// What its file calls it, and all copies of it.
  package var fileName: String { copyOf ?? name }
  /// What one of its items is called, in the singular, for sentences: `photo`. Nil where it is just an item.
  public var item: String?
  /// When items come.
  public var arrival: Arrival
  /// What services do for an item, one step after another.
  public var steps: [Step]
  /// The folder whose files steps really work on, on the real engine.
  public var files: String?
  /// The UI update for each finished item, on the main thread.
  public var result: DurationDistribution
  /// Whether its items may overtake others, where an arrangement lets them.
  public var priority: Priority
  /// How long the user may have to wait for the frame that shows an item's result.
  public var respondWithin: TimeSpan?
  /// Whether its items want a frame as they arrive, as input and animations do; where frames are drawn on demand.
  public var draws: Bool
  /// Whether a finished item wants a frame that shows its result; where frames are drawn on demand. Otherwise the next one
  /// shows it, whoever wants that.
  public var shows = true
  /// Whether its items are the user's input: what the main thread does first for one are its handlers, and the picture that
  /// follows them ends the interaction. It changes nothing that a run does.
  public var isInput = false

  /// By default, a workload whose items cost nothing to show and have no response.
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

  /// Who waits for a workload.
  public enum Priority: String, CaseIterable, Sendable {
    /// Nobody.
    case background
    /// The user.
    case user
  }
}

/// A place in `Scenario.workloads`.
public typealias WorkloadIndex = TypedIndex<Workload>
/// Something for each workload of a scenario.
public typealias PerWorkload<Value> = IndexedArray<Workload, Value>

/// When the items of a workload arrive, on the scenario's own clock.
public enum Arrival: Hashable, Sendable {
  /// So many at one instant, from time 0.
  case once(Int, start: TimeSpan)
  /// `count` items at the same instant, again and again until the run ends.
  case batch(Int, every: TimeSpan, start: TimeSpan)
  /// A Poisson process: exponential gaps, the first one beginning at `start`.
  case rate(perSecond: Double, start: TimeSpan)
  /// At these instants, from time 0.
  case at([TimeSpan])
  /// As it was recorded: at these instants, from time 0, or all of them later by the run's phase.
  case recorded([TimeSpan])
}

/// One piece of an item's work, inside one service.
public struct Step: Hashable, Sendable {
  /// For people.
  public var name: String
  /// Who does it.
  public var service: ServiceIndex
  /// On the real engine only if there is no task.
  public var load: Load
  /// What the real engine does in place of the load, which is then what the virtual one assumes.
  public var task: FileTask?
  /// How long the step then blocks its thread without using a processor.
  public var wait: DurationDistribution
  /// Whether the item continues with its next step only when this one is over. One that is not awaited is done elsewhere
  /// meanwhile; on the thread that the item is on it runs in place.
  public var isAwaited: Bool
  /// Whether it begins only when all steps before it are over, including forks.
  public var joins: Bool

  /// A step that does no real work on files, waits for nothing and is awaited, unless said otherwise.
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

  /// What a step costs.
  public enum Load: Hashable, Sendable {
    /// So much time of a processor, however long that takes.
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
