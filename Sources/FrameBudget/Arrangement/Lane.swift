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
  /// What it chose of its carrier's options.
  public var options: StrategyOptions
  /// The cores on which its thread may run; nil for all.
  public var cores: CoreSet?

  /// The nice values that there are; a carrier may offer fewer.
  public static let niceValues = 0...19
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
