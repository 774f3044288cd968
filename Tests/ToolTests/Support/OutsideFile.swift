import Foundation
import TestSupport

@testable import Tool

/// A file that commands read: of this program, as its commands write it today, so that a new column or key is among what is
/// tried without a line; of others, as the seeds of fuzzing have it.
enum OutsideFile: String, CaseIterable, Sendable {
  case summary, workloads, run, frames, trace, limit, advice, moves, shares, imported, sweep, column
  case scenario
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
        case .scenario: "short.yaml"
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
  func attempt(_ text: String) throws -> Attempt {
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
    var attempt = Attempt()
    /// Where commands write.
    let written = scratch.path("written")
    switch self {
    case .summary, .imported:
      try attempt.perform("report", file)
      try attempt.perform("compare", file, file, "--format", "markdown")
      try attempt.perform("compare", file, made.path("run"), "--format", "csv")
    case .workloads:
      try attempt.perform("compare", file, file, "--format", "junit")
      try attempt.perform("report", try folder("run", "workloads.csv"))
    case .run: try attempt.perform("report", try folder("run", "run.json"))
    case .frames:
      try attempt.perform("report", made.path("run/summary.csv"), file)
      try attempt.perform("import", file, "--format", "csv")
    case .trace:
      try attempt.perform("report", made.path("run/summary.csv"), file)
      try attempt.perform("import", file, "--hz", "60", "--format", "json")
    case .limit: try attempt.perform("report", file)
    case .advice: try attempt.perform("report", try folder("advice", "advice.csv"))
    case .moves: try attempt.perform("report", try folder("advice", "moves.csv"))
    case .shares: try attempt.perform("report", made.path("run/summary.csv"), file)
    case .sweep:
      try attempt.perform(
        "merge", try folder("sweep", "sweep.json"), made.path("rest"), "-o", written)
    case .scenario:
      try attempt.perform("check", file, "--format", "json")
      try attempt.perform("check", file, "--sketch")
    case .column:
      let scenario = try folder("learned", "frames.csv") + "/page.yaml"
      let checked = try attempt.perform("check", scenario)
      let run = try attempt.perform(
        "run", scenario, "--engine", "virtual", "--strategy", "as-recorded")
      if (checked.status == .badInput) != (run.status == .badInput) {
        attempt.faults.append("'check' says \(checked.status), 'run' \(run.status)")
      }
    case .costs:
      try attempt.perform(
        "run", "steady", "--engine", "virtual", "--duration", "100 ms", "--costs", file,
        "--format", "csv")
    case .gates:
      try attempt.perform("compare", made.path("run"), made.path("run"), "--gates", file)
    case .mangoHud, .presentMon, .olderPresentMon, .timestamps, .frameStats, .capFrameX,
      .compositor:
      try attempt.perform("import", file, "--hz", "60", "--format", "csv")
    case .chromeRecording, .flutterRecording, .ownRecording, .systrace:
      try attempt.perform("learn", file, "--list")
      try attempt.perform("learn", file, "-o", written)
      if scratch.names().contains("written") {
        let checked = try attempt.perform("check", "\(written)/file.yaml")
        if checked.status != .success { attempt.faults.append("'check' refuses what was learned") }
      }
    }
    try attempt.look(into: written)
    return attempt
  }

  /// What came of a file.
  struct Attempt {
    private(set) var done: [Performed] = []
    var faults: [String] = []

    @discardableResult
    mutating func perform(_ arguments: String...) throws -> Performed {
      let measured = try Measured(arguments)
      faults += measured.faults.map {
        "\(arguments[0]): \($0): \(measured.done.diagnostics.prefix(400))"
      }
      done.append(measured.done)
      return measured.done
    }

    /// Looks at all that commands wrote.
    mutating func look(into folder: String) throws {
      let files = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String }
      for file in files ?? [] {
        guard let data = FileManager.default.contents(atPath: "\(folder)/\(file)") else { continue }
        if String(decoding: data, as: UTF8.self).hasRawControl {
          faults.append("a raw control character in \(file)")
        }
      }
    }
  }
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
