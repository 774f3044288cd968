/// A thread, or something that behaves like one, that runs what is posted to it.
public struct Lane: Hashable, Sendable {
  public var name: String
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
    public var at: TimeSpan
    public var nice: Int

    public init(at: TimeSpan, to nice: Int) {
      self.at = at
      self.nice = nice
    }
  }

  public static let main = Lane(name: "main", carrier: .main)

  /// Its nice value at an instant of the run.
  public func nice(at instant: TimeSpan) -> Int {
    renices.last { $0.at <= instant }?.nice ?? nice
  }

  /// The options that it does not leave at their defaults.
  var chosen: [LaneOption] { choices.keys.sorted { $0.name < $1.name } }

  public subscript(option: LaneOption) -> LaneOption.Value {
    get { choices[option] ?? option.standard }
    set { choices[option] = newValue == option.standard ? nil : newValue }
  }
}

// Options as the types that carriers work with. What an option is, its description says.
extension Lane {
  public func timeSpan(_ option: LaneOption) -> TimeSpan {
    guard case .duration(let span) = self[option] else {
      preconditionFailure("'\(option.name)' is a duration")
    }
    return span
  }

  public func count(_ option: LaneOption) -> Int {
    guard case .count(let count) = self[option] else {
      preconditionFailure("'\(option.name)' is a count")
    }
    return count
  }

  public func choice<Choice: RawRepresentable<String>>(_ option: LaneOption) -> Choice {
    guard case .choice(let word) = self[option], let choice = Choice(rawValue: word) else {
      preconditionFailure("'\(option.name)' is a choice of \(Choice.self)")
    }
    return choice
  }
}
