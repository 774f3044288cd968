import FrameBudget
import FrameBudgetSimulation
import Testing

@testable import FrameBudgetAdvice

@Suite struct `The advice on random apps` {
  /// Slow: tries every possible arrangement.
  @Test(arguments: 100..<112)
  func `is the best of all arrangements, as an exhaustive search finds it`(_ seed: Int) throws {
    let request = RandomApp(seed: UInt64(seed), services: 2).request
    let advice = Adviser(request).advice()
    guard advice.verdict != .nothingToChange else { return }
    let best = BruteForce(advice.request, aims: advice.aims).best
    // One that does not hold in its own runs comes last.
    let least = advice.proposals.min { $0.trial.weight < $1.trial.weight }
    guard let first = least?.trial else { return #expect(best == nil) }
    // Two rules at once are tried only if one is not enough.
    guard let best else { return #expect((first.layout?.policies.count ?? 0) > 1) }
    #expect(first.arrangement == best.arrangement, "\(first.words)")
  }

  /// Beyond the limit for a full list, the search is a hill climb, and its result certainly reaches the aims.
  @Test func `reaches the aims if there are too many placements to try them all`() throws {
    let services = (0..<12).map { Service(name: "service-\($0)") }
    let workloads = (0..<4).map { place in
      Workload(
        name: "workload-\(place)", arrival: .once(60, start: .milliseconds(Int64(50 * place))),
        steps: (0..<3).map { step in
          Step(
            name: "step-\(step)", service: ServiceIndex(3 * place + step),
            load: .cpu(.constant(.microseconds(300))))
        })
    }
    let scenario = Scenario(
      name: "twelve",
      display: Display(refresh: RefreshRate(60), render: .constant(.milliseconds(6))),
      duration: .milliseconds(400), warmup: .zero, services: services, workloads: workloads)
    let request = AdviceRequest(
      scenario, today: Strategy(name: "main-thread", arrangement: .onMain(scenario)))
    let advice = Adviser(request).advice()
    #expect(advice.verdict == .change)
    #expect(!advice.count.isExhaustive && advice.count.placements == nil)
    let first = try #require(advice.proposals.first)
    #expect(first.trial.outcome.dropped == 0)
    #expect(try SmallerChange.services(advice) == [])
  }
}
