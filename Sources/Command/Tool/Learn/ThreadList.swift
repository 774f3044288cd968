internal import FrameBudget
internal import FrameBudgetParsing
internal import FrameBudgetCaptures

/// Lists the processes and threads of a recording, for people.
enum ThreadList {
  static func text(_ index: RecordingIndex) -> String {
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
    return lines.joined(separator: "\n") + "\n"
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
