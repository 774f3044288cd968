import FrameBudget
import TestSupport

@testable import FrameBudgetAdvice

/// An app of up to three services, drawn from a seed, that does everything on main.
struct RandomApp {
  private(set) var request: AdviceRequest

  init(seed: UInt64, services most: Int = 3) {
    var numbers = RandomNumbers(seed: seed)
    let count = 1 + numbers.next(below: most)
    let services = (0..<count).map {
      Service(name: "service-\($0)", records: numbers.next(below: 2) * 500)
    }
    let workloads = (0..<(1 + numbers.next(below: 2))).map { place in
      Workload(
        name: "workload-\(place)", arrival: Self.arrival(&numbers),
        steps: (0..<(1 + numbers.next(below: 3))).map { step in
          Step(
            name: "step-\(step)", service: ServiceIndex(numbers.next(below: count)),
            load: .cpu(.constant(.microseconds(Int64(10 + numbers.next(below: 4000))))))
        },
        priority: numbers.next(below: 2) == 0 ? .user : .background,
        respondWithin: numbers.next(below: 2) == 0 ? .milliseconds(100) : nil)
    }
    let scenario = Scenario(
      name: "random",
      display: Display(
        refresh: RefreshRate(60),
        render: .constant(.microseconds(Int64(numbers.next(below: 9000))))),
      duration: .milliseconds(600), warmup: .zero, seed: seed,
      machine: Machine(cores: 1 + numbers.next(below: 2)), services: services,
      workloads: workloads,
      reads: numbers.next(below: 2) == 0
        ? [] : [UIRead(service: 0, cpu: .constant(.microseconds(20)))])
    request = AdviceRequest(
      scenario, today: Strategy(name: "main-thread", arrangement: .onMain(scenario)))
  }

  private static func arrival(_ numbers: inout RandomNumbers) -> Arrival {
    let start = TimeSpan.milliseconds(Int64(numbers.next(below: 300)))
    switch numbers.next(below: 3) {
    case 0: return .once(1 + numbers.next(below: 150), start: start)
    case 1:
      return .batch(
        1 + numbers.next(below: 20), every: .milliseconds(Int64(20 + numbers.next(below: 100))),
        start: start)
    default: return .rate(perSecond: Double(1 + numbers.next(below: 100)), start: start)
    }
  }
}
