internal import FrameBudget
internal import FrameBudgetParsing

/// An event of a Chrome trace; `ChromeEvents` reads it.
package struct ChromeEvent {
  /// The meaning of an event's name, for names that matter.
  package enum Kind: Sendable {
    case begin, draw, drop
    /// The result of a frame, in `state`.
    case report
    /// The main thread begins its part of a frame, and commits it to the compositor; both, in the compositor's own words.
    case mainBegin, commit, mainFrame
    case processName, threadName, cores
    /// Flutter: the vsync of a frame, its start, its hand-over to the raster thread, and its drawing there.
    case flutterVsync, flutterBegin, flutterProduced, flutterRaster
    /// The loop that runs tasks; it is not a task itself.
    case loop
    /// A task of a thread; an entry of Event Timing; a page's frame and the work before it.
    case task, eventTiming, animationFrame
    /// A page starts a timer; a timer fires.
    case timerStart, timerFiring
    /// The documents of a page and of its frames, with their processes, or the start of such a process.
    case documents
    /// The mark of a recorder, `PageMark`, in the page's process.
    case pageMark
    /// A call of a page's function; an event of its type in `text`, with all its listeners; the begin of a profile of V8, and a piece
    /// of it.
    case call, dispatch, profile, profilePiece
  }

  /// A layer tree of a process.
  package struct Stream: Hashable {
    package var process: Int
    package var tree: Int
  }

  /// A reporter's result of a frame, the worst first.
  package enum State: String, CaseIterable {
    case dropped = "STATE_DROPPED"
    case all = "STATE_PRESENTED_ALL"
    case partial = "STATE_PRESENTED_PARTIAL"
    case notWanted = "STATE_NO_UPDATE_DESIRED"
  }

  /// The results of a frame's reporters, of which there may be several.
  package struct States: Hashable, Sendable {
    private var states: Set<State> = []

    package init() {}

    package mutating func insert(_ state: State) { states.insert(state) }

    /// A frame is dropped if any of them calls it dropped, even if a later one shows it. Otherwise it was shown, wholly or
    /// partly; if no reporter wanted an update, the frame was not wanted.
    package var verdict: RecordedFrame.Verdict {
      if states.contains(.dropped) { return .dropped }
      if states.contains(.all) { return .shown }
      return states.contains(.partial) ? .partial : .notWanted
    }
  }

  /// The kinds of events, by the letters of the format.
  package enum Phase: UInt8 {
    case complete = 0x58  // X
    case begin = 0x42  // B
    case end = 0x45  // E
    case asyncBegin = 0x62  // b
    case asyncEnd = 0x65  // e
    case flowBegin = 0x73  // s
    case flowStep = 0x74  // t
    case flowEnd = 0x66  // f
    case metadata = 0x4D  // M
  }

  /// Its number among the names of its `ChromeEvents`.
  package internal(set) var name = 0
  package internal(set) var kind: Kind?
  /// Nil for kinds of events that are not distinguished.
  package internal(set) var phase: Phase?
  /// In nanoseconds, on the clock of the file.
  package internal(set) var instant: Int64 = 0
  package internal(set) var stream = Stream(process: 0, tree: 0)
  package internal(set) var thread = 0
  /// In nanoseconds: its duration, and its processor time.
  var length: Int64 = 0
  var cpuLength: Int64?
  /// The processor time of its thread before it.
  var cpuInstant: Int64?
  /// The id that the events of a chain, or begin and end of an interval, share.
  var identity: UInt64 = 0
  var category = ChromeCategory()
  /// The id of a flow that is an argument of a slice.
  var bound: UInt64?
  var flowsOut = false
  var flowsIn = false
  /// Whether a flow ends at the enclosing slice, not at the next one.
  var bindsEnclosing = false

  // The values of its arguments.
  package internal(set) var text: String?
  /// The display, or other source, whose vsyncs the frame's number counts.
  package internal(set) var source = 0
  package internal(set) var frame: Int?
  package internal(set) var state: State?
  /// Of a report: whether it is of a frame's picture alone, while another one waits for the main thread's part.
  var isForked = false
  var count: Int?
  /// Flutter: the vsync of a frame, and the time at which it should be shown, in nanoseconds.
  var start: Int64?
  var target: Int64?

  /// For an entry of Event Timing, whose instant is that of the input.
  var input: InputTiming?
  var timer: TimerEvent?
  var documents: PageDocuments?
  var function: PageFunction?
  var profile: ProfilePiece?
  /// How long an animation frame blocked input, in nanoseconds; nil for other events.
  var blocking: Int64?

  /// Whether a page would report it through a `PerformanceObserver`.
  package var isOfPage: Bool {
    switch kind {
    case .eventTiming, .animationFrame: phase == .asyncBegin || phase == .asyncEnd
    case .task: phase == .complete
    case .threadName: true
    default: false
    }
  }

  /// Whether it is a slice without work: the loop around tasks.
  var isNoWork: Bool { kind == .loop }

  /// Whether its thread begins a frame.
  var isFrameOfThread: Bool {
    switch kind {
    case .mainBegin: true
    case .flutterBegin: phase == .begin || phase == .complete
    default: false
    }
  }

  /// Whether it shows that a frame of its process was wanted, from a compositor.
  var isWantedFrame: Bool {
    kind == .report && phase == .asyncBegin && state != nil && state != .notWanted
  }

  /// Its thread.
  var track: TraceTrack { TraceTrack(process: stream.process, thread: thread) }

  /// Whether its times are in the range in which sums of them are safe.
  var hasSafeTimes: Bool {
    InputTime.instants.contains(instant) && InputTime.spans.contains(length)
  }

  /// Whether it is about the main thread's part of a frame.
  package var isOfMainThread: Bool {
    switch kind {
    case .mainBegin, .commit, .mainFrame: true
    default: false
    }
  }

  /// Whether it is about frames.
  package var isOfFrames: Bool {
    switch kind {
    case .begin, .draw, .drop: true
    // The state is in its begin event.
    case .report: phase == .asyncBegin && state != nil
    default: false
    }
  }
}

/// An input in Event Timing, in nanoseconds since it. A class, because few events have one and all are copied.
final class InputTiming: Sendable {
  /// The id that the events of one click, tap or key press share; 0 for others.
  let interaction: Int64
  /// Until the next paint.
  let duration: Int64
  /// Until the start of the first handler, and until the end of the last one.
  let handlers: ClosedRange<Int64>

  init(interaction: Int64, duration: Int64, handlers: ClosedRange<Int64>) {
    (self.interaction, self.duration, self.handlers) = (interaction, duration, handlers)
  }

  /// The same on the clock with the input at `instant`.
  func input(at instant: Int64) -> Interactions.Input {
    Interactions.Input(
      interaction: interaction, at: instant,
      handlers: instant + handlers.lowerBound...instant + handlers.upperBound,
      paint: instant + duration)
  }
}

/// A function of a page. A class, because all events are copied and few have one.
final class PageFunction: Sendable {
  private let function: String
  private let address: String
  private let line: Int64?

  /// `function` is empty if it has no name. The line counts from 1.
  init(_ function: String, address: String, line: Int64?) {
    (self.function, self.line) = (function, line)
    self.address = String(address.prefix { $0 != "?" && $0 != "#" }.prefix(Self.longestAddress))
  }

  /// Such as `render (list.js:12)`, with its line; the file of a page without one is its host.
  var name: String {
    let name = function.isEmpty ? "anonymous" : String(function.prefix(Self.longest))
    return "\(name) (\(file)\(line.map { ":\($0)" } ?? ""))"
  }

  private var file: String { path.last.map { String($0.prefix(Self.longest)) } ?? "page" }

  private var path: [Substring] { address.split(separator: "/") }

  private static let longest = 60
  private static let longestAddress = 2000
  /// In which sites keep what others wrote.
  private static let folders: Set<Substring> = [
    "node_modules", "bower_components", "vendor", "vendors", "lib", "libs",
  ]

  /// That of its file; nil if the address has none.
  var site: String? { PageDocuments.site(of: address) }

  /// Whether its file has the name, or is in a folder, of a library.
  var isOfLibrary: Bool {
    file.contains(".min.") || path.dropLast().contains(where: Self.folders.contains)
  }

  /// Whether the page of `site` has it from a library: what a site has from another one is its library's.
  func isOfLibrary(in site: String?) -> Bool {
    if isOfLibrary { return true }
    guard let site, let own = self.site else { return false }
    return own != site
  }
}

/// The mark that a recorder sets in the page, by `performance.mark`, just before the recording ends. It says which process is the
/// page's if the browser's events about documents are lost: they come at the start of a recording and when the page goes elsewhere,
/// and a ring buffer keeps only the end.
public enum PageMark {
  public static let name = "framebudget-page"
}

/// The documents that a browser has loaded, each in a process. A class, because few events have some and all are copied.
final class PageDocuments: Sendable {
  struct Document: Sendable {
    /// Nil as long as it has not started.
    var process: Int?
    /// A fingerprint of the browser's own name for a process that had not started; 0 for others.
    var pseudoProcess: UInt64
    /// Whether it is a page, or a frame in one.
    var isPage: Bool
    var address: String
  }

  let all: [Document]

  init(_ all: [Document]) { self.all = all }

  /// The site of an address, such as `https://example.org`; nil if it has none.
  static func site(of address: String) -> String? {
    let address = address.hasPrefix("blob:") ? address.dropFirst(5) : address[...]
    let site = address.split(separator: "/", maxSplits: 2).prefix(2)
    guard site.count == 2, site[0].hasSuffix(":") else { return nil }
    return String(site.joined(separator: "//").prefix(100))
  }
}

/// The properties of an event that follow from its category.
struct ChromeCategory: OptionSet, Sendable {
  let rawValue: UInt8

  /// The page's own measure, `performance.measure`.
  static let userTiming = Self(rawValue: 1)

  init(rawValue: UInt8) { self.rawValue = rawValue }

  init(_ text: String) {
    self = text.split(separator: ",").contains("blink.user_timing") ? .userTiming : []
  }
}
