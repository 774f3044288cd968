import FrameBudget

@testable import FrameBudgetReports

/// A row of a summary with defaults for tests: 600 frames, 1000 items, no problems.
struct OutcomeRow {
  var label = "main-thread"
  var repetition = 1
  var engine = EngineKind.virtual
  var status = RunLog.Status.complete
  var changes = ""
  var origin = ""
  var drops: [Cause: Int] = [:]
  var longestGap = 1
  var hangs = 0
  var late = 0
  var left = 0
  var lockWait = 0.0
  var copying = 0.0
  /// In milliseconds, over all items.
  var handOff = 0.0
  var isDisturbed = false
  var incompleteFrames: Int?
  var periodsLater = 0

  static let frames = 600
  static let items = 1000

  var dropped: Int { drops.values.reduce(0, +) }

  var numbers: [String: Double] {
    var numbers: [String: Double] = [
      "expected_frames": Double(Self.frames), "dropped_frames": Double(dropped),
      "longest_gap_vsyncs": Double(longestGap), "hitch_max_ms": Double(longestGap) * 50 / 3,
      "hang_count": Double(hangs), "responses_late": Double(late), "items_pending": Double(left),
      "items_cancelled": 0, "items_done": Double(Self.items - left), "lock_wait_ms_total": lockWait,
      "publish_ms_total": copying, "handoff_us_per_item": handOff * 1000 / Double(Self.items),
    ]
    for (cause, drops) in drops { numbers["drops_\(cause.name)"] = Double(drops) }
    if let incompleteFrames {
      numbers["incomplete_frames"] = Double(incompleteFrames)
      numbers["presented_frames"] = Double(Self.frames - dropped)
      numbers["part_age_ms_max"] = 50
    }
    if engine == .real { numbers["disturbed"] = isDisturbed ? 1 : 0 }
    return numbers
  }

  var row: RunRecord {
    var row = RunRecord(
      scenario: "scenario", strategy: label, options: "", changes: changes, engine: engine.rawValue,
      cores: "2", repetition: String(repetition), seed: "1", status: status.rawValue, refreshHz: 60,
      durationMilliseconds: 10_000, numbers: RowNumbers(numbers))
    row.origin = origin
    row.periodsLater = periodsLater
    return row
  }
}

extension Verdict {
  static func all(_ rows: [OutcomeRow]) -> [Verdict] { all(rows.map(\.row)) }
}
