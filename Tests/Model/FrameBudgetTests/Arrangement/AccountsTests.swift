import FrameBudget
import Testing

@Suite struct AccountsTests {
  private static let scenario: Scenario = {
    var scenario = Scenario.with(services: 3)
    scenario.services[0].account = 0
    scenario.services[1].account = 1
    scenario.accounts = Accounts(
      names: ["work", "home"], first: 1,
      switches: [.init(at: .seconds(2), to: 0), .init(at: .seconds(3), to: 1)])
    return scenario
  }()

  private func arrangement(_ scenario: Scenario) throws -> Arrangement {
    try StrategyCatalog.strategy(
      "schedulable-accounts", options: [(key: "nice", value: "7")], for: scenario
    ).arrangement
  }

  @Test
  func `an account's lane has a higher nice value while another account is shown`()
    throws
  {
    let lanes = try arrangement(Self.scenario).lanes
    #expect(lanes.map(\.name) == ["main", "work", "home", "background"])
    #expect(lanes.map(\.nice) == [0, 7, 0, 0])
    #expect(lanes[1].renices == [.init(at: .seconds(2), to: 0), .init(at: .seconds(3), to: 7)])
    #expect(lanes[2].renices == [.init(at: .seconds(2), to: 7), .init(at: .seconds(3), to: 0)])
    #expect(lanes[3].renices == [])
    let values = [1, 2, 3].map { lanes[1].nice(at: .seconds($0)) }
    #expect(values == [7, 0, 7])
  }

  @Test func `services run on the lane of their account, all others on one lane`() throws {
    #expect(try arrangement(Self.scenario).placement == [.home(1), .home(2), .home(3)])
    let plain = Scenario.with(services: 2)
    #expect(try arrangement(plain).lanes.map(\.name) == ["main", "background"])
    #expect(try arrangement(plain).placement == [.home(1), .home(1)])
  }

  @Test func `of changes at the same instant, those that lower a nice value come first`() throws {
    let strategy = try StrategyCatalog.strategy("schedulable-accounts", for: Self.scenario)
    var schedule = ReniceSchedule(RunPlan(Self.scenario, under: strategy))
    let early = schedule.next(atOrBefore: .zero + .milliseconds(1999))
    #expect(early == nil)
    let first = schedule.next(atOrBefore: .zero + .seconds(5))
    #expect(first?.lane == 1 && first?.nice == 0)
    if let first { schedule.skip(with: first) }
    let second = schedule.next(atOrBefore: .zero + .seconds(5))
    #expect(second?.lane == 2 && second?.nice == 0)
    let third = schedule.next(atOrBefore: .zero + .seconds(5))
    #expect(third?.lane == 1 && third?.nice == 10)
    let last = schedule.next(atOrBefore: .zero + .seconds(5))
    #expect(last == nil)
  }

  @Test(arguments: CarrierKind.allCases.filter { $0 != .main })
  func `only lanes with their own threads can change their nice value`(carrier: CarrierKind) {
    var arrangement = Arrangement.onMain(Self.scenario)
    var lane = Lane(name: "back", carrier: carrier)
    lane.renices = [.init(at: .seconds(1), to: 5)]
    arrangement.lanes.append(lane)
    if [.thread, .scheduler].contains(carrier) {
      #expect(throws: Never.self) { try arrangement.validate(for: Self.scenario) }
    } else {
      #expect(throws: ArrangementError.self) { try arrangement.validate(for: Self.scenario) }
    }
  }
}
