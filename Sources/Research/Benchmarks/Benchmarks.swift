internal import Foundation
internal import FrameBudget
internal import FrameBudgetReports
internal import Glibc

/// Runs `make bench`: measures the figures in the documentation again on this machine.
///
/// Fails if a published figure is off by more than a third. With `--publish` it writes the measured ones in their place.
@main
struct Benchmarks {
  static let all: [(name: String, run: @Sendable (inout Speeds) throws -> Void)] = [
    // First, because the memory of started processes counts from the size of this one.
    ("memory", { _ in try MemoryBenchmark.run() }),
    ("compare", CompareBenchmark.run),
    ("import", ImportBenchmark.run),
    ("reading", ReadingBenchmark.run),
    ("start", StartBenchmark.run),
    ("sweep", SweepBenchmark.run),
    ("recording", RecordingBenchmark.run),
    ("burning", BurningBenchmark.run),
    ("lateness", LatenessBenchmark.run),
    ("locks", { _ in try LockBenchmark.run() }),
    ("copying", CopyingBenchmark.run),
    ("delivery", DeliveryBenchmark.run),
    ("calls", { _ in try CallBenchmark.run() }),
    ("operations", { _ in OperationsBenchmark.run() }),
    ("watching", WatchingBenchmark.run),
    ("simulation", SimulationBenchmark.run),
    ("whole-run", WholeRunBenchmark.run),
    ("simpy", SimPyBenchmark.run),
    ("advice", AdviceBenchmark.run),
    ("frames", FramesBenchmark.run),
    ("jobs", { _ in try JobsBenchmark.run() }),
    ("closures", { _ in try ClosureBenchmark.run() }),
  ]

  private static let publish = "--publish"

  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst()
    let wanted = arguments.filter { $0 != publish }
    let known = all.map(\.name)
    for name in wanted where !known.contains(name) {
      print("'\(name)' is not a benchmark; allowed: \(known.joined(separator: ", "))")
      exit(64)
    }
    var speeds = try Speeds()
    for benchmark in all where wanted.isEmpty || wanted.contains(benchmark.name) {
      print("== \(benchmark.name)")
      try benchmark.run(&speeds)
    }
    if arguments.contains(publish) { return try speeds.publish() }
    if !speeds.agree() { exit(1) }
  }
}

/// The measured figures that the documentation publishes, beside the published ones.
struct Speeds {
  private let published: [SpeedFigure]
  private var measured: [SpeedFigure] = []

  init() throws { published = try SpeedFigure.published(in: Project.folder) }

  /// Prints a measured figure beside the published one.
  mutating func add(_ name: String, _ value: Double, _ unit: String) {
    let figure = SpeedFigure(name, value, unit)
    measured.append(figure)
    let known = published.first { $0.name == name }
    print("  \(name): \(text(figure)), published: \(known.map(text) ?? "nothing")")
  }

  private func text(_ figure: SpeedFigure) -> String {
    "\(Decimal.text(figure.value, places: 4)) \(figure.unit)"
  }

  /// Whether the published figures are true; prints those that are not.
  func agree() -> Bool {
    let wrong = measured.filter { figure in
      published.first { $0.name == figure.name }.map(figure.contradicts) ?? true
    }
    for figure in wrong {
      print(
        "not as published: \(figure.name), \(text(figure)); 'make bench PUBLISH=1' publishes it")
    }
    return wrong.isEmpty
  }

  /// Writes the measured figures in place of the published ones. Others stay as they are.
  func publish() throws {
    let others = measured.filter { figure in !published.contains { $0.name == figure.name } }
    let kept = published.map { old in measured.last { $0.name == old.name } ?? old }
    let place = SpeedFigure.place(in: Project.folder)
    try Data(SpeedFigure.csv(kept + others).utf8).write(to: URL(filePath: place), options: .atomic)
    print("\(place): \(measured.count) figures published")
  }
}

/// The folder of the project.
enum Project {
  static let folder = URL(filePath: #filePath).appending(path: "../../../..").standardized.path

  /// The path of `name` in its folder `benchmarks`.
  static func input(_ name: String) -> String { "\(folder)/benchmarks/\(name)" }
}
