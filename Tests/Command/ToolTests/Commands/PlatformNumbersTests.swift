import FrameBudget
import TestSupport
import Testing

@testable import FrameBudgetCLI

/// The platform whose numbers commands show: that of the scenario, or of `--metrics`.
struct PlatformNumbersTests {
  /// Taps at 105, 305, … ms, each handled in 30 ms behind a frame of 4 ms; a loop of frames.
  private static let taps = """
    scenario: taps
    display: {refresh: 100 Hz, render: 4 ms}
    duration: 2 s
    warmup: 0 s
    services: {app: {}}
    workloads:
      - name: tap
        input: true
        arrival: {batch: 1, every: 200 ms, start: 105 ms}
        steps: [{service: app, cpu: 30 ms}]
    strategies: [main-thread]

    """
  /// A scenario with Chrome's numbers and with the frames of `taps`.
  private static let likeChrome =
    "like: chrome, main-loop: frame, frames: always, deadline: 1, buffers: 1"
  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    try scratch.write(Self.taps, to: "taps.yaml")
    try scratch.write(
      Self.taps.replacing("render: 4 ms", with: "render: 4 ms, \(Self.likeChrome)"), to: "like.yaml"
    )
  }

  @Test(arguments: [("taps.yaml", ["--metrics", "chrome"]), ("like.yaml", [])])
  func `the table of run has INP and its parts`(_ file: String, _ flags: [String]) throws {
    let run = try Performed(
      ["run", scratch.path(file), "--engine", "virtual", "--format", "csv", "-q"] + flags)
    let lines = run.output.split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    let row = Dictionary(uniqueKeysWithValues: zip(lines[0], lines[1]))
    // Delivered at 110, handled by 140, drawn by 144, shown at 150: 45 ms.
    #expect(row["interactions"] == "10" && row["inp_ms"] == "48" && row["inp_ms_is_bound"] == "0")
    #expect(row["inp_input_delay_ms"] == "5" && row["inp_processing_ms"] == "30")
    #expect(row["inp_presentation_ms"] == "13" && row["like"] == (flags.isEmpty ? "chrome" : ""))
    let table = try Performed(
      ["run", scratch.path(file), "--engine", "virtual", "-q"] + flags)
    #expect(table.output.contains("48 good"), "\(table.output)")
  }

  @Test func `limit has the numbers at the largest load`() throws {
    let load = ["--vary", "workloads.tap.steps.0.cpu=1..20 ms"]
    let plain = try Performed(["limit", scratch.path("taps.yaml"), "-q"] + load)
    let chosen = try Performed(
      ["limit", scratch.path("taps.yaml"), "-q", "--metrics", "chrome"] + load)
    let liked = try Performed(["limit", scratch.path("like.yaml"), "-q"] + load)
    #expect(!plain.output.contains("INP"))
    for text in [chosen.output, liked.output] {
      // 6 ms beside drawing fit into a period: delivered 5 ms late, shown 10 ms later.
      #expect(text.contains("At the largest load, as Chrome's tools print it"), "\(text)")
      #expect(text.contains("16 good"), "\(text)")
    }
  }

  @Test func `page and comparison have them of results`() throws {
    for name in ["taps", "like"] {
      let run = try Performed(
        "run", scratch.path("\(name).yaml"), "--engine", "virtual", "-q", "-o", scratch.path(name))
      #expect([.success, .failed].contains(run.status), "\(run.diagnostics)")
    }
    func page(_ name: String, _ flags: String...) throws -> String {
      try Performed(["report", scratch.path(name), "-q"] + flags).output
    }
    let (plain, liked) = (try page("taps"), try page("like"))
    let chosen = try page("taps", "--metrics", "chrome")
    let other = try page("like", "--metrics", "android")
    #expect([plain, other].allSatisfy { !$0.contains("As Chrome") })
    #expect([liked, chosen].allSatisfy { $0.contains("As Chrome") && $0.contains("inp_ms") })
    #expect(other.contains("As Android"))
    let compared = try Performed("compare", scratch.path("like"), scratch.path("like"), "-q")
    #expect(compared.output.contains("inp_ms"), "\(compared.output)")
    let same = try Performed("compare", scratch.path("taps"), scratch.path("taps"), "-q")
    #expect(!same.output.contains("inp_ms"))
  }

  @Test func `advice reaches an aim of INP`() throws {
    let advised = try Performed(
      "advise", scratch.path("taps.yaml"), "--aim", "inp<=24ms", "-q")
    #expect(advised.status == .success, "\(advised.diagnostics)\(advised.output)")
    let none = try Performed("advise", scratch.path("taps.yaml"), "--aim", "inp<=1ms", "-q")
    #expect(none.status == .failed)
  }
}
