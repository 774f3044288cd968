internal import CLinux
internal import Foundation
internal import FrameBudget

/// A grid of a scenario of one second, over seeds, on one core and on all: whole processes. And what merging shards
/// costs, which one core does alone.
enum SweepBenchmark {
  private static let pairs = 5
  private static let shards = 16
  private static let runs = 100 * 100 * 10
  private static let vsyncs = 60
  private static let grid = [
    "run", TimedProcess.input("second.yaml"), "--engine", "virtual", "--quiet",
    "--vary", "workloads.add-file.arrival.once=1..100", "--vary", "display.render=0.1..10:0.1 ms",
    "--vary", "seed=1..10",
  ]

  static func run() throws {
    let place = FileManager.default.temporaryDirectory.appending(component: "sweep-\(UUID())")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: place) }
    try throughput(place)
    try merging(place)
  }

  private static func throughput(_ place: URL) throws {
    let cores = clinux_online_processors()
    var one: [TimedProcess] = []
    var many: [TimedProcess] = []
    for _ in 0..<pairs {
      one.append(try sweep(place.appending(component: "one"), "--jobs", "1"))
      many.append(try sweep(place.appending(component: "all"), "--jobs", "\(cores)"))
    }
    let speedUps = zip(one, many).map { $0.milliseconds / $1.milliseconds }
    let costs = zip(one, many).map { $1.cpuMilliseconds / $0.cpuMilliseconds }
    let best = one.map(\.milliseconds).min() ?? 0
    let rate = Double(runs) / best * 1000
    func text(_ value: Double, _ places: Int = 2) -> String { Decimal.text(value, places: places) }
    print(
      "one core: \(text(rate, 0)) runs and \(text(rate * Double(vsyncs), 0)) vsyncs a second; best of \(pairs)"
    )
    func all(_ ratios: [Double]) -> String {
      ratios.map { text($0) }.joined(separator: ", ")
    }
    print("\(cores) cores: as many times as fast: \(all(speedUps))")
    print("and as many times the processor time: \(all(costs))")
    let peak = (one + many).map(\.peakBytes).max() ?? 0
    print("memory: at most \(peak >> 20) MiB")
  }

  private static func merging(_ place: URL) throws {
    let folders = (1...shards).map { place.appending(component: "\($0)") }
    for (number, folder) in folders.enumerated() {
      try sweep(folder, keeps: true, "--shard", "\(number + 1)/\(shards)")
    }
    let bytes = try folders.flatMap { folder in
      try ["summary.csv", "workloads.csv"].map { name in
        try Data(contentsOf: folder.appending(component: name), options: .alwaysMapped).count
      }
    }.reduce(0, +)
    let merged = try TimedProcess(
      TimedProcess.tool,
      ["merge"] + folders.map(\.path) + ["-o", place.appending(component: "m").path])
    guard merged.status == 0 else { throw TimedProcess.Failure(text: "merging failed") }
    let rate = Double(runs) / merged.milliseconds * 1000
    print(
      "merging \(shards) shards: \(Decimal.text(rate, places: 0)) runs a second, \(bytes / runs) bytes a run, "
        + "at most \(merged.peakBytes >> 20) MiB")
  }

  @discardableResult
  private static func sweep(
    _ folder: URL, keeps: Bool = false, _ arguments: String...
  ) throws -> TimedProcess {
    let run = try TimedProcess(TimedProcess.tool, grid + arguments + ["-o", folder.path])
    guard run.status == 0 else { throw TimedProcess.Failure(text: "the sweep failed") }
    if !keeps { try FileManager.default.removeItem(at: folder) }
    return run
  }
}
