import Foundation
import TestSupport
import Testing

@testable import SchedulableJobs

/// The kernel's files, as a test writes them.
private struct FakeMachine {
  let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    for folder in ["proc/net", "sys/class/power_supply"] { try make(folder) }
    try route()
  }

  var reader: MachineReader { MachineReader(root: scratch.folder.path + "/") }

  private func make(_ folder: String) throws {
    try FileManager.default.createDirectory(
      atPath: scratch.path(folder), withIntermediateDirectories: true)
  }

  private func write(_ text: String, to path: String) throws {
    try Data(text.utf8).write(to: URL(filePath: scratch.path(path)), options: .atomic)
  }

  /// Default routes with their metrics, behind a route to a network.
  func route(_ defaults: (name: String, metric: Int)...) throws {
    let rows = defaults.map {
      "\($0.name)\t00000000\t010200C0\t0003\t0\t0\t\($0.metric)\t00000000\t0\t0\t0"
    }
    let head = "Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask\tMTU\tWindow\tIRTT"
    let local = "eth0\t000200C0\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0"
    try write(([head, local] + rows).joined(separator: "\n") + "\n", to: "proc/net/route")
  }

  func route6(_ name: String, flags: String) throws {
    let zero = String(repeating: "0", count: 32)
    try write(
      "\(zero) 00 \(zero) 00 \(zero) 00000400 00000003 00000000 \(flags)     \(name)\n",
      to: "proc/net/ipv6_route")
  }

  func supply(_ name: String, _ files: [String: String]) throws {
    try make("sys/class/power_supply/\(name)")
    for (file, text) in files {
      try write(text + "\n", to: "sys/class/power_supply/\(name)/\(file)")
    }
  }
}

@Suite struct MachineReaderTests {
  @Test func `the default route with the lowest metric is the network`() throws {
    let machine = try FakeMachine()
    #expect(machine.reader.read()?.network == MachineState.Network.none)
    try machine.route(("wlan0", 600), ("wwan0", 700))
    #expect(machine.reader.read()?.network == .unmetered)
    try machine.route(("wlan0", 800), ("wwan0", 700))
    #expect(machine.reader.read()?.network == .metered)
  }

  @Test func `a default route of IPv6 alone is a network, a rejecting one is not`() throws {
    let machine = try FakeMachine()
    try machine.route6("lo", flags: "00200200")
    #expect(machine.reader.read()?.network == MachineState.Network.none)
    try machine.route6("eth0", flags: "00000203")
    #expect(machine.reader.read()?.network == MachineState.Network.none)
    try machine.route6("eth0", flags: "00000003")
    #expect(machine.reader.read()?.network == .unmetered)
  }

  @Test func `a machine without a battery of its own has external power`() throws {
    let machine = try FakeMachine()
    #expect(machine.reader.read()?.isCharging == true)
    try machine.supply("mouse", ["type": "Battery", "scope": "Device"])
    #expect(machine.reader.read()?.isCharging == true)
    try machine.supply("BAT0", ["type": "Battery"])
    #expect(machine.reader.read()?.isCharging == false)
    try machine.supply("AC", ["type": "Mains", "online": "0"])
    #expect(machine.reader.read()?.isCharging == false)
    try machine.supply("AC", ["type": "Mains", "online": "1"])
    #expect(machine.reader.read()?.isCharging == true)
  }

  @Test func `without the kernel's files nothing is known`() throws {
    let scratch = try Scratch()
    #expect(MachineReader(root: scratch.folder.path + "/").read() == nil)
  }

  #if os(Linux)
    @Test func `this machine's files are read`() { #expect(MachineReader().read() != nil) }
  #endif

  @Test func `a queue that reads the machine starts what waited for it`() async throws {
    let machine = try FakeMachine()
    try machine.supply("BAT0", ["type": "Battery"])
    let log = Log()
    var types = JobTypes()
    types.register("upload") { (_: NoParameters, _) in log.append("ran") }
    var options = JobQueueOptions()
    options.machineReading = .milliseconds(2)
    options.machineReader = machine.reader
    options.machine.conditions = ["idle"]
    let queue = try JobQueue("test", types: types, options: options)
    var job = Job("upload", id: "a")
    job.constraints = [.unmeteredNetwork, .charging, .condition("idle")]
    try queue.add(job)
    try machine.route(("eth0", 0))
    try await Task.sleep(for: .milliseconds(30))
    #expect(log.all.isEmpty)
    try machine.supply("AC", ["type": "Mains", "online": "1"])
    #expect(await onOwnThread { log.wait(for: "ran") })
    await queue.shutdown()
  }
}
