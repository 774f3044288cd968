internal import Glibc

/// Runs `make bench`: measures the figures in the documentation again on this machine.
@main
struct Benchmarks {
  static let all: [(name: String, run: @Sendable () throws -> Void)] = [
    // First, because the memory of started processes counts from the size of this one.
    ("memory", MemoryBenchmark.run),
    ("sweep", SweepBenchmark.run),
    ("recording", RecordingBenchmark.run),
    ("burning", BurningBenchmark.run),
    ("lateness", LatenessBenchmark.run),
    ("locks", LockBenchmark.run),
    ("delivery", DeliveryBenchmark.run),
    ("operations", OperationsBenchmark.run),
    ("watching", WatchingBenchmark.run),
    ("simulation", SimulationBenchmark.run),
    ("whole-run", WholeRunBenchmark.run),
    ("simpy", SimPyBenchmark.run),
    ("advice", AdviceBenchmark.run),
    ("import", ImportBenchmark.run),
    ("reading", ReadingBenchmark.run),
    ("jobs", JobsBenchmark.run),
    ("closures", ClosureBenchmark.run),
  ]

  static func main() throws {
    let wanted = CommandLine.arguments.dropFirst()
    let known = all.map(\.name)
    for name in wanted where !known.contains(name) {
      print("'\(name)' is not a benchmark; allowed: \(known.joined(separator: ", "))")
      exit(64)
    }
    for benchmark in all where wanted.isEmpty || wanted.contains(benchmark.name) {
      print("== \(benchmark.name)")
      try benchmark.run()
    }
  }
}
