/// The machine that the virtual engine simulates.
public struct Machine: Hashable, Sendable {
  /// The speed of each core in thousandths of a full one: whole numbers keep simulated time exact.
  public var speeds: [Int]
  /// Where threads wait for a core.
  public var scheduler = Scheduler.perCore
  /// Whether lanes on Dispatch's pool share its threads; otherwise each has as many of its own as its width.
  public var hasPools = true
  /// How long a thread keeps its core while others wait for it; nil for what Linux gives that many cores.
  public var slice: TimeSpan?
  /// How many threads of other processes want a core all the time.
  public var busy = 0

  /// So many cores of the speed that costs are stated for.
  public init(cores: Int = 2) { self.init(speeds: Array(repeating: 1000, count: cores)) }
  /// - Parameter speeds: by core, in thousandths of the speed that costs are stated for.
  public init(speeds: [Int]) { self.speeds = speeds }

  /// How many it has.
  public var cores: Int { speeds.count }

  /// The same machine with that many cores of full speed.
  public func having(cores: Int) -> Machine {
    var machine = self
    machine.speeds = Machine(cores: cores).speeds
    return machine
  }

  /// Where threads wait for a core.
  public enum Scheduler: String, CaseIterable, Sendable {
    /// In one queue for all cores: no core is idle, and no thread behind another, while either need not be.
    case global
    /// In a queue for each core, as on Linux: a thread stays where it ran until a core has nothing to do.
    case perCore = "per-core"
  }

  /// The slices that there are: those that Linux lets a thread ask for.
  public static let slices = TimeSpan.microseconds(100)...TimeSpan.milliseconds(100)
  /// How many threads of other processes there can be.
  public static let busyThreads = 0...64
}

/// Cores of a machine, counted from 0: those on which a thread may run.
public struct CoreSet: Hashable, Sendable {
  private let mask: UInt64

  /// Which cores can be named.
  public static let nameable = 0...63

  /// Every core, also those that cannot be named.
  public static let all = CoreSet(mask: .max)

  private init(mask: UInt64) { self.mask = mask }

  /// Nil where there are none, or one cannot be named.
  public init?(_ cores: [Int]) {
    guard !cores.isEmpty, cores.allSatisfy(Self.nameable.contains) else { return nil }
    self.init(mask: cores.reduce(0) { $0 | 1 << UInt64($1) })
  }

  /// Whether a thread may run on that core.
  @inline(__always)
  public func contains(_ core: Int) -> Bool {
    mask == .max || (core < UInt64.bitWidth && mask >> UInt64(core) & 1 == 1)
  }

  /// The cores that can be named, in their order.
  public var cores: [Int] { Self.nameable.filter(contains) }
}

extension CoreSet: CustomStringConvertible {
  /// As a file says it: `[2, 3]`.
  public var description: String { "\(cores)" }
}
