import FrameBudget
import FrameBudgetSimulation
import Testing

/// The effects that the named arrangements must show, as numbers.
@Suite struct ArrangementLessonTests {
  /// 400 items, each through a cluster of three services that call one another: a b a c a b, half a millisecond each.
  private static let cluster: Scenario = {
    let steps = [0, 1, 0, 2, 0, 1].map { service in
      Step(name: "\(service)", service: service, load: .cpu(.constant(.microseconds(500))))
    }
    return Scenario(
      name: "cluster",
      display: Display(refresh: RefreshRate(60), render: .constant(.milliseconds(6))),
      duration: .seconds(4), machine: Machine(cores: 2),
      services: ["a", "b", "c"].map { Service(name: $0) },
      workloads: [Workload(name: "sync", arrival: .once(400, start: .zero), steps: steps)])
  }()

  private func metrics(_ name: String, _ options: [(String, String)] = []) throws -> RunMetrics {
    RunMetrics(try Self.cluster.run(name, options.map { (key: $0.0, value: $0.1) }))
  }

  @Test func `a split cluster hops at every call, and a whole one once`() throws {
    let moved = try ["1", "2", "3"].map { try metrics("schedulable-partial", [("moved", $0)]) }
    // With a moved, items go to and fro: a there, b here, a there, c here, a there, b here.
    #expect(moved.map { $0["hops_per_item"] } == [6, 3, 1])
    #expect(moved[2].frames.dropped == 0 && moved[2].items.pending == 0)
    #expect(moved.map(\.frames.dropped).allSatisfy { $0 >= 0 })
    #expect(moved[0].frames.dropped > moved[2].frames.dropped)
  }

  @Test func `a lane that looks every 0.1 s answers a first item within 100 ms, but not at once`()
    throws
  {
    var scenario = Self.cluster
    scenario.workloads[0].arrival = .once(1, start: .zero)
    let waits = try (UInt64(1)...50).map { seed in
      scenario.seed = seed
      return try scenario.run("schedulable-naive").items[0].completions[0] - 3_000_000
    }
    #expect(waits.allSatisfy { $0 >= 0 && $0 < 100_100_000 })
    #expect(waits.contains { $0 < 20_000_000 } && waits.contains { $0 > 80_000_000 })
  }

  @Test func `a bridge encodes on main, and answers after 0 to 5 ms`() throws {
    var scenario = Self.cluster
    scenario.workloads[0].arrival = .once(1, start: .zero)
    // Taking the call over, decoding and answering it: 7 us beside the steps.
    let waits = try (UInt64(1)...50).map { seed in
      scenario.seed = seed
      return try scenario.run("bridge").items[0].completions[0] - 3_007_000
    }
    #expect(waits.allSatisfy { $0 >= 0 && $0 <= 5_005_000 })
    #expect(waits.contains { $0 < 1_000_000 } && waits.contains { $0 > 4_000_000 })
    let main = RunMetrics(try scenario.run("bridge"))["handoff_us_per_item"]
    #expect(main == 4.5)
  }

  @Test func `a call of another process costs a message each way`() throws {
    var scenario = Self.cluster
    scenario.workloads[0].arrival = .once(1, start: .zero)
    let (ours, theirs) = (try scenario.run("schedulable"), try scenario.run("process"))
    let more = theirs.items[0].completions[0] - ours.items[0].completions[0]
    // Posting 4.4 us more, on its way 17 us more, and 12 us to read and answer it.
    #expect(more == 33_400)
  }

  @Test(arguments: ["gcd-serial", "operation-queue", "event-loop", "schedulable-naive"])
  func `other mechanisms keep the frames as the scheduler does`(name: String) throws {
    let other = try metrics(name)
    #expect(other.frames.dropped == 0 && other.items.pending == 0)
    #expect(other["hops_per_item"] == 1 && other["order_violations"] == 0)
  }

  @Test func `operations of single steps cost a post for each`() throws {
    let item = try metrics("operation-queue")
    let step = try metrics("operation-queue", [("operations", "step")])
    #expect(step["hops_per_item"] == 1 && step["order_violations"] == 0)
    let (perItem, perStep) = (item["handoff_us_per_item"] ?? 0, step["handoff_us_per_item"] ?? 0)
    #expect(perStep > perItem + 4.5 && perStep < perItem + 6)
  }

  @Test(arguments: [("actors", 0), ("actors-on-scheduler", 1)])
  func `an actor per service hops at every call, and promises no order`(
    name: String, dropped: Int
  ) throws {
    let log = try Self.cluster.run(name)
    #expect(RunMetrics(log)["hops_per_item"] == 6)
    #expect(log.status == .complete)
    #expect(RunMetrics(log).frames.dropped == dropped)
  }

  @Test func `threads of a wide lane run items side by side, without a guaranteed order`() throws {
    var scenario = Self.cluster
    scenario.machine = Machine(cores: 4)
    scenario.workloads[0].steps = (0..<3).map { service in
      Step(name: "\(service)", service: service, load: .cpu(.constant(.milliseconds(1))))
    }
    let serial = RunMetrics(try scenario.run("gcd-serial"))
    let wide = RunMetrics(try scenario.run("gcd-concurrent", [(key: "width", value: "3")]))
    let (slow, fast) = (serial["makespan_ms"] ?? 0, wide["makespan_ms"] ?? .infinity)
    #expect(fast < slow / 2, "\(fast) ms instead of \(slow) ms")
    #expect(serial["order_violations"] == 0)
  }
}
