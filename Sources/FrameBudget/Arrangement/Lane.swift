/// A thread, or something that behaves like one, that runs what is posted to it.
public struct Lane: Hashable, Sendable {
  /// For people, and as the thread's name; no two lanes of an arrangement have the same.
  public var name: String
  /// The mechanism behind it.
  public var carrier: CarrierKind
  /// Unix niceness: 0 competes like any thread, up to 19 gives way.
  public var nice: Int
  /// How that changes while the app runs, in the order of time.
  public var renices: [Renice] = []
  /// How many threads serve it.
  public var width: Int
  /// Whether items of a workload with a priority overtake those that are queued.
  public var overtaking: Bool
  /// What it chose of its carrier's options; a default that is written out is no choice.
  private var choices: [LaneOption: LaneOption.Value] = [:]

  /// A lane whose carrier's options have their defaults.
  public init(
    name: String, carrier: CarrierKind, nice: Int = 0, width: Int = 1, overtaking: Bool = false
  ) {
    self.name = name
    self.carrier = carrier
    self.nice = nice
    self.width = width
    self.overtaking = overtaking
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

  /// The options that it does not leave at their defaults.
  var chosen: [LaneOption] { choices.keys.sorted { $0.name < $1.name } }

  /// What it has of its carrier's options; setting one to its default takes the choice back.
  public subscript(option: LaneOption) -> LaneOption.Value {
    get { choices[option] ?? option.standard }
    set { choices[option] = newValue == option.standard ? nil : newValue }
  }
}

// Options as the types that carriers work with. What an option is, its description says.
extension Lane {
  /// The value of an option that is a duration; another one is a mistake of the program.
  public func timeSpan(_ option: LaneOption) -> TimeSpan {
    guard case .duration(let span) = self[option] else {
      preconditionFailure("'\(option.name)' is a duration")
    }
    return span
  }

  /// The value of an option that is a count; another one is a mistake of the program.
  public func count(_ option: LaneOption) -> Int {
    guard case .count(let count) = self[option] else {
      preconditionFailure("'\(option.name)' is a count")
    }
    return count
  }

  /// The value of an option that is a choice among the cases of a type; another one is a mistake of the program.
  public func choice<Choice: RawRepresentable<String>>(_ option: LaneOption) -> Choice {
    guard case .choice(let word) = self[option], let choice = Choice(rawValue: word) else {
      preconditionFailure("'\(option.name)' is a choice of \(Choice.self)")
    }
    return choice
  }
}
