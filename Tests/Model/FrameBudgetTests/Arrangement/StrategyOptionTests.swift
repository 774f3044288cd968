import FrameBudget
import Testing

@Suite struct `An option of a strategy` {
  private static let flush = StrategyOption("flush", default: .milliseconds(5), "how often")
  private static let batch = StrategyOption("batch", default: 10, in: 1...100, "how many")
  private static let factor = StrategyOption("factor", default: 1.5, in: 0.5...20, "how much")
  private static let isOn = StrategyOption("is-on", default: false, "whether")

  @Test func `states its meaning, its allowed values and its default`() {
    #expect(StrategyOption.operations.assignment == "operations=item")
    #expect(StrategyOption.operations.allowed == "one of item, step")
    #expect(Self.flush.assignment == "flush=5 ms")
    #expect(Self.flush.allowed == "a duration such as 5 ms, above 0 s")
    #expect(Self.batch.allowed == "a whole number from 1 to 100")
    #expect(Self.factor.assignment == "factor=1.5")
    #expect(Self.isOn.assignment == "is-on=off" && Self.isOn.allowed == "on or off")
  }

  @Test func `is parsed by its type`() throws {
    var lane = Lane(name: "back", carrier: .operationQueue)
    lane.options[.operations] = try StrategyOption.operations.value("step")
    #expect(lane.options.choice(.operations) == OperationUnit.step && lane.splitsSteps)
    lane.options[Self.flush] = try Self.flush.value("250 us")
    #expect(lane.options.timeSpan(Self.flush) == .microseconds(250))
    lane.options[Self.batch] = try Self.batch.value("7")
    #expect(lane.options.count(Self.batch) == 7)
  }

  @Test func `that is set to its default equals one that is not set`() throws {
    let plain = Lane(name: "back", carrier: .operationQueue)
    var lane = plain
    lane.options[.operations] = .choice("step")
    #expect(lane != plain)
    lane.options[.operations] = .choice("item")
    #expect(lane == plain && !lane.splitsSteps)
  }

  @Test(
    arguments: [
      (
        StrategyOption.operations, "stp",
        "is not a value of option 'operations'; did you mean 'step'?"
      ),
      (.operations, "", "is not a value of option 'operations'; allowed: item, step"),
      (Self.flush, "0 s", "is not a value of option 'flush'; allowed: durations above 0 s"),
      (
        Self.flush, "5",
        "is not a value of option 'flush': it has no unit; allowed: ns, us, ms, s or min"
      ),
      (
        Self.batch, "101",
        "is not a value of option 'batch'; allowed: a whole number from 1 to 100"
      ),
      (
        Self.factor, "0.4999",
        "is not a value of option 'factor'; allowed: a number from 0.5 to 20"
      ),
      (Self.isOn, "yes", "is not a value of option 'is-on'; allowed: on or off"),
    ] as [(StrategyOption, String, String)])
  func `refuses values outside of its range`(
    _ option: StrategyOption, _ text: String, _ reason: String
  ) {
    let error = #expect(throws: Quantity.Failure.self) { try option.value(text) }
    #expect(error?.reason == reason)
  }

  @Test func `may be zero if its declaration allows it`() throws {
    let budget = StrategyOption("budget", default: .ms(2), canBeZero: true, "how long")
    #expect(try budget.value("0 s") == .duration(.zero))
    #expect(budget.allowed == "a duration such as 2 ms, or 0 s")
  }

  @Test(arguments: CarrierKind.allCases)
  func `has a unique name among the options of its carrier`(_ kind: CarrierKind) {
    let names = kind.description.options.map(\.name)
    #expect(Set(names + ["carrier", "nice", "width", "overtaking"]).count == names.count + 4)
    for option in kind.description.options {
      #expect((try? option.value("\(option.standard)")) == option.standard)
    }
  }
}
