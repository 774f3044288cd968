import FrameBudget
import FrameBudgetSimulation
import TestSupport
import Testing

@testable import FrameBudgetAdvice

@Suite struct ExplanationTests {
  private static let services = 4

  /// Two workloads that share services, for a second, with a random amount of each cost.
  private static func app(_ numbers: inout RandomNumbers) -> Scenario {
    let workloads = (0..<2).map { place in
      Workload(
        name: "workload-\(place)",
        arrival: .batch(1, every: .milliseconds(40), start: .milliseconds(Int64(10 * place))),
        steps: (0..<2).map { step in
          Step(
            name: "step-\(step)", service: ServiceIndex(2 * place + step),
            load: .cpu(.constant(.microseconds(Int64(900 + numbers.next(below: 300))))))
        })
    }
    return Scenario(
      name: "app",
      display: Display(
        refresh: RefreshRate(60),
        render: .constant(.microseconds(Int64(6000 + numbers.next(below: 1000))))),
      duration: .milliseconds(480), warmup: .zero,
      services: (0..<services).map { Service(name: "service-\($0)") }, workloads: workloads)
  }

  /// All costs a little different, and one part of it much worse.
  private static func regression(
    of before: Scenario, in part: Part, _ numbers: inout RandomNumbers
  ) -> Scenario {
    var after = before.costing(1.001)
    switch part {
    case .service(let name):
      let index = after.services.firstIndex { $0.name == name }
      after = after.costing(9, in: Set([index].compactMap(\.self)))
    case .drawing:
      after.display.render = .constant(.milliseconds(Int64(18 + numbers.next(below: 4))))
    default:
      for workload in after.workloads.indices {
        after.workloads[workload].arrival = .batch(
          12 + numbers.next(below: 6), every: .milliseconds(60), start: .milliseconds(5))
      }
    }
    return after
  }

  private static func strategy(_ scenario: Scenario) -> Strategy {
    Strategy(name: "main-thread", arrangement: .onMain(scenario))
  }

  @Test(arguments: 0..<100)
  func `a planted regression is named first, and the shares add up`(_ seed: Int) throws {
    var numbers = RandomNumbers(seed: UInt64(seed))
    let before = Self.app(&numbers)
    let parts: [Part] =
      before.services.map { .service($0.name) } + [.drawing, .arrivals]
    let planted = parts[numbers.next(below: parts.count)]
    let after = Self.regression(of: before, in: planted, &numbers)
    let explanation = try #require(
      Explanation(
        before: before, under: Self.strategy(before), after: after, under: Self.strategy(after)))
    #expect(explanation.after > explanation.before)
    #expect(explanation.shares.first?.part == planted)
    #expect(explanation.shares.allSatisfy { $0.error == nil })
    let denominators = Set(explanation.shares.map(\.denominator))
    #expect(denominators.count == 1)
    #expect(
      explanation.shares.map(\.numerator).reduce(0, +)
        == (explanation.after - explanation.before) * (denominators.first ?? 1))
  }

  @Test func `mixing all changed parts gives the new app, mixing none gives the old one`() throws {
    var numbers = RandomNumbers(seed: 5)
    let before = Self.app(&numbers)
    var after = Self.regression(of: before, in: .arrivals, &numbers)
    // A service and a workload that are new, a step that is gone, another machine.
    after.services.append(Service(name: "new"))
    after.workloads.append(
      Workload(
        name: "late", arrival: .once(3, start: .milliseconds(300)),
        steps: [Step(name: "new", service: 4, load: .cpu(.constant(.milliseconds(9))))]))
    after.workloads[0].steps.removeLast()
    after.machine = Machine(cores: 1)
    let mixed = MixedApp(
      before: .init(scenario: before, arrangement: .onMain(before)),
      after: .init(scenario: after, arrangement: .onMain(after)))
    // The work of the new service comes with the items that need it.
    #expect(!mixed.parts.contains(.service("new")) && !mixed.parts.contains(.arrangement))
    #expect(Set(mixed.parts).isSuperset(of: [.arrivals, .settings, .service("service-1")]))
    for (parts, whole) in [(Set<Part>(), mixed.before), (Set(mixed.parts), mixed.after)] {
      let side = mixed.side(with: parts)
      let runner = ArrangementRunner(scenario: side.scenario, costs: .standard, aims: [])
      let given = ArrangementRunner(scenario: whole.scenario, costs: .standard, aims: [])
      #expect(runner.outcome(side.arrangement).dropped == given.outcome(whole.arrangement).dropped)
    }
  }

  @Test func `a changed arrangement is a part of its own`() throws {
    var numbers = RandomNumbers(seed: 8)
    let before = Self.app(&numbers)
    let after = Self.regression(of: before, in: .arrivals, &numbers)
    let moved = try StrategyCatalog.strategy("schedulable", for: after)
    let explanation = try #require(
      Explanation(before: before, under: Self.strategy(before), after: after, under: moved))
    #expect(explanation.shares.contains { $0.part == .arrangement && $0.numerator < 0 })
    let sum = explanation.shares.map(\.numerator).reduce(0, +)
    let denominator = explanation.shares.first?.denominator ?? 1
    #expect(sum == (explanation.after - explanation.before) * denominator)
  }

  @Test func `with more than eight parts, orders are sampled and the shares still add up`() {
    let shapley = Shapley(10, seed: 3)
    // The effects of single parts, and an effect that two parts have only together.
    let worth = { (set: Set<Int>) in
      set.reduce(0) { $0 + $1 } + (set.isSuperset(of: [8, 9]) ? 20 : 0)
    }
    let shares = shapley.shares(worth)
    #expect(shares.map(\.numerator).reduce(0, +) == worth(Set(0..<10)) * shares[0].denominator)
    for part in 0..<8 {
      #expect(shares[part].numerator == part * shares[part].denominator)
      #expect(shares[part].error == 0)
    }
    // An order and its reverse give each of the two the same: half of their joint effect.
    #expect(Double(shares[9].numerator) / Double(shares[9].denominator) == 19)
  }

  @Test func `with eight parts, the shares are computed over all orders`() {
    let worth = { (set: Set<Int>) in set.count * set.count + (set.contains(3) ? 7 : 0) }
    let shares = Shapley(4, seed: 0).shares(worth)
    // Symmetric but for one of them: 16 among four, and 7 for that one.
    #expect(shares.map { Double($0.numerator) / Double($0.denominator) } == [4, 4, 4, 11])
  }

  @Test func `a single app is explained by the frames that it drops without each part`() throws {
    var numbers = RandomNumbers(seed: 2)
    let app = Self.regression(of: Self.app(&numbers), in: .service("service-1"), &numbers)
    let inventory = try #require(Inventory(of: app, under: Self.strategy(app)))
    #expect(inventory.whole.dropped > 0)
    let least = try #require(inventory.effects.min { $0.without.dropped < $1.without.dropped })
    #expect([Part.service("service-1"), .workload("workload-0"), .drawing].contains(least.part))
    let service = try #require(inventory.effects.first { $0.part == .service("service-1") })
    #expect(service.without.dropped < inventory.whole.dropped)
    #expect(inventory.effects.count == 4 + 2 + 1)
  }

  @Test func `a part of drawing that makes frames late is named`() throws {
    var numbers = RandomNumbers(seed: 3)
    var app = Self.app(&numbers)
    app.display.render = .constant(.milliseconds(2))
    app.frameParts = [
      FramePart(name: "bind-rows", cpu: .uniform(from: .zero, to: .milliseconds(30))),
      FramePart(name: "measure", cpu: .constant(.milliseconds(1))),
    ]
    let inventory = try #require(Inventory(of: app, under: Self.strategy(app)))
    #expect(inventory.whole.dropped > 0)
    let least = try #require(inventory.effects.min { $0.without.dropped < $1.without.dropped })
    #expect(least.part == .framePart("bind-rows"))
    #expect("\(least.part)" == "part bind-rows")
    #expect(least.without.dropped == 0)
    #expect(inventory.effects.count == 4 + 2 + 3)
  }

  @Test func `between two apps, a part of drawing that grew accounts for the difference`() throws {
    var numbers = RandomNumbers(seed: 4)
    var before = Self.app(&numbers)
    before.display.render = .constant(.milliseconds(2))
    before.frameParts = [FramePart(name: "bind-rows", cpu: .constant(.milliseconds(2)))]
    var after = before.costing(1.001)
    after.frameParts = [
      FramePart(name: "bind-rows", cpu: .constant(.milliseconds(20))),
      FramePart(name: "inflate", cpu: .constant(.microseconds(20))),
    ]
    let explanation = try #require(
      Explanation(
        before: before, under: Self.strategy(before), after: after, under: Self.strategy(after)))
    #expect(explanation.after > explanation.before)
    #expect(explanation.shares.first?.part == .framePart("bind-rows"))
    #expect(explanation.shares.contains { $0.part == .framePart("inflate") })
    let denominator = explanation.shares.first?.denominator ?? 1
    #expect(
      explanation.shares.map(\.numerator).reduce(0, +)
        == (explanation.after - explanation.before) * denominator)
  }
}
