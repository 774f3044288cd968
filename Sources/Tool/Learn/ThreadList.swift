internal import Parsing
internal import Recordings

/// Which processes and threads a recording has, for people.
enum ThreadList {
  static func text(_ index: RecordingIndex) -> String {
    var lines = [index.format.title]
    for process in processes(index) {
      lines.append(
        "process \(process.number)\(process.name.isEmpty ? "" : " \(process.name.printable)")")
      for (place, thread) in index.threads.enumerated() where thread.process == process {
        let mark = index.choice?.thread == place ? "*" : " "
        lines.append(
          "  \(mark) thread \(label(thread)): \(thread.slices) slices, \(thread.tasks) tasks")
      }
    }
    if let because = index.choice?.because {
      lines.append("* is taken for the UI thread: \(because)")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  static func label(_ thread: RecordingIndex.Thread) -> String {
    thread.name.isEmpty ? "\(thread.number)" : "\(thread.number) \(thread.name.printable)"
  }

  /// Each once, in the order of their first threads.
  private static func processes(_ index: RecordingIndex) -> [RecordedProcess] {
    var seen: Set<RecordedProcess> = []
    return index.threads.map(\.process).filter { seen.insert($0).inserted }
  }
}
