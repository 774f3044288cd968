internal import FrameBudget

/// The frames of a process, in the order of their vsyncs.
struct FoundFrames {
  var frames: [RecordedFrame]
  /// That of vsyncs; nil if unknown.
  var period: TimeSpan?
  /// Instants at which a thread after the UI thread worked on the frame with a number.
  var stageMarks: [StageMark] = []
  /// The frames of other layer trees at the same time, which are not among `frames`.
  var others = FrameCount()
}

/// How many frames were wanted, and how many of them were dropped, as a platform says.
struct FrameCount: Equatable {
  var wanted = 0
  var dropped = 0

  mutating func add(_ frames: [RecordedFrame]) {
    wanted += frames.count { $0.verdict != .notWanted }
    dropped += frames.count { $0.verdict == .dropped }
  }

  /// `42 frames, 17 of them dropped by the browser's count`
  var words: String {
    "\(wanted) frame\(wanted == 1 ? "" : "s"), \(dropped) of them dropped by the browser's count"
  }
}

/// Frames of a process in a Chrome trace, from the available data: reporters, or marks of the compositor or of Flutter's
/// engine.
struct ChromeFrames {
  private var marks: [ChromeMark] = []
  /// When main threads began their parts of frames, and when they committed them; with the layer tree, 0 if unknown.
  private var mainBegins: [(tree: Int, at: Int64)] = []
  private var commits: [(tree: Int, frame: Int, begin: Int64, end: Int64)] = []
  /// In traces without `devtools.timeline`: by frame number, the main thread's part.
  private var mainFrames: [Int: Range<Int64>] = [:]
  private var flutter = FlutterFrames()

  mutating func take(_ event: ChromeEvent) {
    switch event.kind {
    case .mainBegin: mainBegins.append((event.stream.tree, event.instant))
    case .commit where event.phase == .complete:
      if let frame = event.frame {
        commits.append(
          (event.stream.tree, frame, event.instant, event.instant + event.length))
      }
    case .mainFrame where event.phase == .complete:
      if let frame = event.frame {
        mainFrames[frame] = event.instant..<(event.instant + event.length)
      }
    case .flutterVsync, .flutterBegin, .flutterProduced, .flutterRaster: flutter.take(event)
    default: if let mark = ChromeMark(event) { marks.append(mark) }
    }
  }

  /// Whether reporters have the results of frames.
  var isReported: Bool { marks.contains { $0.kind == .report } }

  /// The number of kept values.
  var count: Int { marks.count + mainBegins.count + commits.count + mainFrames.count }

  /// The frames of the layer tree that has the most of them, and of those before and after it: a new document, or one that comes
  /// back, has a tree of its own. `openSince` is the time since which the main thread has been in a task that has not ended.
  consuming func found(openSince: Int64? = nil) -> FoundFrames {
    if marks.isEmpty, !flutter.isEmpty { return flutter.found() }
    let isReported = isReported
    let trees = trees().map { (tree: $0, size: isReported ? $0.reports : $0.begins) }
      .sorted { ($1.size, $0.tree.number) < ($0.size, $1.tree.number) }
    var sequence = TreeSequence()
    var others = FrameCount()
    for (tree, _) in trees {
      let frames = tree.frames(openSince: openSince).filter(\.hasVsync)
      if !sequence.take(frames) { others.add(frames.map(\.frame)) }
    }
    return FoundFrames(
      frames: sequence.frames.map(\.frame).sorted { $0.vsync < $1.vsync },
      period: ChromeFrame.period(of: sequence.frames), others: others)
  }

  /// The layer trees, in the order of their first marks.
  consuming func trees() -> [ChromeTree] {
    marks.sort { $0.instant < $1.instant }
    endReports()
    let works = works()
    // What does not say its tree may be of any.
    let shared = works[0] ?? [:]
    return marks.grouped(by: \.tree).map { tree, marks in
      let own = tree == 0 ? [:] : works[tree] ?? [:]
      return ChromeTree(number: tree, marks, own.merging(shared) { own, _ in own })
    }
  }

  /// Gives each reporter its end. Its identity is unique only at a time.
  private mutating func endReports() {
    var open: [UInt64: Int] = [:]
    for index in marks.indices {
      let mark = marks[index]
      if mark.kind == .report {
        open[mark.identity] = index
      } else if mark.kind == .reportEnd, let report = open.removeValue(forKey: mark.identity) {
        marks[report].end = mark.instant
      }
    }
    marks.removeAll { $0.kind == .reportEnd }
  }

  /// By layer tree, 0 if unknown, and frame number: the interval in which the main thread worked on its part.
  private func works() -> [Int: [Int: Range<Int64>]] {
    if commits.isEmpty { return [0: mainFrames] }
    let begins = mainBegins.sorted { $0.at < $1.at }
    var works: [Int: [Int: Range<Int64>]] = [:]
    var newest: [Int: Int64] = [:]
    var next = 0
    for commit in commits.sorted(by: { $0.begin < $1.begin }) {
      while next < begins.count, begins[next].at <= commit.begin {
        newest[begins[next].tree] = begins[next].at
        next += 1
      }
      guard works[commit.tree]?[commit.frame] == nil else { continue }
      let ofTree = newest[commit.tree] ?? newest[0]
      let begin = (commit.tree == 0 ? newest.values.max() : ofTree) ?? commit.begin
      works[commit.tree, default: [:]][commit.frame] = begin..<commit.end
      // Each begin is that of one commit.
      newest = newest.filter {
        $0.value > begin || commit.tree != 0 && $0.key != 0 && $0.key != commit.tree
      }
    }
    return works
  }
}

/// The frames of layer trees that follow one another: at most few vsyncs want a frame of two of them.
private struct TreeSequence {
  private(set) var frames: [ChromeFrame] = []
  /// The vsyncs of `frames` that were wanted, in order.
  private var wanted: [Int64] = []

  /// Less than half a period of any screen in use, in nanoseconds.
  private static let near: Int64 = 3_000_000

  /// Adds the frames of a tree. Returns false, and leaves them out, if more than a tenth of them are wanted together with known
  /// ones.
  mutating func take(_ added: [ChromeFrame]) -> Bool {
    let instants = added.filter(\.isWanted).map(\.frame.vsync.nanoseconds)
    let both = instants.count { instant in
      let next = wanted.partitioningIndex { $0 >= instant - Self.near }
      return next < wanted.count && wanted[next] <= instant + Self.near
    }
    guard frames.isEmpty || !instants.isEmpty && both * 10 <= instants.count else { return false }
    frames += added
    wanted = (wanted + instants).sorted()
    return true
  }
}

/// The data that is kept of a compositor's event about a frame.
struct ChromeMark {
  enum Kind { case begin, draw, drop, report, reportEnd }

  let kind: Kind
  /// The result, of a report only.
  let state: ChromeEvent.State?
  let isForked: Bool
  let instant: Int64
  /// When the reporter ended; nil if that was not recorded.
  fileprivate(set) var end: Int64?
  /// The number of the frame; nil if unknown.
  let number: Int?
  let source: Int
  let tree: Int
  let identity: UInt64

  /// Nil for other events.
  init?(_ event: ChromeEvent) {
    switch event.kind {
    case .begin: kind = .begin
    case .draw: kind = .draw
    case .drop: kind = .drop
    case .report where event.isOfFrames: kind = .report
    case .report where event.phase == .asyncEnd: kind = .reportEnd
    default: return nil
    }
    state = kind == .report ? event.state : nil
    isForked = event.isForked
    (instant, number, source) = (event.instant, event.frame, event.source)
    (tree, identity) = (event.stream.tree, event.identity)
  }
}
