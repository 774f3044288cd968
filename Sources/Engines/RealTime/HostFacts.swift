internal import CFrameBudgetLinux
public import FrameBudget
internal import Glibc

/// Properties of the machine that affect how exactly frames can be timed.
public struct HostFacts: Sendable {
  /// Processors that this process may use, and those that are online.
  public var cores: Int
  public var onlineCores: Int
  // The following are nil if the kernel does not report them.
  public var model: String?
  public var kernel: String?
  public var clockSource: String?
  /// The frequency governor; nil if the hardware or a hypervisor controls the frequency.
  public var governor: String?
  /// Nil on bare metal.
  public var hypervisor: String?
  public var load: Double?
  /// The default timer slack: how much the kernel may delay a timer.
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

  /// The usable processors that an affinity mask can name, among the first 64.
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

  /// `text` without surrounding blanks; nil if it is empty.
  private static func line(_ text: some StringProtocol) -> String? {
    let words = text.split { $0.isWhitespace }
    return words.isEmpty ? nil : words.joined(separator: " ")
  }
}

/// The privileges of this process that affect timing.
public struct HostPrivileges: Hashable, Sendable {
  public var realtime: Bool
  public var negativeNice: Bool
  public var affinity: Bool
  /// Keeping processors out of deep sleep, by `/dev/cpu_dma_latency`.
  public var noDeepSleep: Bool

  /// Tries each, because containers, limits and capabilities matter as well as the user.
  public static var current: HostPrivileges {
    HostPrivileges(
      realtime: clinux_may_set_realtime() == 0, negativeNice: clinux_may_lower_nice() == 0,
      affinity: clinux_may_set_affinity() == 0, noDeepSleep: clinux_may_forbid_deep_sleep() == 0)
  }
}

/// The kernel's texts about the machine. Only this type reads /proc and /sys.
public struct HostTexts: Sendable {
  public var processors = ""
  public var times = ""
  public var load = ""
  public var kernel = ""
  public var clockSource = ""
  public var governor = ""
  public var vendor = ""
  public var product = ""

  /// Creates empty texts, for tests.
  public init() {}

  public static var current: HostTexts {
    var texts = HostTexts()
    texts.processors = text("/proc/cpuinfo")
    texts.times = text("/proc/stat")
    texts.load = text("/proc/loadavg")
    texts.kernel = text("/proc/sys/kernel/osrelease")
    texts.clockSource = text("/sys/devices/system/clocksource/clocksource0/current_clocksource")
    texts.governor = text("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")
    texts.vendor = text("/sys/class/dmi/id/sys_vendor")
    texts.product = text("/sys/class/dmi/id/product_name")
    return texts
  }

  /// Only the texts that change during a run.
  static var pressure: HostTexts {
    var texts = HostTexts()
    texts.times = text("/proc/stat")
    texts.load = text("/proc/loadavg")
    return texts
  }

  /// The content of the file; empty if it cannot be read.
  private static func text(_ path: String) -> String {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return "" }
    defer { close(file) }
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 1 << 14)
    while true {
      let count = unsafe block.withUnsafeMutableBytes { block in
        unsafe read(file, block.baseAddress, block.count)
      }
      guard count > 0 else { break }
      bytes += block[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension HostSample {
  /// Nil if the kernel does not count processor times.
  public static var now: HostSample? {
    HostSample(.pressure, ownCPU: TimeSpan(nanoseconds: clinux_process_cpu()))
  }

  init?(_ texts: HostTexts, ownCPU: TimeSpan) {
    self.init(times: texts.times, load: texts.load, ownCPU: ownCPU)
  }
}

extension HostLoad {
  /// The load of other processes since `before`; nil if the kernel does not count that.
  public init?(since before: HostSample) {
    guard let now = HostSample.now else { return nil }
    self.init(from: before, to: now)
  }

  /// The load of other processes between two samples.
  public init(from before: HostSample, to after: HostSample) {
    self.init(from: before, to: after, ticksPerSecond: sysconf(Int32(_SC_CLK_TCK)))
  }
}
