import FrameBudget
import TestSupport
import Testing

@testable import FrameBudgetCLI

/// What the user waits for: the answer of an item, and the newest of many.
struct `what the user waits for` {
  /// The sheet takes 20 ms; fetching the photo behind it blocks a background thread for 3.6 s.
  @Test func `is the step that answers, not the end of its item`() throws {
    let run = try CaseRun("photo-sheet-fixed")
    let name = "loads-later"
    #expect(run[name, .responsesLate] == 0)
    // At 120 Hz a frame begins at the third vsync behind the tap, 25 ms later, and iOS shows it two vsyncs after that.
    let response = try #require(run[name, .response(.max)])
    #expect(abs(response - 5 * 1000 / 120) < 0.001, "\(response)")
    // Both photos are there at the end.
    #expect(run[name, .itemsDone] == 2 && run[name, .itemsShown] == 2)
    #expect(run[name, .itemLatency(.max)].map { $0 > 3600 } == true)
    #expect(run[name, .backlog] == 0)
  }

  /// An update takes 120 ms, and a message comes each 100 ms: one update for all that came keeps up, an update for each does not.
  @Test func `is shown in time if one update shows all messages`() throws {
    let run = try CaseRun("coalesced-on-main")
    // A click waits for the update that runs, and for that of the frame with its own result: 244 ms with their drawing.
    #expect(run["coalesced", .response(.max)].map { $0 <= 267 } == true)
    #expect(run["coalesced", .backlog] == 0)
    #expect(run["each", .response(.max)].map { $0 > 500 } == true)
    #expect(run["each", .backlog].map { $0 > 10 } == true)
  }

  /// Slow: runs in real time.
  @Test func `is known on threads, too`() throws {
    // The photo of the first tap, at 1 s, comes after the end.
    let sheet = try Self.realRun("photo-sheet-fixed", "duration=4 s") {
      $0["loads-later", .responsesOpen] == 0
    }
    #expect(sheet["loads-later", .responsesOpen] == 0 && sheet["loads-later", .itemsDone] == 0)
    #expect(sheet["loads-later", .response(.max)].map { $0 >= 20 } == true)
    // Hand-worked: a quarter of a second, and what the run lasts.
    func longest(_ run: CaseRun, _ name: String) -> Double? { run[name, .response(.max)] }
    func isFaster(_ run: CaseRun) -> Bool {
      longest(run, "each") ?? 0 > 2 * (longest(run, "coalesced") ?? .infinity)
    }
    let messages = try Self.realRun("coalesced-on-main", "duration=6 s", until: isFaster)
    #expect(isFaster(messages), "\(messages.performed.output)")
  }

  /// The first of up to five runs that `shows` what is tested, which a machine that stands still prevents, or the last.
  private static func realRun(
    _ name: String, _ setting: String, until shows: (CaseRun) -> Bool
  ) throws -> CaseRun {
    var run = try CaseRun(name, "--engine", "real", "--set", setting)
    for _ in 1..<5 where !shows(run) {
      run = try CaseRun(name, "--engine", "real", "--set", setting)
    }
    return run
  }
}
