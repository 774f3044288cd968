internal import FrameBudget
internal import FrameBudgetParsing

/// What a capture says of a process with GTK. Marks do not name their threads: GTK's are those of the main thread, unless their
/// names say otherwise.
struct SysprofProcess {
  /// A named interval.
  struct Slice {
    let name: Int32
    let span: Range<Int64>

    /// In nanoseconds.
    var length: Int64 { span.upperBound - span.lowerBound }
  }

  var name = ""
  private(set) var slices: [Slice] = []
  /// The app's own marks, of any thread.
  private(set) var own: [Slice] = []
  private(set) var frames = SysprofFrames()
  /// When samples found the main thread to run, without a pause; in the order in which they came.
  private var runs: [ClosedRange<Int64>] = []
  /// The number of GTK's marks of other threads.
  private(set) var others = 0
  /// The number of marks, and of runs.
  private(set) var kept = 0

  /// A busy thread has a thousand samples a second, so those without a pause are kept as one run. Returns whether one begins.
  mutating func sample(at instant: Int64) -> Bool {
    if let last = runs.last, last.lowerBound <= instant,
      instant - last.upperBound <= Self.longestGap
    {
      runs[runs.count - 1] = last.lowerBound...max(last.upperBound, instant)
      return false
    }
    runs.append(instant...instant)
    kept += 1
    return true
  }

  mutating func take(_ span: Range<Int64>, _ meaning: SysprofNames.Meaning, name: Int32) {
    kept += 1
    switch meaning {
    case .cycle, .render:
      frames.take(span, isCycle: meaning == .cycle)
      add(span, name)
    case .commit: frames.commit(at: span.lowerBound)
    case .swap:
      frames.swap(at: span.lowerBound)
      add(span, name)
    case .frameEvent: frames.event(at: span.lowerBound)
    case .presented: frames.presented(at: span.lowerBound)
    case .ofThread: others += 1
    case .work: add(span, name)
    case .own: if !span.isEmpty { own.append(Slice(name: name, span: span)) }
    case .wait: break
    }
  }

  private mutating func add(_ span: Range<Int64>, _ name: Int32) {
    if !span.isEmpty { slices.append(Slice(name: name, span: span)) }
  }

  /// The main thread; `task` is the number of the name of work without one.
  consuming func thread(task: Int32) -> SysprofThread {
    let marked: [Range<Int64>] = slices.map(\.span).joined
    let ran = Self.joined(runs)
    let (found, late, period) = frames.found(running: (ran + marked).joined)
    let (held, rest) = Self.divided(own, by: late)
    let known: [Range<Int64>] = (marked + held.map(\.span)).joined
    let unmarked = (ran + late).joined
    for busy in (unmarked + known).joined where !busy.without(known).isEmpty {
      slices.append(Slice(name: task, span: busy))
    }
    return SysprofThread(
      isOfGTK: !marked.isEmpty, slices: slices + held, measures: rest,
      ownNames: Set(held.map(\.name)), frames: found,
      period: period, doubts: doubts(hasEvents: frames.hasEvents))
  }

  /// Samples come every millisecond in which a thread runs, or every 1.2 million cycles.
  static let longestGap: Int64 = 2_500_000

  /// The same in order, as samples of two cores come one behind the other. A single sample has no length, and is left out.
  private static func joined(_ runs: [ClosedRange<Int64>]) -> [Range<Int64>] {
    var joined: [Range<Int64>] = []
    for run in runs.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = joined.last, run.lowerBound - last.upperBound <= longestGap {
        joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, run.upperBound)
      } else {
        joined.append(run.lowerBound..<run.upperBound)
      }
    }
    return joined.filter { !$0.isEmpty }
  }

  /// By how much later than the end of a mark that held it up the thread answers at most.
  private static let answer: Int64 = 1_000_000

  /// The app's marks that held up the main thread, and the others. One of another thread hardly begins before the time in which
  /// the main one does not answer, and ends with it.
  private static func divided(
    _ own: [Slice], by late: [Range<Int64>]
  ) -> (held: [Slice], rest: [Slice]) {
    var (held, rest): ([Slice], [Slice]) = ([], [])
    for mark in own {
      let next = late.partitioningIndex { $0.lowerBound >= mark.span.lowerBound }
      let isHeld =
        next < late.count && late[next].lowerBound < mark.span.upperBound
        && (0...answer).contains(late[next].upperBound - mark.span.upperBound)
      if isHeld { held.append(mark) } else { rest.append(mark) }
    }
    return (held, rest)
  }

  private func doubts(hasEvents: Bool) -> [String] {
    var doubts = [
      runs.isEmpty
        ? "GTK marks no work between frames: only how much later than usual the main thread heard of the compositor's calls "
          + "shows that it was busy, or without a core"
        : "GTK marks no work between frames: only samples, and how much later than usual the main thread heard of the "
          + "compositor's calls, show that it was busy",
      "GTK only estimates when a frame was on the screen: it counts as shown at the vsync after its end",
    ]
    if !hasEvents {
      doubts.append(
        "the compositor's calls were not recorded: a frame counts as wanted when it begins")
    }
    if !own.isEmpty {
      doubts.append(
        "the app's marks do not name their threads: those that lie in tasks of the main thread count as its work"
      )
    }
    if others > 0 { doubts.append("\(others) marks of other threads are left out") }
    return doubts
  }
}

/// The main thread of a process in a capture.
struct SysprofThread {
  /// Whether GTK marked anything on it.
  let isOfGTK: Bool
  let slices: [SysprofProcess.Slice]
  let measures: [SysprofProcess.Slice]
  /// The numbers of names that the app gave to slices.
  let ownNames: Set<Int32>
  let frames: [RecordedFrame]
  let period: TimeSpan?
  let doubts: [String]
}

/// The names of marks, with what they mean.
struct SysprofNames {
  enum Meaning {
    /// A frame on the main thread, and the drawing of it.
    case cycle, render
    /// A picture was handed to the compositor, which has called for the next one, or may have shown one.
    case commit, swap, frameEvent, presented
    /// Of GTK, on the main thread or on another one.
    case work, ofThread
    /// No work, although it has a length.
    case wait
    /// Of the app.
    case own
  }

  private(set) var interned = InternedNames()
  /// By name of GTK.
  private var known: [Int: Meaning] = [:]
  /// Those of GTK whose marks have their own names in the message.
  private let topics: Set<Int>
  let task: Int32

  init() {
    topics = [interned.intern("wayland"), interned.intern("EGL")]
    task = Int32(interned.intern("Task"))
  }

  mutating func meaning(
    of mark: SysprofMark, _ bytes: Span<UInt8>
  ) -> (meaning: Meaning, name: Int32) {
    var name = interned.intern(bytes.extracting(mark.name.isEmpty ? mark.group : mark.name))
    if Self.isText("gtk", bytes, mark.group) {
      if topics.contains(name) { name = interned.intern(bytes.extracting(mark.message)) }
      return (known(name), Int32(name))
    }
    // Calls of the main thread; an iteration includes the wait for the next event.
    if Self.isText("speedtrack", bytes, mark.group) {
      let isLoop = interned[name] == "g_main_context_iteration"
      return (isLoop ? .wait : .work, Int32(name))
    }
    return (.own, Int32(name))
  }

  private static func isText(
    _ text: StaticString, _ bytes: Span<UInt8>, _ range: Range<Int>
  ) -> Bool {
    var at = range.lowerBound
    return TextScan.takeText(text, bytes, &at) && at == range.upperBound
  }

  private mutating func known(_ name: Int) -> Meaning {
    if let meaning = known[name] { return meaning }
    let meaning = Self.meaning(of: interned[name].lowercased())
    known[name] = meaning
    return meaning
  }

  /// Of GTK 4's names, which newer versions begin with a capital, or with `Wayland` or `EGL` in place of a message.
  private static func meaning(of name: String) -> Meaning {
    switch name {
    case "frameclock cycle": .cycle
    case "widget render": .render
    case "surface commit", "wayland surface commit": .commit
    case "swap buffers", "egl swap buffers": .swap
    case "frame event", "wayland frame event": .frameEvent
    case "presented window": .presented
    case "frameclock frozen", "drawn window": .wait
    default: name.hasSuffix("(thread)") ? .ofThread : .work
    }
  }
}
