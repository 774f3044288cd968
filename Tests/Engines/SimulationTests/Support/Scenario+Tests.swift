import FrameBudget
import FrameBudgetSimulation

extension TimeSpan {
  static func tenths(ofMilliseconds count: Int64) -> TimeSpan { .microseconds(count * 100) }
}

extension Scenario {
  /// One service, one workload of one step of 2.6 ms, drawing that always takes as long: 60 Hz.
  static func files(
    _ arrival: Arrival, render: TimeSpan = .zero, duration: TimeSpan, cores: Int = 1
  ) -> Scenario {
    let step = Step(name: "file", service: 0, load: .cpu(.constant(.tenths(ofMilliseconds: 26))))
    return Scenario(
      name: "files", display: Display(refresh: RefreshRate(60), render: .constant(render)),
      duration: duration, machine: Machine(cores: cores), services: [Service(name: "gallery")],
      workloads: [Workload(name: "file", arrival: arrival, steps: [step])])
  }

  /// The scenario `camera-upload` as the command line's contract prints it.
  static func cameraUpload(duration: TimeSpan = .seconds(10)) -> Scenario {
    let costs: [(String, ServiceIndex, Int64)] = [
      ("stat", 0, 300), ("hash", 1, 1200), ("insert", 2, 800), ("enqueue", 3, 300),
    ]
    let steps = costs.map { name, service, microseconds in
      Step(name: name, service: service, load: .cpu(.constant(.microseconds(microseconds))))
    }
    let tap = Step(name: "tap", service: 2, load: .cpu(.constant(.microseconds(100))))
    return Scenario(
      name: "camera-upload",
      display: Display(refresh: RefreshRate(60), render: .constant(.milliseconds(10))),
      duration: duration, warmup: .milliseconds(300), seed: 42, machine: Machine(cores: 2),
      services: [
        Service(name: "gallery"), Service(name: "hasher"),
        Service(name: "catalogue", records: 20_000), Service(name: "uploader"),
      ],
      workloads: [
        Workload(
          name: "add-file", arrival: .once(2500, start: .seconds(1)), steps: steps,
          result: .constant(.microseconds(1))),
        Workload(
          name: "tap", arrival: .batch(1, every: .seconds(1), start: .milliseconds(1500)),
          steps: [tap], priority: .user, respondWithin: .milliseconds(100)),
      ],
      reads: [UIRead(service: 2, cpu: .constant(.microseconds(20)))])
  }

  /// A run of this scenario under `arrangement`, all costs but the work itself being 0.
  func run(
    _ arrangement: Arrangement, costs: Costs = .none, scheduling: Scheduling = .fair,
    detail: FrameLedger.Detail = .summary
  ) -> RunLog {
    let plan = RunPlan(self, under: Strategy(name: "test", arrangement: arrangement))
    return VirtualEngine(costs: costs, detail: detail, scheduling: scheduling).run(plan)
  }

  /// A run of this scenario under a strategy of the catalogue.
  func run(
    _ name: String, _ options: [(key: String, value: String)] = [], costs: Costs = .standard,
    scheduling: Scheduling = .fair
  ) throws -> RunLog {
    let strategy = try StrategyCatalog.strategy(name, options: options, for: self)
    return VirtualEngine(costs: costs, scheduling: scheduling).run(
      RunPlan(self, under: strategy))
  }

  /// Every service at home on one lane beside the main thread's; the UI reads nothing.
  func inBackground(nice: Int = 0) -> Arrangement {
    var arrangement = Arrangement.onMain(self)
    arrangement.lanes.append(Lane(name: "background", carrier: .scheduler, nice: nice))
    arrangement.placement = services.mapValues { _ in .home(1) }
    return arrangement
  }
}

extension Arrangement {
  /// The first of three services on the main thread, and a thread for each of the others, `lane` for the second one.
  static func threeServices(_ scenario: Scenario, a lane: Lane? = nil) -> Arrangement {
    var arrangement = Arrangement.onMain(scenario)
    arrangement.lanes += [
      lane ?? Lane(name: "a", carrier: .scheduler), Lane(name: "b", carrier: .scheduler),
    ]
    arrangement.placement = [.home(.main), .home(1), .home(2)]
    arrangement.returning = .drained(budget: .ms(2))
    return arrangement
  }
}
