internal import CLinux
public import FrameBudget

/// The machine and what it allows, as far as it decides how well frames can be timed.
public struct HostFacts: Sendable {
  /// Processors that this process may use, and that are switched on.
  public var cores: Int
  public var onlineCores: Int
  // What follows is nil where the kernel does not say.
  public var model: String?
  public var kernel: String?
  public var clockSource: String?
  /// Decides how fast the processors run; nil where the system leaves that to the hardware or a hypervisor.
  public var governor: String?
  /// The hypervisor; nil on a machine of metal.
  public var hypervisor: String?
  public var load: Double?
  /// By how much the kernel may delay timers of a thread that does not ask for less.
  public var timerSlack: TimeSpan
  public var privileges: HostPrivileges

  public static var current: HostFacts {
    HostFacts(
      .current, cores: clinux_get_affinity().nonzeroBitCount,
      onlineCores: Int(clinux_online_processors()),
      timerSlack: TimeSpan(nanoseconds: clinux_timer_slack()), privileges: .current)
  }

  public init(
    _ texts: HostTexts, cores: Int, onlineCores: Int, timerSlack: TimeSpan,
    privileges: HostPrivileges
  ) {
    self.cores = cores
    self.onlineCores = onlineCores
    self.timerSlack = timerSlack
    self.privileges = privileges
    model = Self.field("model name", of: texts.processors)
    kernel = Self.line(texts.kernel)
    clockSource = Self.line(texts.clockSource)
    governor = Self.line(texts.governor)
    hypervisor = Self.hypervisor(texts)
    load = texts.load.split(separator: " ").first.flatMap { Double($0) }
  }

  /// Processors that this process may use.
  public static var usableCores: Int { clinux_get_affinity().nonzeroBitCount }

  /// Those of them that have a number of their own in an affinity: the first 64.
  static var nameableCores: [Int] {
    let mask = clinux_get_affinity()
    return CoreSet.nameable.filter { mask >> UInt64($0) & 1 == 1 }
  }

  private static func hypervisor(_ texts: HostTexts) -> String? {
    let flags = field("flags", of: texts.processors)?.split(separator: " ") ?? []
    guard flags.contains("hypervisor") else { return nil }
    let names = [line(texts.vendor), line(texts.product)].compactMap(\.self)
    return names.isEmpty ? "a hypervisor that gives no name" : names.joined(separator: " ")
  }

  /// The value of the first line `name : value`.
  private static func field(_ name: String, of text: String) -> String? {
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 1)
      if parts.count == 2, Self.line(parts[0]) == name { return Self.line(parts[1]) }
    }
    return nil
  }

  /// `text` without blanks at its ends; nil if nothing is left.
  private static func line(_ text: some StringProtocol) -> String? {
    let words = text.split { $0.isWhitespace }
    return words.isEmpty ? nil : words.joined(separator: " ")
  }
}

/// What this process may do to be on time.
public struct HostPrivileges: Hashable, Sendable {
  public var realtime: Bool
  public var negativeNice: Bool
  public var affinity: Bool
  /// Keeping processors out of deep sleep, by `/dev/cpu_dma_latency`.
  public var noDeepSleep: Bool

  public init(realtime: Bool, negativeNice: Bool, affinity: Bool, noDeepSleep: Bool) {
    self.realtime = realtime
    self.negativeNice = negativeNice
    self.affinity = affinity
    self.noDeepSleep = noDeepSleep
  }

  /// Tried, not guessed from user ids: containers, limits and capabilities all have a say.
  public static var current: HostPrivileges {
    HostPrivileges(
      realtime: clinux_may_set_realtime() == 0, negativeNice: clinux_may_lower_nice() == 0,
      affinity: clinux_may_set_affinity() == 0, noDeepSleep: clinux_may_forbid_deep_sleep() == 0)
  }
}
