import FrameBudget
import Testing

@Suite struct `An option of a lane` {
  private static let flush = LaneOption("flush", default: .milliseconds(5), "how often")
  private static let batch = LaneOption("batch", default: 10, in: 1...100, "how many")

  @Test func `says what it is, what it may be and what it is by default`() {
    #expect(LaneOption.operations.assignment == "operations=item")
    #expect(LaneOption.operations.allowed == "one of item, step")
    #expect(Self.flush.assignment == "flush=5 ms")
    #expect(Self.flush.allowed == "a duration such as 5 ms")
    #expect(Self.batch.allowed == "a whole number from 1 to 100")
  }

  @Test func `is read by what it is`() throws {
    var lane = Lane(name: "back", carrier: .operationQueue)
    lane[.operations] = try LaneOption.operations.value("step")
    #expect(lane.choice(.operations) == OperationUnit.step && lane.splitsSteps)
    lane[Self.flush] = try Self.flush.value("250 us")
    #expect(lane.timeSpan(Self.flush) == .microseconds(250))
    lane[Self.batch] = try Self.batch.value("7")
    #expect(lane.count(Self.batch) == 7)
  }

  @Test func `that is set to its default is as if it were not set`() throws {
    let plain = Lane(name: "back", carrier: .operationQueue)
    var lane = plain
    lane[.operations] = .choice("step")
    #expect(lane != plain)
    lane[.operations] = .choice("item")
    #expect(lane == plain && !lane.splitsSteps)
  }

  @Test(
    arguments: [
      (LaneOption.operations, "stp", "is not a value of 'operations'; did you mean 'step'?"),
      (.operations, "", "is not a value of 'operations'; allowed: item, step"),
      (Self.flush, "0 s", "is no time at all; allowed are durations above 0 s"),
      (Self.flush, "5", "has no unit; allowed are ns, us, ms, s or min"),
      (
        Self.batch, "101", "is not a value of 'batch'; allowed is a whole number from 1 to 100"
      ),
    ] as [(LaneOption, String, String)])
  func `refuses what it cannot be`(_ option: LaneOption, _ text: String, _ reason: String) {
    let error = #expect(throws: Quantity.Failure.self) { try option.value(text) }
    #expect(error?.reason == reason)
  }

  @Test(arguments: CarrierKind.allCases)
  func `has a name of its own among those of its carrier`(_ kind: CarrierKind) {
    let names = kind.description.options.map(\.name)
    #expect(Set(names + ["carrier", "nice", "width", "overtaking"]).count == names.count + 4)
    for option in kind.description.options {
      #expect((try? option.value("\(option.standard)")) == option.standard)
    }
  }
}
