/// The work and the screen of an app, independent of threads.
///
/// Services and workloads refer to one another by index; the order is that of the scenario file.
public struct Scenario: Hashable, Sendable {
  /// The name in files, flags and tables.
  public var name: String
  /// A one-line description; may be empty.
  public var about: String
  /// The screen, and the duration of drawing.
  public var display: Display
  /// The measured part: from time 0 to `D`.
  public var duration: TimeSpan
  /// Drawing and UI reads before time 0. Metrics include only their last image, which is on the screen at time 0.
  public var warmup: TimeSpan
  /// The seed of all random numbers.
  public var seed: UInt64
  /// The simulated machine.
  public var machine: Machine
  /// In the order of the file.
  public var services: PerService<Service>
  /// What steps wait for, in the order of the file.
  public var resources: PerResource<Resource> = []
  /// The accounts to which services belong.
  public var accounts: Accounts
  /// In the order of the file.
  public var workloads: PerWorkload<Workload>
  /// The reads of the UI in each frame, in this order.
  public var reads: [UIRead]
  /// The parts of drawing that have names, in the order of the file; `display.render` is the rest.
  public var frameParts: [FramePart] = []
  /// The default strategies.
  public var strategies: [Strategy]
  /// The expectations on results.
  public var expectations: [Expectation]
  /// The aims of a search for an arrangement; empty if the file has none.
  public var aims: [Aim] = []
  /// The position of recorded arrivals relative to the vsyncs.
  public var phase = ArrivalPhase.recorded
  /// The recording that it was learned from; nil if it was written by hand.
  public var learned: Learned?

  /// Creates a scenario without checking it; the reader of files checks.
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
  /// The rate of new pictures.
  public var refresh: RefreshRate
  /// The duration of drawing in each frame, without its parts that have names.
  public var render: DurationDistribution
  /// How frames get from the main thread to the screen.
  public var pipeline: Pipeline
  /// The events that want a new frame.
  public var frames: FrameDemand
  /// The kind of the main loop.
  public var mainLoop: MainLoop
  /// The platform whose screen it has; nil if the file does not name one.
  public var platform: ScreenPlatform?

  /// - Parameters:
  ///   - refresh: the rate of new pictures.
  ///   - render: the duration of drawing in each frame.
  ///   - pipeline: how frames get from the main thread to the screen.
  ///   - frames: the events that want a new frame.
  ///   - mainLoop: the kind of the main loop.
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
