import Foundation
import FrameBudgetReports
import Testing

@testable import FrameBudgetCLI
@testable import frame_budget

struct `The command frame-budget` {
  @Test func `accepts both option notations, and passes the rest on`() throws {
    let options = try CommandOptions([
      "--baseline", "bases", "--filter=^A", "--filter", "B=C", "--format", "junit",
      "--update-baseline", "--", "--disable-sandbox", "--format", "x",
    ])
    #expect(options.baseline == "bases")
    #expect(options.filters == ["^A", "B=C"])
    #expect(options.format == .junit)
    #expect(options.updatesBaseline)
    #expect(options.testArguments == ["--disable-sandbox", "--format", "x"])
    #expect(options.workFolder == "./.build/frame-budget")
  }

  @Test(arguments: [
    ["--format", "yaml"], ["--baseline"], ["--update-baseline"], ["--nonsense"], ["word"],
    ["--filter", ""], ["--update-baseline=yes", "--baseline", "x"],
  ])
  func `refuses unknown options and values`(_ arguments: [String]) {
    let error = #expect(throws: CommandError.self) { try CommandOptions(arguments) }
    #expect(error?.status == .usage)
  }

  @Test func `names each of its formats and options in its help`() {
    for format in CommandOptions.Format.allCases {
      #expect(CommandOptions.help.contains(format.rawValue))
    }
  }

  @Test func `has the same exit codes as framebudget`() {
    for status in CommandStatus.allCases {
      #expect(ExitStatus(rawValue: status.rawValue).map { "\($0)" } == "\(status)")
    }
  }

  @Test func `exits as unsure if a check is unsure, even if its test failed`() {
    func status(_ outcomes: [FrameCheck.Outcome], _ havePassed: Bool) -> CommandStatus {
      let checks = outcomes.map { FrameCheck(test: "t", name: "c", value: "", outcome: $0) }
      return FrameBudgetCommand.status(FrameChecks(checks), havePassed)
    }
    #expect(status([.met], true) == .success)
    #expect(status([.met], false) == .failed)
    #expect(status([.met, .unsure], true) == .inconclusive)
    #expect(status([.met, .unsure], false) == .inconclusive)
    #expect(status([.unsure, .missed], true) == .failed)
    #expect(status([], true) == .inconclusive)
    #expect(status([], false) == .failed)
  }

  @Test func `finds the tagged tests in Swift Testing's event stream`() {
    let records = """
      {"kind":"test","payload":{"_tags":[".frameBudget"],"id":"AppTests.one()\\/One.swift:3:2","kind":"function"}}
      {"kind":"test","payload":{"tags":["AppTests.Tag.frameBudget"],"id":"AppTests.Suite","kind":"suite"}}
      {"kind":"test","payload":{"_tags":[".slow"],"id":"AppTests.two()\\/One.swift:4:2","kind":"function"}}
      {"kind":"test","payload":{"id":"AppTests.three()\\/One.swift:5:2","kind":"function"}}
      {"kind":"event","payload":{"kind":"runStarted"}}
      no record at all
      """
    #expect(
      TaggedTests.filters(in: Data(records.utf8)) == [
        #"^AppTests\.one\(\)"#, #"^AppTests\.Suite"#,
      ])
  }
}
