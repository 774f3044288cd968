import Foundation
import FrameBudget
import FrameBudgetScenarios
import TestSupport
import Testing

@testable import FrameBudgetCLI

struct `framebudget init` {
  @Test func `writes a scenario that checks, runs, and holds what it expects`() throws {
    let scratch = try Scratch()
    let written = try Performed("init", scratch.path("gallery"))
    #expect(written.status == .success)
    #expect(written.output.contains("framebudget check \(scratch.path("gallery.yaml"))\n"))
    let text = try #require(scratch.text("gallery.yaml"))
    #expect(text.contains("\nscenario: gallery\n"))
    #expect(try Performed("check", scratch.path("gallery.yaml")).status == .success)
    let run = try Performed("run", scratch.path("gallery.yaml"), "--engine", "virtual")
    #expect(run.status == .success, "\(run.diagnostics)")
  }

  @Test func `its scenario shows a hang and a way out`() throws {
    let scenario = try ScenarioFile.parse(
      Array(StarterScenario.text(name: "start").utf8), file: "start.yaml")
    #expect(scenario.services.count == 3)
    #expect(scenario.workloads.contains { $0.respondWithin != nil })
    #expect(scenario.strategies.map(\.name).contains("main-thread"))
    #expect(!scenario.expectations.isEmpty)
  }

  @Test(arguments: ShippedScenarios.all.map(\.name))
  func `a shipped scenario comes under a name of its own`(name: String) throws {
    let scratch = try Scratch()
    let written = try Performed("init", scratch.path("mine.yaml"), "--from", name)
    #expect(written.status == .success, "\(written.diagnostics)")
    let bytes = Array(try #require(scratch.text("mine.yaml")).utf8)
    let scenario = try ScenarioFile.parse(bytes, file: "mine.yaml")
    #expect(scenario.name == "mine")
    let file = try #require(ShippedScenarios.scenario(name))
    let shipped = try ScenarioFile.parse(file.bytes, file: file.file)
    #expect(scenario.about == shipped.about)
    #expect(scenario.workloads.map(\.steps) == shipped.workloads.map(\.steps))
    #expect(scenario.strategies.map(\.label) == shipped.strategies.map(\.label))
    #expect(scenario.strategies.map(\.arrangement) == shipped.strategies.map(\.arrangement))
  }

  @Test func `never writes over a file`() throws {
    let scratch = try Scratch()
    try scratch.write("mine", to: "gallery.yaml")
    let refused = try Performed("init", scratch.path("gallery"))
    #expect(refused.status == .cannotCreate)
    #expect(scratch.text("gallery.yaml") == "mine")
  }

  @Test func `refuses invalid names, and scenarios that are not shipped`() throws {
    let scratch = try Scratch()
    let spaced = try Performed("init", scratch.path("my app"))
    #expect(spaced.status == .usage)
    #expect(spaced.diagnostics.contains("'my app' is not a name"))
    let unknown = try Performed("init", scratch.path("mine"), "--from", "camera-uplaod")
    #expect(unknown.status == .usage)
    #expect(unknown.diagnostics.contains("did you mean 'camera-upload'?"))
    #expect(scratch.names() == [])
  }
}
