/// What an app does and what it shows, without a word about which thread does it.
///
/// Services and workloads refer to one another by index; the order is that of the scenario file.
public struct Scenario: Sendable {
  public var name: String
  public var about: String
  public var display: Display
  /// The measured part: from time 0 to `D`.
  public var duration: TimeSpan
  /// Drawing and UI reads before time 0, left out of every metric.
  public var warmup: TimeSpan
  public var seed: UInt64
  public var machine: Machine
  public var services: [Service]
  public var accounts: Accounts
  public var workloads: [Workload]
  /// What the UI reads in each frame, in this order.
  public var reads: [UIRead]
  public var strategies: [Strategy]
  public var expectations: [Expectation]

  public init(
    name: String, about: String = "", display: Display, duration: TimeSpan,
    warmup: TimeSpan = .milliseconds(300), seed: UInt64 = 1, machine: Machine = Machine(),
    services: [Service] = [], accounts: Accounts = .none, workloads: [Workload] = [],
    reads: [UIRead] = [], strategies: [Strategy] = [], expectations: [Expectation] = []
  ) {
    self.name = name
    self.about = about
    self.display = display
    self.duration = duration
    self.warmup = warmup
    self.seed = seed
    self.machine = machine
    self.services = services
    self.accounts = accounts
    self.workloads = workloads
    self.reads = reads
    self.strategies = strategies
    self.expectations = expectations
  }
}

/// The screen: how often it refreshes and how long the app draws for each frame.
public struct Display: Hashable, Sendable {
  public var refresh: RefreshRate
  public var render: DurationDistribution

  public init(refresh: RefreshRate, render: DurationDistribution = .none) {
    self.refresh = refresh
    self.render = render
  }
}

/// The machine that the virtual engine simulates.
public struct Machine: Hashable, Sendable {
  /// The speed of each core in thousandths of a full one: whole numbers keep simulated time exact.
  public var speeds: [Int]

  public init(cores: Int = 2) { speeds = Array(repeating: 1000, count: cores) }
  public init(speeds: [Int]) { self.speeds = speeds }

  public var cores: Int { speeds.count }
}
