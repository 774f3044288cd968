/// What an app does and what it shows, without a word about which thread does it.
///
/// Services and workloads refer to one another by index; the order is that of the scenario file.
public struct Scenario: Sendable {
  /// As files, flags and tables name it.
  public var name: String
  /// What it shows, in a line; may be empty.
  public var about: String
  /// The screen, and what drawing takes.
  public var display: Display
  /// The measured part: from time 0 to `D`.
  public var duration: TimeSpan
  /// Drawing and UI reads before time 0, left out of every metric.
  public var warmup: TimeSpan
  /// Of all random numbers.
  public var seed: UInt64
  /// What a simulation runs it on.
  public var machine: Machine
  /// In the order in which they are written.
  public var services: PerService<Service>
  /// Whose data services hold.
  public var accounts: Accounts
  /// In the order in which they are written.
  public var workloads: PerWorkload<Workload>
  /// What the UI reads in each frame, in this order.
  public var reads: [UIRead]
  /// Under which it is run, unless others are asked for.
  public var strategies: [Strategy]
  /// What must come out.
  public var expectations: [Expectation]
  /// What an arrangement is looked for that reaches it; empty where the file names none.
  public var aims: [Aim] = []
  /// Where recorded arrivals are against the vsyncs.
  public var phase = ArrivalPhase.recorded
  /// The recording that it was learned from; nil if it was written by hand.
  public var learned: Learned?

  /// A scenario; that it makes sense, the reader of files checks, not this.
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
    self.services = PerService(services)
    self.accounts = accounts
    self.workloads = PerWorkload(workloads)
    self.reads = reads
    self.strategies = strategies
    self.expectations = expectations
  }
}

/// The screen: how often it refreshes and how long the app draws for each frame.
public struct Display: Hashable, Sendable {
  /// How often it can show a new picture.
  public var refresh: RefreshRate
  /// What drawing takes in each frame.
  public var render: DurationDistribution
  /// How frames get from the main thread to the screen.
  public var pipeline: Pipeline
  /// What wants a new frame.
  public var frames: FrameDemand
  /// What the main loop runs, and when.
  public var mainLoop: MainLoop
  /// Whose way of getting frames to the screen it is, as the file says; nil where it says none.
  public var platform: ScreenPlatform?

  /// - Parameters:
  ///   - refresh: how often it can show a new picture.
  ///   - render: what drawing takes in each frame.
  ///   - pipeline: how frames get from the main thread to the screen.
  ///   - frames: what wants a new frame.
  ///   - mainLoop: what the main loop runs, and when.
  ///   - platform: the platform whose screen it has, if any.
  public init(
    refresh: RefreshRate, render: DurationDistribution = .none, pipeline: Pipeline = Pipeline(),
    frames: FrameDemand = .always, mainLoop: MainLoop = .frame, platform: ScreenPlatform? = nil
  ) {
    self.refresh = refresh
    self.render = render
    self.pipeline = pipeline
    self.frames = frames
    self.mainLoop = mainLoop
    self.platform = platform
  }
}
