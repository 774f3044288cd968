internal import CFrameBudgetLinux
internal import Foundation
internal import FrameBudget
internal import Glibc
internal import FrameBudgetRealTime
internal import SchedulableObjects
internal import Synchronization
internal import FrameBudgetTerminal

/// The cost of watching: real runs with and without the live view, interleaved, and the view's own use.
enum WatchingBenchmark {
  private static let rounds = 5
  private static let seconds: Int64 = 20

  static func run(_ speeds: inout Speeds) throws {
    let terminal = try PseudoTerminal(columns: 120, rows: 40)
    defer { terminal.close() }
    var bare: [RunMetrics] = []
    var watched: [RunMetrics] = []
    var shares: [Double] = []
    for _ in 0..<rounds {
      bare.append(RunMetrics(try RealEngine().run(plan())))
      let (metrics, used) = try runWatched(terminal)
      watched.append(metrics)
      shares.append(100 * used.inSeconds / metrics.log.duration.inSeconds)
    }
    compare(Metric.droppedFrames.name, bare, watched)
    compare(Metric.frameTime(.p99).name, bare, watched)
    print(
      "the view uses \(text(shares.median ?? 0)) % of a core at 120 x 40, at most "
        + "\(text(shares.max() ?? 0)) %")
    for (name, runs) in [("unwatched-p99", bare), ("watched-p99", watched)] {
      speeds.add(name, runs.compactMap { $0[Metric.frameTime(.p99).name] }.median ?? 0, "ms")
    }
    speeds.add("watching", shares.median ?? 0, "%")
  }

  /// A half-busy app: drawing, files on a background thread, taps.
  private static func plan() throws -> RunPlan {
    func load(_ span: TimeSpan) -> Step.Load { .cpu(.constant(span)) }
    let scenario = Scenario(
      name: "watching",
      display: Display(refresh: RefreshRate(60), render: .constant(.milliseconds(8))),
      duration: .seconds(seconds), services: [Service(name: "catalogue", records: 2000)],
      workloads: [
        Workload(
          name: "add-file", arrival: .batch(100, every: .milliseconds(500), start: .zero),
          steps: [Step(name: "insert", service: 0, load: load(.microseconds(2600)))]),
        Workload(
          name: "tap", arrival: .batch(1, every: .milliseconds(300), start: .zero),
          steps: [Step(name: "tap", service: 0, load: load(.microseconds(100)))], priority: .user,
          respondWithin: .milliseconds(100)),
      ], reads: [UIRead(service: 0, cpu: .constant(.microseconds(20)))])
    return RunPlan(scenario, under: try StrategyCatalog.strategy("schedulable", for: scenario))
  }

  private static func runWatched(
    _ terminal: PseudoTerminal
  ) throws -> (RunMetrics, TimeSpan) {
    let plan = try plan()
    let watch = RunWatch()
    return try terminal.attached {
      let view = try ThreadScheduler(name: "view", nice: 10)
      let thread = ViewThread(plan: plan, watch: watch)
      view.schedule { thread.show() }
      let log = try RealEngine().run(plan, watch: watch)
      thread.stop()
      view.shutdownBlocking(.drain)
      return (RunMetrics(log), thread.used)
    }
  }

  private static func compare(_ name: String, _ bare: [RunMetrics], _ watched: [RunMetrics]) {
    let without = bare.map { $0[name] ?? 0 }
    let with = watched.map { $0[name] ?? 0 }
    let difference = zip(with, without).map { $0 - $1 }.median ?? 0
    let range = (without.max() ?? 0) - (without.min() ?? 0)
    print(
      "\(name): without \(without.map(text).joined(separator: ", ")); with "
        + "\(with.map(text).joined(separator: ", ")); median difference \(text(difference)), "
        + "range without \(text(range))")
  }

  private static func text(_ value: Double) -> String { Decimal.text(value, places: 3) }
}

/// The live view on a thread of its own, as in `framebudget live`, and the processor time that it used.
final class ViewThread: Sendable {
  private let plan: RunPlan
  private let watch: RunWatch
  private let isStopped = Atomic<Bool>(false)
  private let nanoseconds = Atomic<Int64>(0)

  init(plan: RunPlan, watch: RunWatch) {
    self.plan = plan
    self.watch = watch
  }

  func stop() { isStopped.store(true, ordering: .relaxed) }

  var used: TimeSpan { TimeSpan(nanoseconds: nanoseconds.load(ordering: .relaxed)) }

  func show() {
    let began = clinux_thread_cpu()
    guard var terminal = try? CursesTerminal() else { return }
    var source = Source(watch: watch)
    var model = LiveModel(
      LiveModel.Session(
        scenario: plan.scenario.name, strategies: [plan.strategy.label], engines: [.real],
        refresh: plan.scenario.display.refresh, batch: 1))
    model.begin([RunModel(plan, on: .real)], chosen: [0])
    terminal.watch(&model, fedBy: &source) { !isStopped.load(ordering: .relaxed) }
    nanoseconds.store(clinux_thread_cpu() - began, ordering: .relaxed)
  }

  private struct Source: LiveSource {
    let watch: RunWatch
    var observation = RunObservation()

    mutating func perform(_ command: Command, on model: inout LiveModel) {}

    mutating func update(_ model: inout LiveModel) {
      observation = watch.observe(reusing: observation)
      model.take(observation)
    }
  }
}

/// A terminal without a screen: another process reads its output.
struct PseudoTerminal {
  private let slave: Int32
  private let reader: Process

  init(columns: UInt16, rows: UInt16) throws {
    var ends: [Int32] = [-1, -1]
    let error = unsafe ends.withUnsafeMutableBufferPointer {
      unsafe clinux_open_terminal(columns, rows, $0.baseAddress)
    }
    guard error == 0 else { throw POSIXError(POSIXErrorCode(rawValue: error) ?? .ENODEV) }
    slave = ends[1]
    reader = Process()
    reader.executableURL = URL(filePath: "/bin/cat")
    reader.standardInput = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
    reader.standardOutput = FileHandle.nullDevice
    reader.standardError = FileHandle.nullDevice
    try reader.run()
    _ = unsafe setenv("TERM", "xterm-256color", 1)
  }

  /// Runs `body` with this terminal as standard input and output.
  func attached<Result>(_ body: () throws -> Result) throws -> Result {
    fflush(nil)
    let (input, output) = (dup(STDIN_FILENO), dup(STDOUT_FILENO))
    dup2(slave, STDIN_FILENO)
    dup2(slave, STDOUT_FILENO)
    defer {
      dup2(input, STDIN_FILENO)
      dup2(output, STDOUT_FILENO)
      Glibc.close(input)
      Glibc.close(output)
    }
    return try body()
  }

  func close() {
    Glibc.close(slave)
    reader.terminate()
  }
}
