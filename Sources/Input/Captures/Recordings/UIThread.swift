internal import FrameBudgetParsing

/// Chooses the thread of a recording that draws, by the rules of its format.
enum UIThread {
  /// The main thread of a page in Chrome.
  static let chromeMain = "CrRendererMain"

  private static let mainThreads: Set = [
    "main", InstrumentsRecording.mainThread, GeckoRecording.mainThread,
  ]

  /// The rules, the most reliable first.
  private enum Rule: CaseIterable {
    case rendererMain, flutter, android, browserMain, own, first, committing, busiest

    func holds(of thread: RecordingIndex.Thread) -> Bool {
      switch self {
      case .rendererMain: thread.name == UIThread.chromeMain
      case .flutter: UIThread.isFlutterUI(thread.name)
      case .android, .first: thread.number == thread.process.number
      case .browserMain: thread.name == "CrBrowserMain"
      case .own: UIThread.mainThreads.contains(thread.name)
      case .committing: thread.frames > 0
      case .busiest: true
      }
    }

    var because: String {
      switch self {
      case .rendererMain: "it is the \(UIThread.chromeMain)"
      case .flutter: "it is the UI thread of Flutter's engine"
      case .android, .first: "it is the first thread of its process"
      case .browserMain: "it is the CrBrowserMain, and no renderer was recorded"
      case .own: "it is the main thread by its name"
      case .committing: "it commits the frames of its process"
      case .busiest: "no thread says that it is the main thread"
      }
    }

    static func rules(of format: RecordingFormat) -> [Self] {
      switch format {
      case .chrome: [.rendererMain, .own, .browserMain, .first, .busiest]
      case .flutter: [.flutter, .first, .busiest]
      case .perfetto: [.rendererMain, .flutter, .android, .own, .busiest]
      case .systrace: [.android, .own, .busiest]
      case .wayland: [.own, .first, .committing, .busiest]
      case .framebudget, .instruments, .firefox, .sysprof: [.own, .first, .busiest]
      }
    }
  }

  /// Considers threads with slices, if there are any: those that drew frames or, if none did, all. Of the threads that satisfy
  /// the first rule that any of them satisfies, it chooses the one with the most frames, or with the most tasks.
  static func choice(
    of index: RecordingIndex, among threads: [Int]? = nil
  ) -> RecordingIndex.Choice? {
    let all = (threads ?? Array(index.threads.indices)).map { Candidate($0, of: index) }
    let working = all.filter { $0.thread.slices > 0 }
    let candidates = working.isEmpty ? all : working
    let drawing = drawing(among: candidates, index.format)
    for rule in Rule.rules(of: index.format) {
      let kept = (drawing.isEmpty ? candidates : drawing).filter { rule.holds(of: $0.thread) }
      if let choice = choice(among: kept, because: rule.because) { return choice }
    }
    return nil
  }

  /// Those that drew frames. In Wayland the frames of a process are those of its thread with most requests for frames, else with
  /// most commits, and of no other.
  private static func drawing(
    among candidates: [Candidate], _ format: RecordingFormat
  ) -> [Candidate] {
    let drawing = candidates.filter { $0.thread.frames > 0 }
    guard format == .wayland else { return drawing }
    var best: [Int: Candidate] = [:]
    for candidate in drawing {
      let process = candidate.thread.process.number
      guard let other = best[process] else {
        best[process] = candidate
        continue
      }
      let (new, old) = (candidate.thread, other.thread)
      if (old.requests, old.frames, new.number) < (new.requests, new.frames, old.number) {
        best[process] = candidate
      }
    }
    return best.values.sorted { $0.threadIndex < $1.threadIndex }
  }

  /// The choice among `threads` of `index`, which were requested by name.
  static func choice(
    of index: RecordingIndex, named threads: [Int]
  ) -> RecordingIndex.Choice? {
    choice(among: threads.map { Candidate($0, of: index) }, because: "it was asked for")
  }

  private static func choice(
    among candidates: [Candidate], because: String
  ) -> RecordingIndex.Choice? {
    guard let first = candidates.first else { return nil }
    // Among equal ones the first.
    let best = candidates.reduce(first) { $0 < $1 ? $1 : $0 }
    let others = candidates.filter { $0.threadIndex != best.threadIndex }
    let rivals = others.filter { best.isLike($0) }
    return rivals.isEmpty
      ? .thread(best.threadIndex, because: because + best.distinction(over: others))
      : tie([best] + rivals)
  }

  /// A thread that may be the UI thread.
  private struct Candidate {
    let threadIndex: Int
    let thread: RecordingIndex.Thread

    init(_ threadIndex: Int, of index: RecordingIndex) {
      self.threadIndex = threadIndex
      thread = index.threads[threadIndex]
    }

    static func < (left: Self, right: Self) -> Bool {
      (left.thread.frames, left.thread.tasks) < (right.thread.frames, right.thread.tasks)
    }

    /// Whether `other`, which does not rank higher, has at least nine tenths of the frames, or of the tasks if there are no
    /// frames. Threads of one process may share its frames, so they must also be close in tasks.
    func isLike(_ other: Self) -> Bool {
      let sharesTasks = Self.isLike(other.thread.tasks, thread.tasks)
      guard thread.frames > 0 else { return sharesTasks }
      return Self.isLike(other.thread.frames, thread.frames)
        && (sharesTasks || other.thread.process != thread.process)
    }

    private static func isLike(_ count: Int, _ maximum: Int) -> Bool { count * 10 >= maximum * 9 }

    /// The property in which it exceeds all others.
    func distinction(over others: [Self]) -> String {
      guard !others.isEmpty else { return "" }
      let next = others.map(\.thread.frames).max() ?? 0
      return thread.frames > next
        ? ", and drew most frames: \(thread.frames), the next one \(next)"
        : " with most tasks of \(others.count + 1)"
    }
  }

  private static func tie(_ rivals: [Candidate]) -> RecordingIndex.Choice {
    let areOfOneProcess = Set(rivals.map(\.thread.process)).count == 1
    let counts = rivals.map { rival in
      let label = areOfOneProcess ? rival.thread.label : rival.thread.process.label
      let (count, noun) =
        rival.thread.frames > 0 ? (rival.thread.frames, "frame") : (rival.thread.tasks, "task")
      return "\(label) with \(count) \(noun)\(count == 1 ? "" : "s")"
    }
    return .tie(
      rivals.map(\.threadIndex),
      because: "the UI thread may be that of \(RecordingChoice.listed(counts)); choose "
        + (areOfOneProcess ? "a thread with --thread" : "a process with --process"))
  }

  /// `1.ui`, `io.flutter.1.ui`, or either with a number that DevTools appends.
  static func isFlutterUI(_ name: String) -> Bool {
    let word = name.prefix { $0 != " " }.split(separator: ".", omittingEmptySubsequences: false)
    return word.count >= 2 && word.last == "ui" && InputNumber.whole(word[word.count - 2]) != nil
  }
}

/// The number of frames of each process, by its number. Consecutive events may belong to one frame.
struct ProcessFrames<Token: Equatable> {
  private var processes: [Int: (frames: Int, newest: Token)] = [:]

  /// Counts a frame unless it is the previous one of the process.
  mutating func count(_ token: Token, of process: Int) {
    let known = processes[process]
    guard known?.newest != token else { return }
    processes[process] = ((known?.frames ?? 0) + 1, token)
  }

  var counts: [Int: Int] { processes.mapValues(\.frames) }
}

extension RecordingIndex {
  /// Ends a tie in which pages of a browser's tab are: the first of them is the one that was asked for. `pages` are the processes
  /// of pages, in the order in which these were opened.
  mutating func settleTie(of pages: [Int]) {
    guard case .tie(let rivals, _) = choice,
      let own = pages.map({ page in rivals.filter { threads[$0].process.number == page } })
        .first(where: { !$0.isEmpty }),
      case .thread(let thread, let because) = UIThread.choice(of: self, among: own)
    else { return }
    choice = .thread(thread, because: because + " of the page that was opened first")
  }
}

extension RecordingIndex.Thread {
  /// Gives all threads of a process its number of frames, unless one of them is known to have drawn some.
  static func share(_ frames: [Int: Int], among threads: inout [Self]) {
    let known = Set(threads.lazy.filter { $0.frames > 0 }.map(\.process.number))
    for index in threads.indices where !known.contains(threads[index].process.number) {
      threads[index].frames = frames[threads[index].process.number] ?? 0
    }
  }
}
