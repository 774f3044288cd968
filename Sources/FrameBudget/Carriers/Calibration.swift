/// What a machine does with threads, apart from what that costs. Nil is what was not measured.
public struct Calibration: Hashable, Sendable {
  /// How many cores a process may use there.
  public var cores: Int?
  /// How long a thread keeps its core while another one waits for it: the simulated machine's slice, where a scenario
  /// says none.
  public var slice: TimeSpan?
  /// Of the threads that wake while their core is taken and another one is idle, how many get that: in percent.
  public var wakesOnIdle: Int?
  /// From when such a thread is woken until it runs on the idle core.
  public var idleWake: TimeSpan?

  /// What was measured; the rest is nil.
  public init(
    cores: Int? = nil, slice: TimeSpan? = nil, wakesOnIdle: Int? = nil, idleWake: TimeSpan? = nil
  ) {
    self.cores = cores
    self.slice = slice
    self.wakesOnIdle = wakesOnIdle
    self.idleWake = idleWake
  }
}

extension Calibration {
  /// What it is called in files, where all are whole numbers.
  package enum Key: String, CaseIterable, Sendable {
    case cores
    case slice = "slice_ns"
    case wakesOnIdle = "wakes_on_idle_percent"
    case idleWake = "idle_wake_ns"

    /// What files may say.
    package var range: ClosedRange<Int> {
      switch self {
      case .cores: 1...4096
      case .slice:
        Int(Machine.slices.lowerBound.nanoseconds)...Int(Machine.slices.upperBound.nanoseconds)
      case .wakesOnIdle: 0...100
      case .idleWake: 0...1_000_000_000
      }
    }
  }

  package subscript(key: Key) -> Int? {
    get {
      switch key {
      case .cores: cores
      case .slice: slice.map { Int($0.nanoseconds) }
      case .wakesOnIdle: wakesOnIdle
      case .idleWake: idleWake.map { Int($0.nanoseconds) }
      }
    }
    set {
      switch key {
      case .cores: cores = newValue
      case .slice: slice = newValue.map { .nanoseconds(Int64($0)) }
      case .wakesOnIdle: wakesOnIdle = newValue
      case .idleWake: idleWake = newValue.map { .nanoseconds(Int64($0)) }
      }
    }
  }
}

/// What `bench` found about the machine itself.
public struct MachineMeasurement: Hashable, Sendable {
  /// What it does with threads.
  public var calibration: Calibration
  /// Between the last moment of one thread and the first one of the next on the same core; nil if that was not measured.
  public var contextSwitch: TimeSpan?

  /// What was found.
  public init(calibration: Calibration, contextSwitch: TimeSpan? = nil) {
    self.calibration = calibration
    self.contextSwitch = contextSwitch
  }
}
