import TestSupport
import Testing

@testable import FrameBudgetCLI

/// A page whose hashing makes 20 of 140 frames late, and recordings made after a change.
@Suite struct `A prediction, held against a recording made after the change` {
  private func scratch(_ change: PageTrace.Change) throws -> Scratch {
    let scratch = try Scratch()
    try scratch.write(PageTrace.text, to: "before.json")
    try scratch.write(PageTrace.text(change), to: "after.json")
    return scratch
  }

  private func compared(_ scratch: Scratch, _ more: String...) throws -> Performed {
    try Performed(
      ["learn", scratch.path("before.json"), "--compare-with", scratch.path("after.json"), "-q"]
        + more)
  }

  @Test(arguments: [
    (
      PageTrace.Change.inWorker, "move-hash",
      "- `hash` runs on DedicatedWorker thread"
    ),
    (.yielding, "yielding", "tasks of the main thread are shorter"),
    (.onMain, "as-recorded", "no service left the main thread"),
  ])
  func `takes the change from what is on the main thread`(
    _ change: PageTrace.Change, _ name: String, _ words: String
  ) throws {
    let compared = try compared(try scratch(change))
    #expect(compared.output.contains("The change is taken for `\(name)`."), "\(compared.output)")
    #expect(compared.output.contains(words), "\(compared.output)")
    let dropped = change == .onMain ? 20 : 0
    #expect(
      compared.output.contains("| dropped | 20 | 20 | \(dropped) | \(dropped) | \(dropped) |"),
      "\(compared.output)")
  }

  @Test func `is too short to judge where few frames were wanted and few were late`() throws {
    let compared = try compared(try scratch(.inWorker))
    #expect(compared.status == .inconclusive, "\(compared.diagnostics)")
    #expect(
      compared.output.contains(
        "A recording is too short to judge the prediction (the one after it: "))
  }

  @Test func `is good, with status 0, if the prediction came true`() throws {
    let compared = try compared(try scratch(.onMain))
    #expect(compared.status == .success, "\(compared.diagnostics)")
    #expect(compared.output.contains("The prediction held: dropped frames differ by 1.8 points"))
  }

  @Test func `is poor, and status 1, where another change is named, and says what differs`() throws
  {
    let compared = try compared(try scratch(.onMain), "--change", "move-hash")
    #expect(compared.status == .failed, "\(compared.output)")
    #expect(compared.output.contains("It was given as an option."))
    #expect(
      compared.output.contains(
        "`hash` was named as moved, but still takes 153.7 ms/s of the main thread"))
    #expect(
      compared.output.contains("Predicted minus recorded is -14.3 points: -12.5 because"),
      "\(compared.output)")
    #expect(
      compared.output.contains("- hash takes 154 ms/s more of the main thread than predicted"),
      "\(compared.output)")
  }

  @Test func `is written with what was learned, and each figure is in a file`() throws {
    let scratch = try scratch(.yielding)
    let compared = try compared(scratch, "-o", scratch.path("app"))
    #expect(scratch.text("app/README.md") == compared.output)
    #expect(compared.output.contains("## Recorded and replayed"))
    #expect(compared.output.contains("## After the change"))
    let text = try #require(scratch.text("app/after-the-change.csv"))
    let lines = text.split(separator: "\n")
    #expect(
      lines[0] == """
        kind,change,verdict,expected_frames,dropped_frames,dropped_frames_pct,late_begins,\
        frame_ms_p50,frame_ms_p95,frame_ms_p99,dropped_frames_pct_low,dropped_frames_pct_high
        """)
    #expect(lines[1].hasPrefix("before,yielding,too-short,140,20,14.286,"), "\(text)")
    #expect(lines[2].hasPrefix("predicted,yielding,too-short,140,0,0,"), "\(text)")
    #expect(lines[3].hasPrefix("after,yielding,too-short,140,0,0,"), "\(text)")
    // Of the prediction alone.
    #expect(lines[1].hasSuffix(",,") && lines[2].hasSuffix(",0,0") && lines[3].hasSuffix(",,"))
    #expect(lines[5].hasPrefix("before-replayed,yielding,too-short,160,20,12.5,"), "\(text)")
    #expect(lines.count == 6)
    #expect(compared.output.contains("arrivals shifted within a vsync period | | | 0–0 % | | |"))
  }

  @Test func `names of services are replaced where that is wanted`() throws {
    let compared = try compared(try scratch(.inWorker), "--anonymous")
    #expect(!compared.output.contains("hash"), "\(compared.output)")
    #expect(!compared.output.contains("Worker"), "\(compared.output)")
    #expect(compared.output.contains("`move-service-1`"))
  }

  @Test func `rules hold for both recordings`() throws {
    let scratch = try scratch(.inWorker)
    try scratch.write("- {match: \"^hash\", as: service digest}", to: "rules.yaml")
    let compared = try compared(scratch, "--map", scratch.path("rules.yaml"))
    #expect(compared.output.contains("`move-digest`"), "\(compared.output)")
  }

  @Test func `a change that there is not is refused with those that there are`() throws {
    let refused = try compared(try scratch(.onMain), "--change", "move-hahs")
    #expect(refused.status == .usage)
    #expect(
      refused.diagnostics.contains("known changes: as-recorded, yielding, move-hash"),
      "\(refused.diagnostics)")
    let both = try compared(try scratch(.inWorker), "--change", "move-hash+yielding")
    #expect(both.output.contains("The change is taken for `move-hash+yielding`."))
  }

  @Test func `contradictory options are refused before anything is read`() throws {
    for arguments in [
      ["before.json"], ["before.json", "--list", "--compare-with", "after.json"],
      ["before.json", "-o", "app", "--change", "move-hash"], ["-", "--compare-with", "-"],
    ] {
      let refused = try Performed(["learn"] + arguments)
      #expect(refused.status == .usage, "\(arguments)")
      #expect(refused.diagnostics.split(separator: "\n").count == 1, "\(refused.diagnostics)")
    }
    let scratch = try scratch(.onMain)
    let missing = try Performed(
      "learn", scratch.path("before.json"), "--compare-with", scratch.path("none.json"), "-q")
    #expect(missing.status == .noInput)
  }
}
