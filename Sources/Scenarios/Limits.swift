import FrameBudget

/// How large a scenario may be: what is beyond is refused at once, before it costs memory or time.
public enum Limits {
  /// A file has at most so many bytes. Whoever reads one need not read more than one byte beyond.
  public static let fileBytes = 1 << 20
  /// Lists and mappings stand in one another at most so deep; the schema needs 8.
  static let depth = 32
  /// What an error shows of the line it points at, and of a value it quotes.
  static let shownLine = 160
  static let shownValue = 60
  /// How many faults of a file an error shows.
  static let shownFaults = 20

  static let nameLength = 64
  static let services = 256
  static let workloads = 256
  static let steps = 64
  static let reads = 256
  static let lanes = 64
  static let locks = 256
  static let strategies = 64
  /// Switches between accounts, and changes of a lane's nice value.
  static let changes = 256

  /// Items of all workloads until the run ends.
  static let items = 1_000_000
  /// Frames from time 0 to the end: a day at 20 Hz, 8 hours at 60 Hz.
  static let frames = 1_728_000
  /// Records of all services together.
  static let records = 1_000_000
  static let warmup = TimeSpan.seconds(600)
  public static let cores = 256
  /// The speed of a core, in thousandths of a full one.
  static let speed: ClosedRange<Int64> = 1...100_000
}
