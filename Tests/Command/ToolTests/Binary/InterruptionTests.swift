import Foundation
import TestSupport
import Testing

@testable import FrameBudgetCLI

/// Commands that end by Ctrl-C at any moment, as a terminal sends it: to all processes of the command.
@Suite struct `An interrupted command` {
  /// Slow: runs each command once for each moment, and once to its end.
  @Test(arguments: InterruptedCommand.all)
  func `ends soon, says so, and so do its files`(_ command: InterruptedCommand) throws {
    let place = try InterruptedPlace(command)
    let whole = try place.run()
    #expect([0, 1, 2].contains(whole.status), "\(whole.said)")
    let all = place.names
    var random = RandomNumbers(seed: 1)
    for _ in 0..<Tries.interruptions.count {
      try place.clear()
      let moment = whole.seconds * Double.random(in: 0..<1, using: &random)
      let ended = try place.run(interruptedAfter: moment)
      let found = "after \(moment) s: status \(ended.status), \(place.names), \(ended.said)"
      #expect(ended.secondsFromSignal < whole.patience, "\(found)")
      if [0, 1, 2].contains(ended.status) {
        // The signal came too late. What doctor finds, and so its status, can be different each time.
        #expect(place.names == all && place.unfinished == [], "\(found)")
      } else {
        #expect(ended.status == 130 && ended.said.contains("interrupted"), "\(found)")
        #expect(place.saysSo(unlike: all), "\(found)")
      }
    }
  }
}

/// A command that takes long enough to be interrupted.
struct InterruptedCommand: CustomTestStringConvertible {
  /// How its files say that it was interrupted.
  enum Sign {
    /// There is none, or only what is named as unfinished.
    case absence
    /// These words in that file.
    case words(String, in: String)
    /// That file, the last one, is missing.
    case missing(String)
  }

  let words: String
  let sign: Sign
  /// Commands that make what it reads.
  let makers: [String]
  /// A file before which it is not interrupted.
  let begin: String?

  init(_ words: String, _ sign: Sign = .absence, makers: [String] = [], begin: String? = nil) {
    (self.words, self.sign, self.makers, self.begin) = (words, sign, makers, begin)
  }

  var testDescription: String { words }

  private static let run = Sign.words("\"interrupted\": true", in: "out/run.json")
  private static let advice = Sign.words("# The search was interrupted", in: "out/advice.yaml")
  private static let made = [
    "run big.yaml --engine virtual --repeat 4 -o made --frames made/frames.csv"
  ]
  private static let app = Project.products.appending(component: "RecordedApp").path

  static let all = [
    InterruptedCommand(
      "run real.yaml -o out --frames out/frames.csv --trace out/trace.json", run),
    InterruptedCommand("run big.yaml --engine virtual --repeat 60 -o out", run),
    InterruptedCommand("run s.yaml --engine virtual --vary seed=1..1500 -o out"),
    InterruptedCommand("live real.yaml --strategy main-thread"),
    InterruptedCommand("learn page.json -o out"),
    InterruptedCommand("advise camera-upload --duration '1 s' -o out/advice.yaml", advice),
    InterruptedCommand("advise camera-upload --duration '1 s' -o out/", advice),
    InterruptedCommand("limit camera-upload -o out", run),
    InterruptedCommand(
      "prove camera-upload --format json -o out/answer",
      .words("\"complete\": 0", in: "out/answer")),
    InterruptedCommand("explain camera-upload --format csv -o out/answer"),
    InterruptedCommand("bench --quick --repeat 2 --carrier scheduler,dispatch -o out/answer"),
    InterruptedCommand("doctor --format json -o out/answer"),
    InterruptedCommand("import made/frames.csv -o out/answer", makers: made),
    InterruptedCommand("compare made made --format csv -o out/answer", makers: made),
    InterruptedCommand("report made -o out/answer", makers: made),
    // An interrupt before the end of the recording only shortens it.
    InterruptedCommand(
      "record program \(app) --for 20s -o out/app -- 1", .missing("out/app/index.html"),
      begin: "out/app/program.json"),
  ]
}

/// What a command reads and writes.
private struct InterruptedPlace {
  let scratch: Scratch
  private let command: InterruptedCommand

  /// True of a process that catches interrupts: before, it ends without a word.
  private static let catches = "grep -q '^SigCgt:.*[2367abef]$' /proc/$tool/status 2>/dev/null"

  struct Ended {
    let status: Int32
    let said: String
    let seconds: Double
    let secondsFromSignal: Double

    /// How long the same command may take to end when it is interrupted. A process that ends as soon as it is asked to is slow
    /// only if others have the processors, and then the whole command is slow, too.
    var patience: Double { max(20, 2 * seconds) }
  }

  init(_ command: InterruptedCommand) throws {
    self.command = command
    scratch = try Scratch()
    try scratch.write(ShortScenario.text, to: "s.yaml")
    try scratch.write(
      ShortScenario.text.replacing("duration: 1 s", with: "duration: 1 s\nwarmup: 100 ms"),
      to: "real.yaml")
    try scratch.write(
      ShortScenario.text.replacing("duration: 1 s", with: "duration: 60 s"), to: "big.yaml")
    try scratch.write(PageTrace.text, to: "page.json")
    for maker in command.makers {
      let made = try BuiltTool("cd \(scratch.root); $tool \(maker)")
      #expect(made.status == 0, "\(made.diagnostics)")
    }
    try clear()
  }

  /// Runs the command, and sends an interrupt to its group of processes after a while.
  func run(interruptedAfter moment: Double? = nil) throws -> Ended {
    let ready = command.begin.map { "[ -e \($0) ]" } ?? Self.catches
    let wait = moment.map {
      """
      while [ -e /proc/$tool ] && ! \(ready); do sleep 0.01; done
      sleep \($0); kill -INT -- -$tool 2>/dev/null
      """
    }
    let run = try BuiltTool(
      """
      cd \(scratch.root)
      # With job control nothing is ignored in what is started in the background, and it is a group of its own.
      program=$tool; set -m
      date +%s.%N > times; $program \(command.words) </dev/null >/dev/null 2>said & tool=$!
      \(wait ?? "")
      date +%s.%N >> times; wait $tool; status=$?; date +%s.%N >> times
      exit $status
      """)
    let times = (scratch.text("times") ?? "").split(separator: "\n").compactMap { Double($0) }
    try #require(times.count == 3)
    return Ended(
      status: run.status, said: scratch.text("said") ?? "", seconds: times[2] - times[0],
      secondsFromSignal: times[2] - times[1])
  }

  /// The files in `out`, also in its folders.
  var names: [String] { names(below: "out") }

  private func names(below folder: String) -> [String] {
    scratch.names(in: folder).flatMap { name -> [String] in
      let inner = names(below: "\(folder)/\(name)")
      return inner.isEmpty ? ["\(folder)/\(name)"] : inner
    }
  }

  var unfinished: [String] {
    names.filter { $0.contains("/.") || $0.hasSuffix(".partial") }
  }

  /// Whether what is there says that it is not all. `all` are the names of a command that was not interrupted.
  func saysSo(unlike all: [String]) -> Bool {
    let names = names
    if names.contains(where: { $0.contains("/.") }) { return false }
    if names.allSatisfy({ $0.hasSuffix(".partial") }) { return true }
    return switch command.sign {
    // The signal came after the result.
    case .absence: names == all
    case .words(let words, let file): scratch.text(file)?.contains(words) == true
    case .missing(let last): !names.contains(last)
    }
  }

  func clear() throws {
    if scratch.names().contains("out") {
      try FileManager.default.removeItem(atPath: scratch.path("out"))
    }
    guard command.words.contains("-o out/") else { return }
    try FileManager.default.createDirectory(
      atPath: scratch.path("out"), withIntermediateDirectories: true)
  }
}
