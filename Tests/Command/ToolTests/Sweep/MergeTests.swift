import Foundation
import TestSupport
import Testing

@testable import FrameBudgetCLI

struct `Shards of a sweep` {
  private func shards(_ count: Int, _ sweep: SweepFixture, more: [String] = []) throws -> [String] {
    try (1...count).map { number in
      let folder = sweep.path("of\(count)/\(number)")
      let run = try sweep.run(["--shard", "\(number)/\(count)", "-o", folder, "-q"] + more)
      #expect(run.status == .success, "\(run.diagnostics)")
      return folder
    }
  }

  @Test(arguments: [1, 2, 7, 64])
  func `merged have the bytes of one process`(_ count: Int) throws {
    let sweep = try SweepFixture()
    #expect(try sweep.run("-o", sweep.path("whole")).status == .success)
    let folders = try shards(count, sweep)
    // In any order.
    let merged = try Performed(["merge"] + folders.reversed() + ["-o", sweep.path("all")])
    #expect(merged.status == .success, "\(merged.diagnostics)")
    #expect(sweep.content(of: "all") == sweep.content(of: "whole"))
  }

  @Test(arguments: ["shards", "runs"], ["1000000000000000", "9223372036854775807"])
  func `with an impossible number are refused, not counted`(
    _ key: String, _ number: String
  ) throws {
    let sweep = try SweepFixture()
    let folder = try shards(1, sweep)[0]
    let manifest = try #require(sweep.scratch.text("of1/1/sweep.json"))
    let changed = manifest.replacing(try Regex("\"\(key)\": [0-9]+")) { _ in
      "\"\(key)\": \(number)"
    }
    #expect(changed != manifest)
    try sweep.scratch.write(changed, to: "of1/1/sweep.json")
    let merged = try Performed("merge", folder, "-o", sweep.path("all"))
    #expect(merged.status == .badInput)
    #expect(merged.diagnostics.contains("is not a sweep manifest"))
  }

  @Test func `are refused if a file of one does not end`() throws {
    let sweep = try SweepFixture()
    let folder = try shards(1, sweep)[0]
    let summary = "\(folder)/summary.csv"
    try FileManager.default.removeItem(atPath: summary)
    try FileManager.default.createSymbolicLink(
      atPath: summary, withDestinationPath: "/dev/zero")
    let merged = try Performed("merge", folder, "-o", sweep.path("all"))
    #expect(merged.status == .badInput)
    #expect(merged.diagnostics.contains("summary.csv was changed: it has more than"))
    #expect(!sweep.scratch.names().contains("all"))
  }

  @Test func `are merged with as many workloads as each run has`() throws {
    let sweep = try SweepFixture()
    let flags = ["--vary", "workloads.add-file.copies=1..5", "--repeat", "2"]
    #expect(try sweep.run(["-o", sweep.path("whole")], flags: flags).status == .success)
    let folders = try (1...3).map { number in
      let folder = sweep.path("\(number)")
      _ = try sweep.run(["--shard", "\(number)/3", "-o", folder], flags: flags)
      return folder
    }
    #expect(try Performed(["merge"] + folders + ["-o", sweep.path("all")]).status == .success)
    #expect(sweep.content(of: "all") == sweep.content(of: "whole"))
  }

  @Test func `that are missing are named, with the command that makes each`() throws {
    let sweep = try SweepFixture()
    let folders = try shards(7, sweep)
    let merged = try Performed(
      ["merge"] + folders[0..<2] + folders[3..<6] + ["-o", sweep.path("all")])
    #expect(merged.status == .failed)
    #expect(merged.diagnostics.contains("shard 3/7 is missing: framebudget run "))
    #expect(merged.diagnostics.contains("--shard 7/7 -o \(folders[6])\n"))
    #expect(!sweep.scratch.names().contains("all"))
    // The command in the message makes the shard.
    let command = try #require(
      merged.diagnostics.split(separator: "\n").first { $0.contains("shard 3/7") })
    try FileManager.default.removeItem(atPath: folders[2])
    let made = try BuiltTool(
      "framebudget() { $tool \"$@\"; }; \(command.drop { $0 != ":" }.dropFirst(2).drop { $0 != ":" }.dropFirst(2))"
    )
    #expect(made.status == 0, "\(made.diagnostics)")
  }

  @Test func `that are there twice are refused`() throws {
    let sweep = try SweepFixture()
    let folders = try shards(2, sweep)
    let merged = try Performed(["merge"] + folders + [folders[1], "-o", sweep.path("all")])
    #expect(merged.status == .badInput)
    #expect(merged.diagnostics.contains("shard 2/2 exists twice"))
  }

  @Test(
    arguments: [
      { (text: String) in String(text.dropLast(40)) }, { $0 + "one more\n" },
      { $0.replacing(",complete,", with: ",completf,") }, { _ in "" },
    ] as [@Sendable (String) -> String])
  func `that are damaged are refused`(_ damage: @Sendable (String) -> String) throws {
    for name in ["summary.csv", "workloads.csv"] {
      let sweep = try SweepFixture()
      let folders = try shards(2, sweep)
      let text = try #require(sweep.scratch.text("of2/2/\(name)"))
      try sweep.scratch.write(damage(text), to: "of2/2/\(name)")
      guard damage(text) != text else { continue }
      let merged = try Performed(["merge"] + folders + ["-o", sweep.path("all")])
      #expect(merged.status == .badInput)
      #expect(merged.diagnostics.contains("shard 2/2 in \(folders[1]) is damaged: \(name)"))
      #expect(merged.diagnostics.contains("--shard 2/2"))
      #expect(!sweep.scratch.names().contains("all"))
    }
  }

  @Test func `of another scenario, other options or another version are refused`() throws {
    let sweep = try SweepFixture()
    let folders = try shards(2, sweep)
    let foreign = sweep.path("foreign")
    func refused(_ words: String) throws {
      let merged = try Performed(["merge", folders[0], foreign, "-o", sweep.path("all")])
      #expect(merged.status == .badInput)
      #expect(merged.diagnostics.contains(words), "\(merged.diagnostics)")
      #expect(merged.diagnostics.contains("shard 2/2 in \(foreign)"))
      #expect(merged.diagnostics.contains("--shard 2/2"))
      try FileManager.default.removeItem(atPath: foreign)
    }
    _ = try sweep.run("--shard", "2/2", "-o", foreign, "--set", "display.refresh=90 Hz")
    try refused("other options")
    try FileManager.default.copyItem(atPath: folders[1], toPath: foreign)
    let manifest = try #require(sweep.scratch.text("foreign/sweep.json"))
    try sweep.scratch.write(
      manifest.replacing(FrameBudgetTool.version, with: "0.1"), to: "foreign/sweep.json")
    try refused("version 0.1")
    try sweep.scratch.write(try #require(sweep.scratch.text("s.yaml")) + "# other\n", to: "s.yaml")
    _ = try sweep.run("--shard", "2/2", "-o", foreign)
    try refused("another scenario")
  }

  @Test func `that are unfinished count as missing, and can be resumed`() throws {
    let sweep = try SweepFixture()
    let folders = try shards(2, sweep)
    try sweep.interrupt("of2/2", summary: 3000, workloads: 3000)
    let merged = try Performed(["merge"] + folders + ["-o", sweep.path("all")])
    #expect(merged.status == .failed)
    #expect(merged.diagnostics.contains("shard 2/2 is unfinished"))
    #expect(merged.diagnostics.contains("--resume"))
  }

  @Test func `that are merged again continue an interrupted merge`() throws {
    let sweep = try SweepFixture()
    _ = try sweep.run("-o", sweep.path("whole"))
    let merge = ["merge"] + (try shards(3, sweep)) + ["-o", sweep.path("all"), "-q"]
    #expect(try Performed(merge).status == .success)
    try FileManager.default.copyItem(
      atPath: sweep.path("whole/run.json"), toPath: sweep.path("all/run.json"))
    try sweep.interrupt("all", summary: 4000, workloads: 4000)
    #expect(try Performed(merge).status == .success)
    #expect(sweep.content(of: "all") == sweep.content(of: "whole"))
    let again = try Performed(merge)
    #expect(again.status == .cannotCreate)
    #expect(again.diagnostics.contains("sweep.json exists already"))
  }

  /// As Slurm describes a task of an array.
  private static func slurm(
    _ task: Int, _ first: Int, _ last: Int, of count: Int, step: Int = 1
  ) -> [String: Int] {
    [
      "SLURM_ARRAY_TASK_ID": task, "SLURM_ARRAY_TASK_MIN": first, "SLURM_ARRAY_TASK_MAX": last,
      "SLURM_ARRAY_TASK_COUNT": count, "SLURM_ARRAY_TASK_STEP": step,
    ]
  }

  static let arrays: [(variables: [String: Int], text: String, number: Int, count: Int)] = [
    (
      ["SLURM_ARRAY_TASK_ID": 7, "SLURM_ARRAY_TASK_MIN": 5, "SLURM_ARRAY_TASK_COUNT": 16], "auto",
      3,
      16
    ),
    (
      ["SLURM_ARRAY_TASK_ID": 7, "SLURM_ARRAY_TASK_MIN": 7, "SLURM_ARRAY_TASK_COUNT": 1], "auto/16",
      7, 16
    ),
    (slurm(0, 0, 15, of: 16), "auto", 1, 16), (slurm(15, 0, 15, of: 16), "auto", 16, 16),
    // 1-16:2 ends at 15.
    (slurm(1, 1, 15, of: 8, step: 2), "auto", 1, 8),
    (slurm(15, 1, 15, of: 8, step: 2), "auto", 8, 8),
    (slurm(1, 1, 1, of: 1), "auto/1", 1, 1),
    (["AWS_BATCH_JOB_ARRAY_INDEX": 0, "AWS_BATCH_JOB_ARRAY_SIZE": 8], "auto", 1, 8),
    (["JOB_COMPLETION_INDEX": 15], "auto/16", 16, 16),
  ]

  /// Every task of an array whose tasks are not all shards, not only some of them.
  static let refused: [(variables: [String: Int], text: String, words: String)] =
    [1, 2, 10].map { (slurm($0, 1, 10, of: 3), "auto", "gaps") }
    + [1, 3, 5].map { (slurm($0, 1, 5, of: 3, step: 1), "auto", "gaps") } + [
      (slurm(7, 7, 7, of: 1), "auto", "one task"), (slurm(0, 0, 0, of: 1), "auto/16", "from 1"),
      (["SLURM_ARRAY_TASK_ID": .max, "SLURM_ARRAY_TASK_COUNT": 2], "auto", "gaps"),
      (["SLURM_ARRAY_TASK_ID": .max], "auto/16", "is not one of 16"),
      (
        ["AWS_BATCH_JOB_ARRAY_INDEX": .max, "AWS_BATCH_JOB_ARRAY_SIZE": 4], "auto",
        "is not one of 4"
      ),
      (
        ["AWS_BATCH_JOB_ARRAY_INDEX": .min, "AWS_BATCH_JOB_ARRAY_SIZE": 4], "auto",
        "is not one of 4"
      ),
      (["JOB_COMPLETION_INDEX": .max], "auto/16", "is not one of 16"),
    ]

  @Test(arguments: refused) func `are refused by every task of an array that is not theirs`(
    variables: [String: Int], text: String, words: String
  ) {
    #expect { try Shard(text) { variables[$0] } } throws: { "\($0)".contains(words) }
  }

  @Test(arguments: arrays) func `are numbered by the variables of an array of jobs`(
    variables: [String: Int], text: String, number: Int, count: Int
  ) throws {
    let shard = try Shard(text) { variables[$0] }
    #expect((shard.number, shard.count) == (number, count))
  }

  @Test func `are refused where the array does not tell which they are`() throws {
    let array = ["SLURM_ARRAY_TASK_ID": 7, "SLURM_ARRAY_TASK_MIN": 5, "SLURM_ARRAY_TASK_COUNT": 16]
    #expect(throws: (any Error).self) { try Shard("auto") { _ in nil } }
    #expect(throws: (any Error).self) { try Shard("auto/16") { _ in nil } }
    #expect(throws: (any Error).self) { try Shard("auto/0") { array[$0] } }
    #expect(throws: (any Error).self) { try Shard("auto/") { array[$0] } }
    #expect(throws: (any Error).self) { try Shard("auto") { ["JOB_COMPLETION_INDEX": 1][$0] } }
    #expect(throws: (any Error).self) { try Shard("auto/4") { ["JOB_COMPLETION_INDEX": 4][$0] } }
    // A step skips places.
    #expect(throws: (any Error).self) {
      try Shard("auto") { $0 == "SLURM_ARRAY_TASK_ID" ? 29 : array[$0] }
    }
  }
}
