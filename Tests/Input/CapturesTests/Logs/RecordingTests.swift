import FrameBudget
import FrameBudgetCaptures
import Testing

/// Real recordings, compared with known facts about them.
@Suite(.enabled(if: SharedData.folder != nil, SharedData.missing)) struct RecordingTests {
  @Test func `presents that were superseded are not dropped frames`() throws {
    let log = try SharedData.read("presentmon1_csgo_60hz.csv", hz: 60)
    let game = try #require(log.streams.first)
    #expect(log.format == .presentMon)
    #expect(log.streams.count == 1)
    #expect(game.process == "csgo.exe 27396")
    #expect(game.rows == 4265)
    #expect(game.supersededFrames == 2095)
    #expect(game.displayChanges == 2170)
    #expect(game.count("dropped_frames") == 0)
    // The first image has none before it.
    #expect(game.count("expected_frames") == 2169)
    #expect(game.count("presented_frames") == 2169)
    #expect(game.values["worst_second_dropped_pct"]?.number == 0)
    #expect(game.warnings.isEmpty)
  }

  @Test func `without a refresh rate no metric of vsyncs is reported`() throws {
    let log = try SharedData.read("presentmon1_csgo_60hz.csv")
    let game = try #require(log.streams.first)
    #expect(game.refreshHz == nil)
    #expect(game.values["dropped_frames"] == nil)
    #expect(game.values["frame_ms_p50"] != nil)
  }

  /// Version 1 has a row more per process, and looks back where version 2 looks forward.
  @Test func `the three versions of one recording agree on the display changes they share`() throws
  {
    let files = ["_v1", "_v2", ""].map { "presentmon_gold_test_case_0\($0).csv" }
    let logs = try files.map { try SharedData.read($0, hz: 60).streams }
    #expect(logs.map(\.count) == [10, 10, 10])
    for (first, others) in zip(logs[0], zip(logs[1], logs[2])) {
      let (second, current) = others
      #expect(first.process == second.process)
      #expect(first.process == current.process)
      #expect(second.displayChanges == current.displayChanges)
      #expect(second.supersededFrames == current.supersededFrames)
      let extra = first.rows - current.rows
      #expect((1...2).contains(extra))
      #expect(first.displayChanges == current.displayChanges.map { $0 + 1 })
      #expect(first.supersededFrames == current.supersededFrames.map { $0 + extra - 1 })
    }
  }

  @Test func `an OCAT capture is read, whose first row alone has the machine`() throws {
    let game = try #require(
      try SharedData.read("cases/ocat-metadata-in-first-row.csv", hz: 60).streams.first)
    #expect(game.rows == 300)
    #expect(game.count("dropped_frames") == 6 && game.count("expected_frames") == 305)
  }

  @Test func `presents without display times are neither shown nor superseded`() throws {
    let log = try SharedData.read("cases/presentmon-no-display-times.csv", hz: 60)
    let game = try #require(log.streams.first)
    #expect(game.rows == 300)
    #expect(game.supersededFrames == nil && game.displayChanges == nil)
    #expect(game.values["dropped_frames"] == nil && game.values["frame_ms_p50"] != nil)
    #expect(game.warnings.contains { $0.contains("no times of images on the screen") })
  }
}
