/// The machine that the virtual engine simulates.
public struct Machine: Hashable, Sendable {
  /// The speed of each core in thousandths of a full one: whole numbers keep simulated time exact.
  public var speeds: [Int]
  /// Where threads wait for a core.
  public var scheduler = Scheduler.perCore
  /// Whether lanes on Dispatch's pool share its threads; otherwise each has as many of its own as its width.
  public var hasPools = true
  /// How long a thread keeps its core while others wait for it; nil for Linux's default with that many cores.
  public var slice: TimeSpan?
  /// The number of threads of other processes that compute all the time.
  public var busy = 0

  /// Creates a machine with this number of cores, of the speed that costs are stated for.
  public init(cores: Int = 2) { self.init(speeds: Array(repeating: 1000, count: cores)) }
  /// - Parameter speeds: by core, in thousandths of the speed that costs are stated for.
  public init(speeds: [Int]) { self.speeds = speeds }

  /// The number of its cores.
  public var cores: Int { speeds.count }

  /// The speed of its fastest core, as a multiple of the one that costs are stated for.
  package var fastest: Double { Double(speeds.max() ?? 1000) / 1000 }

  /// The same machine with that many cores of full speed.
  public func having(cores: Int) -> Machine {
    var machine = self
    machine.speeds = Machine(cores: cores).speeds
    return machine
  }

  /// Where threads wait for a core.
  public enum Scheduler: String, CaseIterable, Sendable {
    /// In one queue for all cores: no core is idle while a thread waits that may run there.
    case global
    /// In a queue for each core, as on Linux: a waiting thread stays there until another core pulls it.
    case perCore = "per-core"
  }

  /// The allowed slices: those that Linux lets a thread request.
  public static let slices = TimeSpan.microseconds(100)...TimeSpan.milliseconds(100)
  /// The allowed numbers of threads of other processes.
  public static let busyThreads = 0...64
}

/// A set of cores on which a thread may run, by number from 0.
public struct CoreSet: Hashable, Sendable {
  private let mask: UInt64

  /// The cores that a set can name.
  public static let nameable = 0...63

  /// Every core, also those that cannot be named.
  public static let all = CoreSet(mask: .max)

  private init(mask: UInt64) { self.mask = mask }

  /// Nil if there are none, or if one is outside of `nameable`.
  public init?(_ cores: [Int]) {
    guard !cores.isEmpty, cores.allSatisfy(Self.nameable.contains) else { return nil }
    self.init(mask: cores.reduce(0) { $0 | 1 << UInt64($1) })
  }

  /// Whether a thread may run on that core.
  @inline(__always)
  public func contains(_ core: Int) -> Bool {
    mask == .max || (core < UInt64.bitWidth && mask >> UInt64(core) & 1 == 1)
  }

  /// The named cores, in ascending order.
  public var cores: [Int] { Self.nameable.filter(contains) }
}

extension CoreSet: CustomStringConvertible {
  /// In the syntax of scenario files: `[2, 3]`.
  public var description: String { "\(cores)" }
}
