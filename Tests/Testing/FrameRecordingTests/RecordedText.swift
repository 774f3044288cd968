import FrameBudget
import FrameBudgetLearning
import FrameBudgetCaptures
import TestSupport
import Testing

@testable import FrameRecording

extension Int64 {
  static func ms(_ value: Double) -> Int64 { Int64((value * 1e6).rounded()) }
}

extension Note {
  /// On the main thread, in milliseconds.
  init(_ kind: Kind, _ began: Double, _ ended: Double, on track: NotedTrack = .main) {
    self.init(kind: kind, track: track, began: .ms(began), ended: .ms(ended))
  }
}

extension OpenWork {
  /// On the main thread, since a time in milliseconds.
  init(_ kind: Note.Kind, since began: Double, on track: NotedTrack = .main) {
    self.init(number: 1, kind: kind, track: track, began: .ms(began))
  }
}

/// The file of notes that were made by hand.
struct RecordedText {
  let bytes: [UInt8]

  /// `open` is what was under way at `end`, in milliseconds; nil for a recording without that.
  init(
    _ notes: [Note], open: [OpenWork] = [], until end: Double? = nil,
    refresh: RefreshRate = RefreshRate(60)
  ) {
    var trace = NotedTrace(from: 0, refresh)
    var lines = NotedTrace.opening("made", cores: 3).map(\.line)
    for note in notes { trace.write(note) { lines.append($0.line) } }
    if let end { trace.writeUnfinished(open, at: .ms(end)) { lines.append($0.line) } }
    let text = TraceEvent.head + lines.joined(separator: TraceEvent.separator) + TraceEvent.tail
    bytes = Array(text.utf8)
  }

  var recording: Recording {
    get throws { try RecordingFile.read(bytes, name: "made.json") }
  }
}

/// The results of learning from a recording, compared with the recording.
struct LearnedFromNotes {
  let scenario: LearnedScenario
  let comparison: ReplayComparison
  let replay: LearnedReplay

  init(_ recording: Recording) throws {
    scenario = try #require(LearnedScenario(recording, name: "made", source: "made.json"))
    replay = try LearnedReplay(scenario)
    comparison = ReplayComparison(scenario, replay.runAsRecorded())
  }
}
