public import FrameBudget
internal import Parsing

/// Which part of a recording is read.
public struct RecordingChoice: Sendable {
  /// Its name or number; nil for that of the UI thread.
  public var process: String?
  /// Its name or number; nil for the one that the format takes for the UI thread.
  public var thread: String?
  /// Since the recording's begin. Tasks and frames that begin before it are left out.
  public var from: TimeSpan?
  /// Since the recording's begin. Tasks and frames that begin then or later are left out.
  public var to: TimeSpan?

  public init(
    process: String? = nil, thread: String? = nil, from: TimeSpan? = nil, to: TimeSpan? = nil
  ) {
    self.process = process
    self.thread = thread
    self.from = from
    self.to = to
  }
}

extension RecordingChoice {
  /// Which thread of `index` is the UI thread, and why.
  func thread(of index: RecordingIndex) throws(InputError) -> (thread: Int, because: String) {
    if process == nil, thread == nil {
      guard let choice = index.choice else { throw InputError("has no thread with slices") }
      return choice
    }
    let ofProcess = try threads(of: index)
    guard let thread else {
      guard let choice = UIThread.choice(of: index, among: ofProcess) else {
        throw InputError("has no slices of the process \(InputError.quoted(process ?? ""))")
      }
      return choice
    }
    let found = Self.matches(thread, ofProcess) {
      (index.threads[$0].number, index.threads[$0].name)
    }
    guard let busiest = found.max(by: { index.threads[$0].tasks < index.threads[$1].tasks }) else {
      throw InputError(
        "has no thread \(InputError.quoted(thread)); there are "
          + Self.listed(ofProcess.map { index.threads[$0].label }))
    }
    let others = found.count > 1 ? ", with most tasks of \(found.count) such" : ""
    return (busiest, "it was asked for" + others)
  }

  /// The threads of the process that was asked for; all where none was.
  private func threads(of index: RecordingIndex) throws(InputError) -> [Int] {
    let all = Array(index.threads.indices)
    guard let process else { return all }
    let found = Self.matches(process, all) {
      (index.threads[$0].process.number, index.threads[$0].process.name)
    }
    guard !found.isEmpty else {
      var processes: [RecordedProcess] = []
      for thread in index.threads where !processes.contains(thread.process) {
        processes.append(thread.process)
      }
      throw InputError(
        "has no process \(InputError.quoted(process)); there are "
          + Self.listed(processes.map(\.label)))
    }
    return found
  }

  /// Those with the number, else with the name, else with the text in their names.
  private static func matches(
    _ wanted: String, _ threads: [Int], _ key: (Int) -> (number: Int, name: String)
  ) -> [Int] {
    let byNumber = threads.filter { String(key($0).number) == wanted }
    guard byNumber.isEmpty, !wanted.isEmpty else { return byNumber }
    let byName = threads.filter { key($0).name == wanted }
    return byName.isEmpty ? threads.filter { key($0).name.contains(wanted) } : byName
  }

  private static func listed(_ labels: [String]) -> String {
    labels.prefix(12).joined(separator: ", ") + (labels.count > 12 ? ", …" : "")
  }
}

extension RecordedProcess {
  /// How messages call it.
  var label: String { name.isEmpty ? String(number) : "\(number) \(InputError.quoted(name))" }
}

extension RecordingIndex.Thread {
  /// How messages call it.
  var label: String { name.isEmpty ? String(number) : "\(number) \(InputError.quoted(name))" }
}
