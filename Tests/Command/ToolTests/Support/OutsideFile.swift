import Foundation
import TestSupport

@testable import FrameBudgetCLI

/// A file that commands read: of this program, as its commands write it today, so that a new column or key is tried
/// without a change of the test; of others, as in the seeds of fuzzing.
enum OutsideFile: String, CaseIterable, Sendable {
  case summary, workloads, run, frames, trace, limit, proofs, advice, moves, shares, parts,
    imported,
    sweep, resumed, history
  case column, learnedItems
  case scenario
  case costs, gates, rules, flow, port
  case mangoHud, presentMon, olderPresentMon, timestamps, frameStats, capFrameX, compositor
  case ocat, newerFrameStats, fraps, unreal, surfaceFlinger, benchmarkData, flutterSummary, xctrace
  case chromeRecording, flutterRecording, ownRecording, systrace, instruments, firefox, wayland

  /// Its content.
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
        case .proofs: "proofs.csv"
        case .advice: "advice/advice.csv"
        case .moves: "advice/moves.csv"
        case .shares: "shares.csv"
        case .parts: "parts.csv"
        case .imported: "imported.csv"
        case .history: "history.csv"
        case .sweep: "sweep/sweep.json"
        case .resumed: "half/summary.csv.partial"
        case .column: "learned/frames.csv"
        case .learnedItems: "learned/items.csv"
        case .rules: "rules.yaml"
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
        case .flow: "flows/flow.json"
        case .port: "ports/DevToolsActivePort"
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
        case .instruments: "recording-instruments/app.xml"
        case .firefox: "recording-firefox/gecko.json"
        case .wayland: "recording-wayland/app.txt"
        case .ocat: "logs/ocat.csv"
        case .newerFrameStats: "logs/framestats-android-12.txt"
        case .fraps: "logs/fraps.csv"
        case .unreal: "logs/unreal.csv"
        case .surfaceFlinger: "logs/surfaceflinger.txt"
        case .benchmarkData: "logs/macrobenchmark.json"
        case .flutterSummary: "logs/flutter-summary.json"
        case .xctrace: "logs/instruments.xml"
        default: ""
        }
      let seeds = Project.folder.appending(path: "Tests/Fuzz/Seeds")
      return try String(contentsOf: seeds.appending(path: name), encoding: .utf8)
    }
  }

  /// Whether it has columns; otherwise any numbers in it are changed.
  var isTable: Bool {
    switch self {
    case .summary, .workloads, .frames, .limit, .proofs, .advice, .moves, .shares, .parts,
      .imported, .history, .resumed, .column, .learnedItems, .mangoHud, .presentMon,
      .olderPresentMon,
      .timestamps,
      .frameStats, .ocat, .newerFrameStats, .fraps, .unreal:
      true
    default: false
    }
  }

  /// Whether it has names in quotes.
  var hasQuotedNames: Bool {
    !isTable && ![.systrace, .wayland, .gates, .surfaceFlinger, .port].contains(self)
  }

  /// The outcome of each command that reads it, with `text` in its place.
  func attempt(_ text: String) throws -> Attempt {
    let place = try Place(text, isTable ? "file.csv" : "file.json")
    var attempt = Attempt()
    try readResult(&attempt, place)
    try readInput(&attempt, place)
    if attempt.done.isEmpty { attempt.faults.append("no command reads it") }
    try attempt.look(into: place.written)
    return attempt
  }

  /// The folder of a file that is read.
  private struct Place {
    let scratch: Scratch
    let made: MadeFiles
    let text: String
    let file: String

    init(_ text: String, _ name: String) throws {
      scratch = try Scratch()
      made = try MadeFiles.made.get()
      self.text = text
      file = scratch.path(name)
      try scratch.write(text, to: name)
    }

    /// The folder for the output of commands.
    var written: String { scratch.path("written") }

    /// A folder as a command wrote it, with the file in the place of that called `name`.
    func folder(_ folder: String, _ name: String) throws -> String {
      let copy = scratch.path(folder)
      try FileManager.default.copyItem(atPath: made.path(folder), toPath: copy)
      try scratch.write(text, to: "\(folder)/\(name)")
      return copy
    }
  }

  /// Files of this program, read by its commands.
  private func readResult(_ attempt: inout Attempt, _ place: Place) throws {
    let (file, made) = (place.file, place.made)
    switch self {
    case .summary, .imported:
      try attempt.perform("report", file)
      try attempt.perform("compare", file, file, "--format", "markdown")
      try attempt.perform("compare", file, made.path("run"), "--format", "csv")
    case .workloads:
      try attempt.perform("compare", file, file, "--format", "junit")
      try attempt.perform("report", try place.folder("run", "workloads.csv"))
    case .run: try attempt.perform("report", try place.folder("run", "run.json"))
    case .frames:
      try attempt.perform("report", made.path("run/summary.csv"), file)
      try attempt.perform("import", file, "--format", "csv")
    case .trace:
      try attempt.perform("report", made.path("run/summary.csv"), file)
      try attempt.perform("import", file, "--hz", "60", "--format", "json")
    case .limit, .proofs: try attempt.perform("report", file)
    case .history:
      try attempt.perform("history", "--file", file, "--show", "all", "--format", "markdown")
      try attempt.perform("history", "--file", file, "--fail-within", "5", "--format", "json")
      try attempt.perform("history", "add", made.path("run"), "--commit", "new", "--file", file)
    case .advice: try attempt.perform("report", try place.folder("advice", "advice.csv"))
    case .moves: try attempt.perform("report", try place.folder("advice", "moves.csv"))
    case .shares, .parts: try attempt.perform("report", made.path("run/summary.csv"), file)
    case .sweep:
      let sweep = try place.folder("sweep", "sweep.json")
      try attempt.perform("merge", sweep, made.path("rest"), "-o", place.written)
      // Alone, its error names the missing file.
      try attempt.perform("merge", sweep, "-o", place.written)
    case .resumed:
      try attempt.perform(
        MadeFiles.sweep(try place.folder("half", "summary.csv.partial"), "1/2", made, "--resume"))
    case .column, .learnedItems:
      let table = self == .column ? "frames.csv" : "items.csv"
      let scenario = try place.folder("learned", table) + "/page.yaml"
      let checked = try attempt.perform("check", scenario)
      let run = try attempt.perform(
        "run", scenario, "--engine", "virtual", "--strategy", "as-recorded")
      if (checked.status == .badInput) != (run.status == .badInput) {
        attempt.faults.append("'check' says \(checked.status), 'run' \(run.status)")
      }
    default: break
    }
  }

  /// Files of people and of other tools, read by the commands.
  private func readInput(_ attempt: inout Attempt, _ place: Place) throws {
    let (file, made) = (place.file, place.made)
    switch self {
    case .scenario:
      try attempt.perform("check", file, "--format", "json")
      try attempt.perform("check", file, "--sketch")
    case .costs:
      try attempt.perform(
        "run", "steady", "--engine", "virtual", "--duration", "100 ms", "--costs", file,
        "--format", "csv")
    case .rules: try attempt.learn(made.path("page.json"), "page", place.written, "--map", file)
    case .flow:
      // A replay needs a browser, which is absent here.
      try attempt.perform(
        [
          "record", "chrome", made.path("page.html"), "--flow", file, "--browser",
          place.scratch.path("none"), "-o", place.written,
        ], allowing: [.unavailable])
    case .port:
      // No browser listens.
      try place.scratch.write(place.text, to: "DevToolsActivePort")
      try attempt.perform(
        ["record", "chrome", "--attach", "chrome:\(place.scratch.root)", "-o", place.written],
        allowing: [.unavailable])
    case .gates:
      try attempt.perform("compare", made.path("run"), made.path("run"), "--gates", file)
    case .mangoHud, .presentMon, .olderPresentMon, .timestamps, .frameStats, .capFrameX,
      .compositor, .ocat, .newerFrameStats, .fraps, .unreal, .surfaceFlinger, .benchmarkData,
      .flutterSummary, .xctrace:
      try attempt.perform("import", file, "--hz", "60", "--format", "csv")
    case .chromeRecording, .flutterRecording, .ownRecording, .systrace, .instruments, .firefox,
      .wayland:
      try attempt.perform("learn", file, "--list")
      try attempt.learn(file, "file", place.written)
      try attempt.perform("learn", file, "--compare-with", made.path("page.json"))
      try attempt.perform("learn", made.path("page.json"), "--compare-with", file)
    default: break
    }
  }

  /// The outcome of a file.
  struct Attempt {
    private(set) var done: [Performed] = []
    var faults: [String] = []

    @discardableResult
    mutating func perform(_ arguments: String...) throws -> Performed {
      try perform(arguments)
    }

    @discardableResult
    mutating func perform(
      _ arguments: [String], allowing more: [FrameBudgetCLI.ExitStatus] = []
    ) throws -> Performed {
      let measured = try Measured(arguments)
      faults += measured.faults(allowing: more).map {
        "\(arguments[0]): \($0): \(measured.done.diagnostics.prefix(400))"
      }
      done.append(measured.done)
      return measured.done
    }

    /// Learns from a recording, and checks the resulting scenario `name`.
    mutating func learn(
      _ recording: String, _ name: String, _ folder: String, _ more: String...
    ) throws {
      try perform(["learn", recording, "-o", folder] + more)
      guard FileManager.default.fileExists(atPath: folder) else { return }
      let checked = try perform("check", "\(folder)/\(name).yaml")
      if checked.status != .success { faults.append("'check' refuses what was learned") }
    }

    /// Checks all output of commands.
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
    try scratch.write("<p>page</p>", to: "page.html")
    try scratch.write(Self.rules, to: "rules.yaml")
    let short = path("short.yaml")
    try make("run", short, "--engine", "virtual", "-o", path("run"))
    try make(
      "run", short, "--engine", "virtual", "--strategy", "main-thread", "--frames",
      path("run/frames.csv"), "--trace", path("run/trace.json"))
    try make("limit", short, "--strategy", "main-thread", "-o", path("limits"))
    try make("prove", short, "--format", "csv", "-o", path("proofs.csv"))
    try make("advise", short, "-o", path("advice") + "/")
    try make("explain", short, path("other.yaml"), "--format", "csv", "-o", path("shares.csv"))
    try make("explain", short, "--format", "csv", "-o", path("parts.csv"))
    try make("import", path("run/frames.csv"), "--format", "csv", "-o", path("imported.csv"))
    for commit in ["first", "second"] {
      try make(
        "history", "add", path("run"), "--commit", commit, "--show", "all", "--file",
        path("history.csv"))
    }
    for (shard, name) in [("1/2", "sweep"), ("2/2", "rest")] {
      try make(Self.sweep(path(name), shard, self))
    }
    try interrupt()
    try make("learn", path("page.json"), "-o", path("learned"))
  }

  private static let rules = """
    - {match: "^hash", as: service hasher}
    - {match: "load|post", as: ignore}
    - {match: "^paint", as: render}

    """

  /// The command that makes a shard of the sweep.
  static func sweep(
    _ folder: String, _ shard: String, _ made: MadeFiles, _ more: String...
  ) -> [String] {
    [
      "run", made.path("short.yaml"), "--engine", "virtual", "--vary", "seed=1..3", "--shard",
      shard, "-o", folder,
    ] + more
  }

  /// A shard of which a process was killed on its way.
  private func interrupt() throws {
    let files = FileManager.default
    try files.copyItem(atPath: path("sweep"), toPath: path("half"))
    for name in ["summary.csv", "workloads.csv"] {
      let bytes = Array(try text("half/\(name)").utf8)
      let half = String(decoding: bytes[..<(bytes.count * 3 / 4)], as: UTF8.self)
      try scratch.write(half, to: "half/\(name).partial")
      try files.removeItem(atPath: path("half/\(name)"))
    }
    try files.moveItem(
      atPath: path("half/sweep.json"), toPath: path("half/sweep.json.partial"))
    try files.removeItem(atPath: path("half/run.json"))
  }

  func path(_ name: String) -> String { scratch.path(name) }

  func text(_ name: String) throws -> String {
    try String(contentsOfFile: path(name), encoding: .utf8)
  }

  private func make(_ arguments: String...) throws { try make(arguments) }

  private func make(_ arguments: [String]) throws {
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
