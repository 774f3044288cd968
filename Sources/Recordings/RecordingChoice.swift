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
    let ofProcess = try threads(of: index)
    switch thread == nil && process == nil
      ? index.choice : try choice(of: index, among: ofProcess)
    {
    case .thread(let place, let because): return (place, because)
    case .tie(_, let because): throw InputError(because)
    case nil:
      throw InputError(
        process.map { "has no slices of the process \(InputError.quoted($0))" }
          ?? "has no thread with slices")
    }
  }

  private func choice(
    of index: RecordingIndex, among ofProcess: [Int]
  ) throws(InputError) -> RecordingIndex.Choice? {
    guard let thread else { return UIThread.choice(of: index, among: ofProcess) }
    let found = Self.matches(thread, ofProcess) {
      (index.threads[$0].number, index.threads[$0].name)
    }
    guard !found.isEmpty else {
      throw InputError(
        "has no thread \(InputError.quoted(thread)); there are "
          + Self.listed(ofProcess.map { index.threads[$0].label }))
    }
    return UIThread.choice(of: index, named: found)
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

  static func listed(_ labels: [String]) -> String {
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
