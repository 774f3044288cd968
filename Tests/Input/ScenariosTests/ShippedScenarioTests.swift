import FrameBudget
import FrameBudgetScenarios
import Testing

struct ShippedScenarioTests {
  @Test func `the list has every file of the folder and no other`() throws {
    let listed = Set(ShippedScenarios.all.map(\.name))
    let there = try Set(Folder.shipped.names(ending: ".yaml").map { $0.dropLast(".yaml".count) })
    for name in there where !listed.contains(String(name)) {
      let constant = name.replacing("-", with: "_") + "_yaml"
      Issue.record(
        """
        ShippedScenarios.swift lacks the line:
            ShippedScenario(name: "\(name)", bytes: PackageResources.\(constant)),
        """)
    }
    #expect(ShippedScenarios.all.count == there.count)
  }

  @Test(arguments: ShippedScenarios.all.map(\.name))
  func `the built-in scenarios are those of the folder`(name: String) throws {
    let shipped = try #require(ShippedScenarios.scenario(name))
    #expect(try shipped.bytes == Folder.shipped.bytes(of: shipped.file))
  }

  @Test(arguments: ShippedScenarios.all.map(\.name))
  func `a shipped file is a scenario of its file's name that says what it shows`(
    name: String
  ) throws {
    let shipped = try #require(ShippedScenarios.scenario(name))
    let scenario = try ScenarioFile.parse(shipped.bytes, file: shipped.file)
    #expect(scenario.name == name)
    #expect(!scenario.about.isEmpty)
    #expect(String(decoding: shipped.bytes, as: UTF8.self).hasPrefix("# Shows "))
    #expect(!scenario.strategies.isEmpty)
    #expect(!scenario.expectations.isEmpty)
  }

  @Test(arguments: ShippedScenarios.all.map(\.name))
  func `a file read once gives the scenario of each seed`(name: String) throws {
    let shipped = try #require(ShippedScenarios.scenario(name))
    let parsed = try ParsedScenario(shipped.bytes, file: shipped.file)
    let first = try parsed.scenario()
    for seed in [UInt64(0), 7, .max] {
      let change = Override(path: "seed", value: String(seed))
      let scenario = try ScenarioFile.parse(
        shipped.bytes, file: shipped.file, overrides: [change])
      #expect(scenario.seed == seed)
      #expect(try parsed.scenario([change]) == scenario)
      let other = try #require(first.having(seed: seed))
      #expect(other == scenario)
    }
  }

  @Test func `camera-upload equals the file printed in the contract`() throws {
    let shipped = try #require(ShippedScenarios.scenario("camera-upload"))
    let scenario = try ScenarioFile.parse(shipped.bytes, file: shipped.file)
    #expect(
      scenario.display == Display(refresh: RefreshRate(60), render: .constant(.milliseconds(10))))
    #expect(scenario.duration == .seconds(10))
    #expect(scenario.seed == 42)
    #expect(scenario.services.map(\.records) == [0, 0, 20_000, 0])
    #expect(
      scenario.workloads.map(\.arrival) == [
        .once(2500, start: .seconds(1)),
        .batch(1, every: .seconds(1), start: .milliseconds(1500)),
      ])
    let file = try #require(scenario.workloads.first)
    #expect(file.steps.reduce(.zero) { $0 + $1.load.duration.mean } == .microseconds(2600))
    #expect(scenario.workloads.map(\.respondWithin) == [nil, .milliseconds(100)])
    #expect(
      scenario.strategies.map(\.label) == [
        "main-thread", "throttled:batch=1000:interval=5 s", "time-sliced", "threads-and-locks",
        "schedulable", "schedulable-priorities",
      ])
    #expect(scenario.expectations.count == 4)
  }

  @Test func `how apps look on each platform differs in the display alone`() throws {
    let names = ["like-ios", "like-android", "like-chrome"]
    let texts = try names.map { name in
      let shipped = try #require(ShippedScenarios.scenario(name))
      let lines = String(decoding: shipped.bytes, as: UTF8.self).split(separator: "\n")
      return lines.filter { line in
        !["#", "scenario:", "display:"].contains { line.hasPrefix($0) }
      }
    }
    #expect(texts.allSatisfy { $0 == texts[0] })
    let displays = try names.map { name in
      let shipped = try #require(ShippedScenarios.scenario(name))
      return try ScenarioFile.parse(shipped.bytes, file: shipped.file).display
    }
    #expect(Set(displays).count == 3)
    #expect(Set(displays.map(\.refresh)).count == 1 && Set(displays.map(\.render)).count == 1)
  }

  @Test func `an unknown name is not a shipped scenario`() {
    #expect(ShippedScenarios.scenario("camera") == nil)
  }
}
