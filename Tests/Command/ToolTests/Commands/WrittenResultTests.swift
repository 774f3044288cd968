import Foundation
import TestSupport
import Testing

@testable import FrameBudgetCLI

/// `-o` of the commands that print one result.
@Suite struct `A result that is written to a file` {
  /// Each command with an input of its own; `doctor` has a test of its own, because it measures.
  private static let commands = ["import", "compare", "check", "list"]

  private func arguments(_ command: String, in scratch: Scratch) throws -> [String] {
    switch command {
    case "import":
      let header =
        "Application,ProcessID,SwapChainAddress,MsBetweenPresents,MsBetweenDisplayChange\n"
      try scratch.write(
        header + String(repeating: "app,1,0x0,16.7,16.7\n", count: 20), to: "log.csv")
      return [command, scratch.path("log.csv"), "--hz", "60"]
    case "compare":
      try ResultCommandsTests.run("base", in: scratch)
      return [command, scratch.path("base"), scratch.path("base")]
    case "check":
      try scratch.write(ShortScenario.text, to: "short.yaml")
      return [command, scratch.path("short.yaml")]
    default: return [command, "carriers"]
    }
  }

  @Test(arguments: commands, ["table", "csv", "json"])
  func `is what would have been printed, and never overwrites`(
    _ command: String, format: String
  ) throws {
    let scratch = try Scratch()
    let arguments = try arguments(command, in: scratch) + ["--format", format]
    let printed = try Performed(arguments + ["-q"])
    let target = ["-o", scratch.path("result")]
    let written = try Performed(arguments + target)
    #expect(printed.status == .success && written.status == .success, "\(printed.diagnostics)")
    #expect(written.output == "" && !printed.output.isEmpty)
    #expect(scratch.text("result") == printed.output)
    #expect(written.diagnostics.contains("the result is in \(scratch.path("result"))"))
    #expect(printed.diagnostics == "")
    let again = try Performed(arguments + target)
    #expect(again.status == .cannotCreate && again.output == "")
    #expect(scratch.text("result") == printed.output)
    if format == "json" {
      let json = try JSONSerialization.jsonObject(with: Data(printed.output.utf8))
      #expect(json is [String: Any])
    }
  }

  @Test(arguments: commands)
  func `has colours only where that is said`(_ command: String) throws {
    let scratch = try Scratch()
    let arguments = try arguments(command, in: scratch)
    let escape = "\u{1B}["
    #expect(try !Performed(arguments).output.contains(escape))
    let painted = try Performed(arguments + ["--color", "always"]).output
    // `check` reports everything in words.
    #expect(painted.contains(escape) == (command != "check"))
    _ = try Performed(arguments + ["-q", "-o", scratch.path("plain"), "--color", "auto"])
    #expect(scratch.text("plain")?.contains(escape) == false)
  }

  @Test func `of doctor is a row for each finding`() throws {
    let scratch = try Scratch()
    let doctor = try Performed(
      "doctor", "--format", "json", "-q", "-o", scratch.path("machine.json"))
    #expect(doctor.output == "" && doctor.diagnostics == "")
    let text = try #require(scratch.text("machine.json"))
    #expect(text.hasPrefix("{\n  \"schema\": 1,\n  \"findings\": [\n"))
    #expect(text.contains("\"name\": \"wake-up lateness\""))
  }

  @Test func `of check has what is wrong beside what is right`() throws {
    let scratch = try Scratch()
    try scratch.write("scenario: [", to: "broken.yaml")
    let check = try Performed("check", scratch.path("broken.yaml"), "steady", "--format", "csv")
    #expect(check.status == .badInput)
    #expect(check.diagnostics.contains("broken.yaml:1:"))
    let lines = check.output.split(separator: "\n")
    #expect(
      lines[0]
        == "schema,scenario,ok,refresh_hz,duration_ms,services,workloads,strategies,doubts,error")
    #expect(lines[1].hasPrefix("1,\(scratch.path("broken.yaml")),0,,,,,,,\"\(scratch.root)"))
    #expect(try #require(lines.last).hasPrefix("1,steady,1,60,"))
    #expect(try Performed("check", "steady", "--sketch", "--format", "csv").status == .usage)
  }

  @Test func `of list has a row for each option`() throws {
    let list = try Performed("list", "strategies", "--format", "csv").output
    #expect(list.hasPrefix("schema,topic,name,option,default,allowed,unit,"))
    #expect(list.contains("\n1,strategies,throttled,batch,1000,a whole number from 1 to 1000000,"))
    let json = try Performed("list", "--format", "json").output
    #expect(json.contains("\"option\": \"flush\",\n      \"default\": \"5 ms\""))
  }

  @Test func `is not begun where its place is taken, and not left where a command fails`() throws {
    let scratch = try Scratch()
    let target = ["-o", scratch.path("result")]
    #expect(try Performed(["import", scratch.path("none")] + target).status == .noInput)
    #expect(scratch.names() == [])
    try scratch.write("mine", to: "result")
    #expect(try Performed(["check", "steady"] + target).status == .cannotCreate)
    #expect(scratch.text("result") == "mine" && scratch.names() == ["result"])
  }
}
