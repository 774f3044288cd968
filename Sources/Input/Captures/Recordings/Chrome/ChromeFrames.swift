internal import FrameBudget

/// The frames of a process, in the order of their vsyncs.
struct FoundFrames {
  var frames: [RecordedFrame]
  /// That of vsyncs; nil if unknown.
  var period: TimeSpan?
  /// Instants at which a thread after the UI thread worked on the frame with a number.
  var stageMarks: [StageMark] = []
}

/// Frames of a process in a Chrome trace, from the available data: reporters, or marks of the compositor or of Flutter's
/// engine.
struct ChromeFrames {
  private var marks: [ChromeMark] = []
  /// The times at which main threads began their parts of frames, and committed them.
  private var mainBegins: [Int64] = []
  private var commits: [(frame: Int, begin: Int64, end: Int64)] = []
  /// In traces without `devtools.timeline`: by frame number, the main thread's part.
  private var mainFrames: [Int: Range<Int64>] = [:]
  private var flutter = FlutterFrames()

  mutating func take(_ event: ChromeEvent) {
    switch event.kind {
    case .mainBegin: mainBegins.append(event.instant)
    case .commit where event.phase == .complete:
      if let frame = event.frame {
        commits.append((frame, event.instant, event.instant + event.length))
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

  /// The frames of the layer tree that has the most of them. `openSince` is the time since which the main thread has been in a
  /// task that has not ended.
  consuming func found(openSince: Int64? = nil) -> FoundFrames {
    if marks.isEmpty, !flutter.isEmpty { return flutter.found() }
    let isReported = isReported
    let trees = trees().map { (tree: $0, frames: isReported ? $0.reports : $0.begins) }
    let busiest = trees.max { ($0.frames, -$0.tree.number) < ($1.frames, -$1.tree.number) }
    guard let tree = busiest?.tree else { return FoundFrames(frames: []) }
    let frames = tree.frames(openSince: openSince).filter(\.hasVsync)
    return FoundFrames(
      frames: frames.map(\.frame).sorted { $0.vsync < $1.vsync },
      period: ChromeFrame.period(of: frames))
  }

  /// The layer trees, in the order of their first marks.
  consuming func trees() -> [ChromeTree] {
    marks.sort { $0.instant < $1.instant }
    endReports()
    let works = works()
    return marks.grouped(by: \.tree).map { ChromeTree(number: $0.key, $0.elements, works) }
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

  /// By frame number: the interval in which the main thread worked on its part.
  private func works() -> [Int: Range<Int64>] {
    if commits.isEmpty { return mainFrames }
    let begins = mainBegins.sorted()
    var works: [Int: Range<Int64>] = [:]
    var next = 0
    for commit in commits.sorted(by: { $0.begin < $1.begin }) where works[commit.frame] == nil {
      var begin = commit.begin
      while next < begins.count, begins[next] <= commit.begin {
        begin = begins[next]
        next += 1
      }
      works[commit.frame] = begin..<commit.end
    }
    return works
  }
}

/// The data that is kept of a compositor's event about a frame.
struct ChromeMark {
  enum Kind { case begin, draw, drop, report, reportEnd }

  let kind: Kind
  /// The result, of a report only.
  let state: ChromeEvent.State?
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
    (instant, number, source) = (event.instant, event.frame, event.source)
    (tree, identity) = (event.stream.tree, event.identity)
  }
}
