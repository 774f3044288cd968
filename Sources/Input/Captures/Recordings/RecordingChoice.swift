public import FrameBudget
internal import FrameBudgetParsing

/// The part of a recording to read.
public struct RecordingChoice: Sendable {
  /// Its name or number; nil for the process of the UI thread.
  public var process: String?
  /// Its name or number; nil for the default of the format.
  public var thread: String?
  /// Since the recording's start. Earlier tasks and frames are left out.
  public var from: TimeSpan?
  /// Since the recording's start. Tasks and frames that begin then or later are left out.
  public var to: TimeSpan?
  /// Whether Chrome's calls of a page's functions are called by the functions' names and files, not `FunctionCall`.
  public var namesFunctions: Bool
  /// Whether Chrome's `EventDispatch` is called by the type of its event, too: `EventDispatch (input)`.
  public var namesEvents: Bool

  public init(
    process: String? = nil, thread: String? = nil, from: TimeSpan? = nil, to: TimeSpan? = nil,
    namesFunctions: Bool = false, namesEvents: Bool = false
  ) {
    self.process = process
    self.thread = thread
    self.from = from
    self.to = to
    self.namesFunctions = namesFunctions
    self.namesEvents = namesEvents
  }
}

extension RecordingChoice {
  /// The UI thread of `index`, and the reason for the choice.
  func thread(of index: RecordingIndex) throws(InputError) -> (thread: Int, because: String) {
    let ofProcess = try threads(of: index)
    switch thread == nil && process == nil
      ? index.choice : try choice(of: index, among: ofProcess)
    {
    case .thread(let chosen, let because): return (chosen, because)
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
        "has no thread \(InputError.quoted(thread)); known threads: "
          + Self.listed(ofProcess.map { index.threads[$0].label }))
    }
    return UIThread.choice(of: index, named: found)
  }

  /// The threads of the chosen process; all if none was chosen.
  private func threads(of index: RecordingIndex) throws(InputError) -> [Int] {
    let all = Array(index.threads.indices)
    guard let process else { return all }
    let found = Self.matches(process, all) {
      (index.threads[$0].process.number, index.threads[$0].process.name)
    }
    guard !found.isEmpty else {
      let processes = index.threads.map(\.process).distinct()
      throw InputError(
        "has no process \(InputError.quoted(process)); known processes: "
          + Self.listed(processes.map(\.label)))
    }
    return found
  }

  /// Matches by number, otherwise by name, otherwise by a part of the name.
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
  /// The name in messages.
  var label: String { name.isEmpty ? String(number) : "\(number) \(InputError.quoted(name))" }
}

extension RecordingIndex.Thread {
  /// The name in messages.
  var label: String { RecordedProcess(number: number, name: name).label }
}
