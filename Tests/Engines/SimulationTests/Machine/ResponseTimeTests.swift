import FrameBudget
import Testing

@testable import FrameBudgetSimulation

/// Periodic work under fixed priorities on one core, for which theory gives an exact criterion of schedulability.
@Suite struct ResponseTimeTests {
  struct Periodic {
    let period: Int64
    let cost: Int64
  }

  @Test func `frames are met exactly when response-time analysis says so`() {
    var met = 0
    var missed = 0
    for seed in UInt64(0)..<2000 {
      let tasks = Self.tasks(seed)
      // The last one, of the lowest priority, is the frame.
      let response = Self.response(of: tasks)
      let ends = Self.firstEnd(tasks)
      if let response {
        met += 1
        #expect(ends == response, "seed \(seed)")
      } else {
        missed += 1
        #expect(ends.map { $0 > tasks[tasks.count - 1].period } ?? true, "seed \(seed)")
      }
      #expect(Self.meetsAll(tasks) == (response != nil), "seed \(seed)")
    }
    #expect(met > 300 && missed > 300)
  }

  @Test func `a frame that a background lane of higher priority interrupts is met while both fit`()
  {
    for (work, dropped) in [(3_000_000, 0), (6_666_666, 0), (6_666_667, 1), (9_000_000, 1)] {
      let step = Step(
        name: "step", service: 0, load: .cpu(.constant(TimeSpan(nanoseconds: Int64(work)))))
      let scenario = Scenario(
        name: "interrupted",
        display: Display(refresh: RefreshRate(60), render: .constant(.milliseconds(10))),
        duration: .seconds(1), machine: Machine(cores: 1), services: [Service(name: "service")],
        workloads: [
          Workload(name: "work", arrival: .once(1, start: .milliseconds(500)), steps: [step])
        ])
      let metrics = RunMetrics(
        scenario.run(scenario.inBackground(nice: -5), scheduling: .fixedByNice))
      #expect(metrics.frames.dropped == dropped)
      // It began on time: its own thread interrupted it.
      #expect(metrics["drops_preempted"] == Double(dropped))
      #expect(metrics["drops_wakeup"] == 0 && metrics["drops_machine"] == 0)
    }
  }

  /// The response time of the last task, if it is within its period: the least R with
  /// R = C + sum of ceil(R / T_j) C_j over all higher priorities (Joseph and Pandya 1986).
  private static func response(of tasks: [Periodic]) -> Int64? {
    guard let last = tasks.last else { return nil }
    var response = last.cost
    while response <= last.period {
      let next = tasks.dropLast().reduce(last.cost) {
        $0 + (response + $1.period - 1) / $1.period * $1.cost
      }
      if next == response { return response }
      response = next
    }
    return nil
  }

  private static func tasks(_ seed: UInt64) -> [Periodic] {
    var stream = RandomStream(seed: seed, name: "tasks")
    return (0..<stream.number(2...4)).map { _ in
      let period = stream.number(20...200)
      return Periodic(period: Int64(period), cost: Int64(stream.number(1...(period / 2))))
    }
  }

  private static func machine(_ tasks: [Periodic], jobs: Int64) -> VirtualMachine<ScriptedThreads> {
    let scripts = tasks.map { task in
      (0..<jobs).flatMap { [Operation.sleep($0 * task.period), .run(task.cost)] }
    }
    return VirtualMachine(
      ScriptedThreads(scripts), threads: tasks.indices.map { .fixed(10 - $0) }, speeds: [1000],
      sharing: .slices(10))
  }

  /// The thread of the lowest priority: the frame's.
  private static func lowest(_ tasks: [Periodic]) -> ThreadIndex { ThreadIndex(tasks.count - 1) }

  /// The end of the frame that is released together with all other work.
  private static func firstEnd(_ tasks: [Periodic]) -> Int64? {
    var machine = machine(tasks, jobs: 40)
    machine.advance(to: Instant(nanoseconds: 1000))
    let asked = machine.program.times[lowest(tasks)]
    return asked.count > 2 ? asked[2].nanoseconds : nil
  }

  /// Whether each of the frame's jobs ends within its period.
  private static func meetsAll(_ tasks: [Periodic]) -> Bool {
    let period = tasks[tasks.count - 1].period
    var machine = machine(tasks, jobs: 200)
    machine.advance(to: Instant(nanoseconds: 20 * period))
    let asked = machine.program.times[lowest(tasks)]
    return (0..<Int64(19)).allSatisfy { job in
      let end = Int(job) * 2 + 2
      return end < asked.count && asked[end].nanoseconds <= (job + 1) * period
    }
  }
}
