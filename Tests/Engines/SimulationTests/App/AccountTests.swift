import FrameBudget
import FrameBudgetSimulation
import Testing

/// Nice values that change while the app runs.
@Suite struct AccountTests {
  /// Two accounts compute all the time on one core, which the user looks at in turn; drawing takes next to nothing.
  private func work(switches: [Accounts.Switch], nice: String = "10") throws -> [TimeSpan] {
    let scenario = Scenario(
      name: "accounts",
      display: Display(refresh: RefreshRate(60), render: .none),
      duration: .seconds(4), machine: Machine(cores: 1),
      services: [Service(name: "a", account: 0), Service(name: "b", account: 1)],
      accounts: Accounts(names: ["a", "b"], switches: switches),
      workloads: [ServiceIndex(0), 1].map { service in
        let load = Step.Load.cpu(.constant(.seconds(10)))
        return Workload(
          name: "compute\(service)", arrival: .once(1, start: .zero),
          steps: [Step(name: "compute", service: service, load: load)])
      })
    let log = try scenario.run("schedulable-accounts", [(key: "nice", value: nice)])
    return log.totals.threads.map(\.cpu)
  }

  @Test func `the account that the user looks at has the core by weight`() throws {
    let cpu = try work(switches: [])
    // 1024 to 110: Linux's weights of the nice values 0 and 10.
    let share = Double(cpu[1].nanoseconds) / Double((cpu[1] + cpu[2]).nanoseconds)
    #expect(abs(share - 1024.0 / 1134) < 0.005, "\(share)")
  }

  @Test func `a switch in the middle gives both the same`() throws {
    let cpu = try work(switches: [.init(at: .seconds(2), to: 1)])
    let share = Double(cpu[1].nanoseconds) / Double((cpu[1] + cpu[2]).nanoseconds)
    #expect(abs(share - 0.5) < 0.005, "\(share)")
  }

  @Test func `switching to the same account changes nothing`() throws {
    #expect(try work(switches: [.init(at: .seconds(2), to: 0)]) == work(switches: []))
  }
}
