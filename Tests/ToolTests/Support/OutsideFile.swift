import Foundation
import TestSupport

@testable import Tool

/// A file that commands read: of this program, as its commands write it today, so that a new column or key is among what is
/// tried without a line; of others, as the seeds of fuzzing have it.
enum OutsideFile: String, CaseIterable, Sendable {
  case summary, workloads, run, frames, trace, limit, advice, moves, shares, imported, sweep, column
  case costs, gates
  case mangoHud, presentMon, olderPresentMon, timestamps, frameStats, capFrameX, compositor
  case chromeRecording, flutterRecording, ownRecording, systrace

  /// What is in it.
  var text: String {
    get throws { try made ?? seed }
  }

  private var made: String? {
    get throws {
      let place: String? =
        switch self {
        case .summary: "run/summary.csv"
        case .workloads: "run/workloads.csv"
        case .run: "run/run.json"
        case .frames: "run/frames.csv"
        case .trace, .ownRecording: "run/trace.json"
        case .limit: "limits/limit.csv"
        case .advice: "advice/advice.csv"
        case .moves: "advice/moves.csv"
        case .shares: "shares.csv"
        case .imported: "imported.csv"
        case .sweep: "sweep/sweep.json"
        case .column: "learned/frames.csv"
        default: nil
        }
      return try place.map { try MadeFiles.made.get().text($0) }
    }
  }

  private var seed: String {
    get throws {
      let name =
        switch self {
        case .costs: "costs/costs.json"
        case .gates: "gates/gates.txt"
        case .mangoHud: "logs/mangohud.csv"
        case .presentMon: "logs/presentmon2.csv"
        case .olderPresentMon: "logs/presentmon1.csv"
        case .timestamps: "logs/timestamps.csv"
        case .frameStats: "logs/framestats.txt"
        case .capFrameX: "logs/capframex.json"
        case .compositor: "logs/chrome.json"
        case .chromeRecording: "recording-chrome/page.json"
        case .flutterRecording: "recording-flutter/timeline.json"
        case .systrace: "recording-systrace/trace.txt"
        default: ""
        }
      let seeds = Project.folder.appending(path: "Tests/Fuzz/Seeds")
      return try String(contentsOf: seeds.appending(path: name), encoding: .utf8)
    }
  }

  /// Whether it has columns; otherwise what is changed in it are its numbers, wherever they stand.
  var isTable: Bool {
    switch self {
    case .summary, .workloads, .frames, .limit, .advice, .moves, .shares, .imported, .column,
      .mangoHud, .presentMon, .olderPresentMon, .timestamps, .frameStats:
      true
    default: false
    }
  }

  /// What came of each command that reads it, where `text` is in its place.
  func perform(_ text: String) throws -> [Performed] {
    let scratch = try Scratch()
    let made = try MadeFiles.made.get()
    let name = isTable ? "file.csv" : "file.json"
    let file = scratch.path(name)
    try scratch.write(text, to: name)
    /// A folder as a command wrote it, with the file in the place of that called `name`.
    func folder(_ folder: String, _ name: String) throws -> String {
      let copy = scratch.path(folder)
      try FileManager.default.copyItem(atPath: made.path(folder), toPath: copy)
      try scratch.write(text, to: "\(folder)/\(name)")
      return copy
    }
    switch self {
    case .summary, .imported:
      return [
        try Performed("report", file), try Performed("compare", file, file, "--format", "markdown"),
        try Performed("compare", file, made.path("run"), "--format", "csv"),
      ]
    case .workloads:
      return [
        try Performed("compare", file, file, "--format", "junit"),
        try Performed("report", try folder("run", "workloads.csv")),
      ]
    case .run: return [try Performed("report", try folder("run", "run.json"))]
    case .frames:
      return [
        try Performed("report", made.path("run/summary.csv"), file),
        try Performed("import", file, "--format", "csv"),
      ]
    case .trace:
      return [
        try Performed("report", made.path("run/summary.csv"), file),
        try Performed("import", file, "--hz", "60", "--format", "json"),
      ]
    case .limit: return [try Performed("report", file)]
    case .advice: return [try Performed("report", try folder("advice", "advice.csv"))]
    case .moves: return [try Performed("report", try folder("advice", "moves.csv"))]
    case .shares: return [try Performed("report", made.path("run/summary.csv"), file)]
    case .sweep:
      return [
        try Performed(
          "merge", try folder("sweep", "sweep.json"), made.path("rest"), "-o",
          scratch.path("merged"))
      ]
    case .column:
      let scenario = try folder("learned", "frames.csv") + "/page.yaml"
      return [
        try Performed("check", scenario),
        try Performed("run", scenario, "--engine", "virtual", "--strategy", "as-recorded"),
      ]
    case .costs:
      return [
        try Performed(
          "run", "steady", "--engine", "virtual", "--duration", "100 ms", "--costs", file,
          "--format", "csv")
      ]
    case .gates:
      return [try Performed("compare", made.path("run"), made.path("run"), "--gates", file)]
    case .mangoHud, .presentMon, .olderPresentMon, .timestamps, .frameStats, .capFrameX,
      .compositor:
      return [try Performed("import", file, "--hz", "60", "--format", "csv")]
    case .chromeRecording, .flutterRecording, .ownRecording, .systrace:
      return try Self.learned(file, in: scratch)
    }
  }

  private static func learned(_ file: String, in scratch: Scratch) throws -> [Performed] {
    let learned = try Performed("learn", file, "-o", scratch.path("learned"))
    let list = try Performed("learn", file, "--list")
    guard scratch.text("learned/README.md") != nil else { return [list, learned] }
    let checked = try Performed("check", scratch.path("learned/file.yaml"))
    // What is written can be read.
    guard checked.status == .success else { throw Refused(because: checked.diagnostics) }
    return [list, learned, checked]
  }

  private struct Refused: Error { let because: String }
}

/// Files of this program, made once.
private struct MadeFiles {
  static let made = Result { try MadeFiles() }

  private let scratch: Scratch

  private init() throws {
    scratch = try Scratch()
    try scratch.write(
      ShortScenario.text.replacing(
        "arrival:", with: "respond_within: 100 ms\n    arrival:"), to: "short.yaml")
    try scratch.write(
      ShortScenario.text.replacing("cpu: 2 ms", with: "cpu: 1 ms"), to: "other.yaml")
    try scratch.write(PageTrace.text, to: "page.json")
    let short = path("short.yaml")
    try make("run", short, "--engine", "virtual", "-o", path("run"))
    try make(
      "run", short, "--engine", "virtual", "--strategy", "main-thread", "--frames",
      path("run/frames.csv"), "--trace", path("run/trace.json"))
    try make("limit", short, "--strategy", "main-thread", "-o", path("limits"))
    try make("advise", short, "-o", path("advice") + "/")
    try make("explain", short, path("other.yaml"), "--format", "csv", "-o", path("shares.csv"))
    try make("import", path("run/frames.csv"), "--format", "csv", "-o", path("imported.csv"))
    for (shard, name) in [("1/2", "sweep"), ("2/2", "rest")] {
      try make(
        "run", short, "--engine", "virtual", "--vary", "seed=1..3", "--shard", shard, "-o",
        path(name))
    }
    try make("learn", path("page.json"), "-o", path("learned"))
  }

  func path(_ name: String) -> String { scratch.path(name) }

  func text(_ name: String) throws -> String {
    try String(contentsOfFile: path(name), encoding: .utf8)
  }

  private func make(_ arguments: String...) throws {
    let made = try Performed(arguments)
    guard [.success, .failed].contains(made.status) else {
      throw Unmade(command: arguments.joined(separator: " "), because: made.diagnostics)
    }
  }

  private struct Unmade: Error {
    let command: String
    let because: String
  }
}
