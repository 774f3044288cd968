internal import Glibc

/// What the kernel says about the machine, as it says it: the one place that reads /proc and /sys.
public struct HostTexts: Sendable {
  public var processors = ""
  public var times = ""
  public var load = ""
  public var kernel = ""
  public var clockSource = ""
  public var governor = ""
  public var vendor = ""
  public var product = ""

  /// Nothing known; for tests to fill in.
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

  /// Only what changes while something runs.
  static var pressure: HostTexts {
    var texts = HostTexts()
    texts.times = text("/proc/stat")
    texts.load = text("/proc/loadavg")
    return texts
  }

  /// What stands in the file; empty where there is none.
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
