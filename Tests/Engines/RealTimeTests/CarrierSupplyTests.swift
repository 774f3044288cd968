import CFrameBudgetLinux
import FrameBudget
import TestSupport
import Testing

@testable import FrameBudgetRealTime

@Suite struct `The supply of carriers` {
  private static let onNIO = Lane(name: "background", carrier: .nio)

  private static func arrangement(_ carriers: CarrierKind...) -> Arrangement {
    Arrangement(
      lanes: [.main] + carriers.map { Lane(name: $0.rawValue, carrier: $0) }, placement: [],
      entry: [])
  }

  @Test func `has every carrier except those of the frame loop and SwiftNIO`() {
    let missing = Set(CarrierKind.allCases).subtracting(CarrierSupply().kinds)
    #expect(missing == [.main, .nio])
  }

  @Test func `names a missing carrier and the build that has it, in one line`() throws {
    let lack = CarrierSupply().lack(for: Self.arrangement(.thread, .nio))
    let words = try #require(lack).description
    #expect(words.contains("no carrier 'nio'") && words.contains("make install"))
    #expect(!words.contains("\n"))
    #expect(CarrierSupply().lack(for: Self.arrangement(.thread, .dispatch)) == nil)
  }

  @Test func `starts lanes on a carrier that another module adds`() throws {
    let supply = CarrierSupply().adding(.nio, WaitingCarrier.self)
    #expect(supply.kinds == CarrierKind.allCases.filter { $0 != .main })
    #expect(supply.lack(for: Self.arrangement(.nio)) == nil)
    let carrier = try supply.start(Self.onNIO)
    #expect(carrier is WaitingCarrier)
    carrier.stop()
  }

  @Test func `starts neither a lane nor a run that needs a missing carrier`() throws {
    let lack = try #require(CarrierSupply().lack(of: .nio))
    #expect(throws: lack) { try CarrierSupply().start(Self.onNIO) }
    let scenario = TestScenario.make(files: 1)
    let strategy = try StrategyCatalog.strategy("event-loop", for: scenario)
    #expect(throws: RealEngineError.carrier(lack)) {
      try RealEngine().run(RunPlan(scenario, under: strategy))
    }
  }

  @Test func `starts no run with a lane on a core that this process may not use`() throws {
    let affinity = clinux_get_affinity()
    let missing = try #require(CoreSet.nameable.first { affinity >> UInt64($0) & 1 == 0 })
    let scenario = TestScenario.make(files: 1)
    var arrangement = try StrategyCatalog.strategy("schedulable", for: scenario).arrangement
    arrangement.lanes[1].cores = CoreSet([affinity.trailingZeroBitCount, missing])
    let plan = RunPlan(scenario, under: Strategy(name: "bound", arrangement: arrangement))
    let error = try #require(throws: RealEngineError.self) { try RealEngine().run(plan) }
    #expect("\(error)".hasPrefix("lane 'background' is to run on core \(missing), which this "))
  }
}
