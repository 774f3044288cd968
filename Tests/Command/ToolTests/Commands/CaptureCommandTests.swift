import Foundation
import FrameBudget
import TestSupport
import Testing

@testable import FrameBudgetCLI

/// Several captures of one app, made before and after a change.
struct CaptureCommandTests {
  /// A capture of 300 images at 60 Hz, of which `late` stay for two vsyncs.
  static func capture(_ late: Int, process: Int, name: String = "app.exe") -> String {
    "Application,ProcessID,SwapChainAddress,MsBetweenPresents,MsBetweenDisplayChange,Processor,GPU\n"
      + (0..<300).map { row in
        let time = row > 0 && row <= late ? 33.3333 : 16.6667
        let facts = row == 0 ? "P \(name),G" : ","
        return "\(name),\(process),0x\(process),\(time),\(time),\(facts)\n"
      }.joined()
  }

  /// Imports captures into `name`.
  static func take(
    _ lates: [Int], as name: String, in scratch: Scratch, _ options: String...,
    app: String = "app.exe"
  ) throws {
    let paths = try lates.enumerated().map { number, late in
      try scratch.write(
        capture(late, process: 100 * late + number, name: app), to: "\(name)-\(number).csv")
      return scratch.path("\(name)-\(number).csv")
    }
    let performed = try Performed(
      ["import"] + paths + ["--hz", "60", "-q", "-o", scratch.path(name)] + options)
    #expect(performed.status == .success, "\(performed.diagnostics)")
  }

  @Test func `captures of one app are repetitions, whatever their files and processes are called`()
    throws
  {
    let scratch = try Scratch()
    try Self.take([3, 1, 4], as: "before", in: scratch)
    try Self.take([15, 12, 16], as: "after", in: scratch)
    let compared = try Performed(
      "compare", scratch.path("before"), scratch.path("after"), "--format", "csv")
    #expect(compared.status == .failed, "\(compared.output)\(compared.diagnostics)")
    let row = try #require(
      compared.output.split(separator: "\n").first { $0.contains("dropped_frames_pct") })
    #expect(row.contains("app.exe") && row.contains("worse"), "\(row)")
    #expect(!compared.diagnostics.contains("machine"), "\(compared.diagnostics)")
    let same = try Performed("compare", scratch.path("before"), scratch.path("before"))
    #expect(same.status != .failed, "\(same.output)")
  }

  @Test func `captures of apps with different names have nothing in common, and --name helps`()
    throws
  {
    let scratch = try Scratch()
    try Self.take([3, 1, 4], as: "before", in: scratch)
    try Self.take([3, 1, 4], as: "after", in: scratch, app: "app-2.exe")
    let compared = try Performed("compare", scratch.path("before"), scratch.path("after"))
    #expect(compared.status == .badInput)
    #expect(
      compared.diagnostics.contains(
        "; 'framebudget import --name APP' gives captures on both sides the same name"),
      "\(compared.diagnostics)")
  }

  /// One more dropped frame in each of three captures is no proof: the counts of independent frames vary as much.
  @Test func `a difference of single frames is no regression`() throws {
    let scratch = try Scratch()
    try Self.take([1, 1, 1], as: "before", in: scratch)
    try Self.take([2, 2, 2], as: "after", in: scratch)
    let compared = try Performed("compare", scratch.path("before"), scratch.path("after"))
    #expect(compared.status != .failed, "\(compared.output)")
  }

  @Test func `a name joins captures of processes with other names, and other machines are noted`()
    throws
  {
    let scratch = try Scratch()
    try Self.take([3, 1, 4], as: "before", in: scratch, app: "old.exe")
    try Self.take([15, 12, 16], as: "after", in: scratch, app: "new.exe")
    let apart = try Performed("compare", scratch.path("before"), scratch.path("after"))
    #expect(apart.status == .badInput)
    try Self.take([3, 1, 4], as: "before-named", in: scratch, "--name", "app", app: "old.exe")
    try Self.take([15, 12, 16], as: "after-named", in: scratch, "--name", "app", app: "new.exe")
    let together = try Performed(
      "compare", scratch.path("before-named"), scratch.path("after-named"))
    #expect(together.status == .failed, "\(together.output)\(together.diagnostics)")
    #expect(
      together.diagnostics.contains(
        "the results are of different machines, which may explain a difference: base: P old.exe, G; new: P new.exe, G"
      ),
      "\(together.diagnostics)")
  }

  @Test func `-o writes CSV unless --format says otherwise`() throws {
    let scratch = try Scratch()
    try Self.take([1], as: "table", in: scratch, "--format", "table")
    try Self.take([1], as: "plain", in: scratch)
    #expect(scratch.text("table")?.contains("superseded") == true)
    #expect(scratch.text("table")?.hasPrefix("schema,") == false)
    #expect(scratch.text("plain")?.hasPrefix("schema,") == true)
  }

  /// The shares were counted from the column of the logs: vsyncs without an image, of all after the first image.
  @Test(
    .enabled(if: Project.shared("data") != nil, "no folder shared/data at or above the package"))
  func `the captures before and after a change are worse, with status 1`() throws {
    let folder = try #require(Project.shared("data")) + "/cases/two-captures"
    let scratch = try Scratch()
    for (name, shares) in [("before", [1.32, 0.5, 1.16]), ("after", [4.62, 3.7, 4.77])] {
      let paths = (1...3).map { "\(folder)/\(name)-\($0).csv" }
      let imported = try Performed(
        ["import"] + paths + ["--hz", "60", "-q", "-o", scratch.path(name)])
      #expect(imported.status == .success)
      let json = try Performed(["import"] + paths + ["--hz", "60", "-q", "--format", "json"]).output
      let found = json.matches(of: #/"dropped_frames_pct": ([\d.]+)/#).compactMap { Double($0.1) }
      #expect(found.map { ($0 * 100).rounded() / 100 } == shares)
    }
    let compared = try Performed("compare", scratch.path("before"), scratch.path("after"))
    #expect(compared.status == .failed, "\(compared.output)\(compared.diagnostics)")
    #expect(compared.output.contains("worse") && compared.output.contains("app.exe"))
  }
}
