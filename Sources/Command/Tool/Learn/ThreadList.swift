internal import FrameBudget
internal import FrameBudgetLearning
internal import FrameBudgetParsing
internal import FrameBudgetCaptures

/// Lists the processes and threads of a recording, and the parts of what the UI thread draws, for people.
enum ThreadList {
  /// `learned` is what the chosen thread did; nil if no thread is chosen, or none can be learned.
  static func text(_ index: RecordingIndex, _ learned: LearnedScenario?) -> String {
    var lines = [index.format.title]
    for process in index.threads.map(\.process).distinct() {
      lines.append(
        "process \(process.number)\(process.name.isEmpty ? "" : " \(process.name.printable)")")
      for (place, thread) in index.threads.enumerated() where thread.process == process {
        let frames = thread.frames > 0 ? ", \(thread.frames) frames" : ""
        lines.append(
          "  \(mark(of: place, index.choice)) thread \(label(thread)): \(thread.slices) slices, "
            + "\(thread.tasks) tasks\(frames)")
      }
    }
    switch index.choice {
    case .thread(_, let because): lines.append("* assumed UI thread: \(because)")
    case .tie(_, let because): lines.append("? \(because.printable)")
    case nil: break
    }
    if let learned { lines += parts(of: learned) }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The line of all drawing, and one for each part.
  private static func parts(of learned: LearnedScenario) -> [String] {
    let parts = learned.partTotals
    guard !parts.isEmpty else { return [] }
    let all = learned.drawingTime
    return [
      "parts of drawing: \(ms(all)) in \(learned.drawnFrames) frames, \(learned.droppedFrames) vsyncs dropped"
    ]
      + parts.map { part in
        let share = Decimal.text(100 * part.span.inSeconds / all.inSeconds, places: 1)
        return
          "  \(part.name): \(ms(part.span)) (\(share) %) in \(part.frames) frames, in \(part.dropped) of "
          + "\(learned.droppedFrames) dropped"
      }
  }

  private static func ms(_ span: TimeSpan) -> String {
    "\(Decimal.text(span.inMilliseconds, places: 1)) ms"
  }

  /// `thread 1 CrRendererMain of process 7 Renderer: it is the CrRendererMain; --process chooses another of 3 processes, which
  /// --list shows`
  static func choice(of place: Int, _ because: String, in index: RecordingIndex) -> String {
    let thread = index.threads[place]
    let processes = index.threads.filter { $0.slices > 0 || $0.frames > 0 }.map(\.process)
      .distinct().count
    guard processes > 1 else { return "thread \(label(thread)): \(because)" }
    let process = thread.process
    let name = process.name.isEmpty ? "" : " \(process.name.printable)"
    return "thread \(label(thread)) of process \(process.number)\(name): \(because); "
      + "--process chooses another of \(processes) processes, which --list shows"
  }

  private static func mark(of place: Int, _ choice: RecordingIndex.Choice?) -> String {
    switch choice {
    case .thread(place, _): "*"
    case .tie(let places, _) where places.contains(place): "?"
    default: " "
    }
  }

  static func label(_ thread: RecordingIndex.Thread) -> String {
    thread.name.isEmpty ? "\(thread.number)" : "\(thread.number) \(thread.name.printable)"
  }
}
