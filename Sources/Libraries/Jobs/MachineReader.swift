internal import Foundation

/// Reads network and power from the files of Linux's kernel.
struct MachineReader: Sendable {
  /// The folder that has `proc` and `sys`; tests have one of their own.
  var root = "/"

  struct Reading: Equatable, Sendable {
    let network: MachineState.Network
    let isCharging: Bool
  }

  /// Nil on a system without these files.
  func read() -> Reading? {
    guard let routes = text("proc/net/route") else { return nil }
    let name =
      Self.defaultInterface(routes) ?? text("proc/net/ipv6_route").flatMap(Self.defaultInterface6)
    return Reading(network: Self.network(of: name), isCharging: isCharging)
  }

  private func text(_ path: String) -> String? {
    try? String(contentsOfFile: root + path, encoding: .utf8)
  }

  // MARK: Network

  /// The interface of the default route with the lowest metric. Columns: Iface, Destination, Gateway, Flags, RefCnt, Use,
  /// Metric.
  private static func defaultInterface(_ routes: String) -> String? {
    let rows = routes.split(separator: "\n").dropFirst().map {
      $0.split(whereSeparator: \.isWhitespace)
    }
    let defaults = rows.filter { $0.count > 7 && $0[1] == "00000000" && isUp(flags: $0[3]) }
    return defaults.min { metric($0) < metric($1) }.map { String($0[0]) }
  }

  private static func metric(_ row: [Substring]) -> Int { Int(row[6]) ?? .max }

  /// The same for IPv6: columns destination, prefix length, …, metric, references, uses, flags, name.
  private static func defaultInterface6(_ routes: String) -> String? {
    let rows = routes.split(separator: "\n").map { $0.split(whereSeparator: \.isWhitespace) }
    let row = rows.first { row in
      row.count > 9 && row[0].allSatisfy { $0 == "0" } && row[1] == "00" && row[9] != "lo"
        && isUp(flags: row[8])
    }
    return row.map { String($0[9]) }
  }

  /// Whether `RTF_UP` is set, and `RTF_REJECT` is not.
  private static func isUp(flags: Substring) -> Bool {
    guard let bits = UInt32(flags, radix: 16) else { return false }
    return bits & 1 != 0 && bits & 0x200 == 0
  }

  /// Mobile networks have a price per byte. The kernel knows no prices, but names their interfaces.
  private static func network(of interface: String?) -> MachineState.Network {
    guard let interface else { return .none }
    return ["ww", "ppp", "rmnet"].contains(where: interface.hasPrefix) ? .metered : .unmetered
  }

  // MARK: Power

  /// Whether a source of external power is on line; true for a machine without a battery.
  private var isCharging: Bool {
    let folder = root + "sys/class/power_supply"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let supplies = names.map { "sys/class/power_supply/\($0)/" }
    if supplies.contains(where: { word($0 + "type") != "Battery" && word($0 + "online") == "1" }) {
      return true
    }
    // The battery of a mouse has the scope `Device`.
    return !supplies.contains { word($0 + "type") == "Battery" && word($0 + "scope") != "Device" }
  }

  private func word(_ path: String) -> String? {
    text(path)?.trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
