import FrameBudget
import Testing

@testable import FrameBudgetAdvice

@Suite struct NewestPolicyTests {
  private static func scenario(_ admission: NewestRule?) -> Scenario {
    var typed = Workload(
      name: "key", arrival: .batch(1, every: .milliseconds(100), start: .zero),
      steps: [Step(name: "search", service: 0, load: .cpu(.constant(.milliseconds(60))))],
      priority: .user)
    typed.admission = admission
    return Scenario(
      name: "typing", display: Display(refresh: RefreshRate(60)), duration: .seconds(1),
      services: [Service(name: "index")], workloads: [typed])
  }

  /// Input that must all be done is never dropped.
  @Test func `rules for newer items are offered only where they may replace others`() {
    func offered(_ admission: NewestRule?) -> Int {
      let scenario = Self.scenario(admission)
      let today = Arrangement.onMain(scenario)
      return Policy.all(in: scenario).count { policy in
        policy.applied(to: today, of: scenario).map { $0.newest != nil } ?? false
      }
    }
    #expect(offered(nil) == 0)
    #expect(offered(.all) == 3)
    // The app has such a rule already.
    #expect(offered(.latest) == 0)
  }

  @Test func `each has words`() {
    let scenario = Self.scenario(.all)
    let space = Policy.all(in: scenario).filter {
      $0.applied(to: .onMain(scenario), of: scenario)?.newest != nil
    }
    #expect(
      space.map(\.words) == [
        "let a newer item end older ones", "start the newest item each 100 ms",
        "start the newest item after 300 ms without another",
      ])
  }
}
