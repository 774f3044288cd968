/// When a main loop of events posts the event of a frame, and to which vsync that frame belongs: the rules of `MainLoop.Events`,
/// the same in both engines.
///
/// A vsync that wants a frame posts one event; no second one while one waits. Where no buffer is free it is posted at the
/// vsync that frees one.
public struct FrameEvents: Sendable {
  private let refresh: RefreshRate
  private let deadline: Int
  private let frameTime: MainLoop.Events.FrameTime
  /// On demand, the vsyncs at which frames are wanted to begin, in order; nil where every one wants a frame.
  private var requests: [Int]?
  /// The vsync of the newest frame, and when it left the main thread.
  private var begun = -1
  private var ended = Instant(nanoseconds: .min)

  /// Of a run that begins.
  init(_ display: Display, _ loop: MainLoop.Events) {
    refresh = display.refresh
    deadline = display.pipeline.deadline
    frameTime = loop.frameTime
    if case .onDemand(let instants) = display.frames {
      requests = []
      for instant in instants { request(at: .zero + instant) }
    }
  }

  /// The event of a frame.
  public struct Event: Hashable, Sendable {
    /// The vsync that posts it.
    public let vsync: Int
    /// When it is posted; behind a frame that is late that may be later than the vsync.
    public let posted: Instant
    /// Whether it would have been posted earlier if a buffer had been free.
    let isStuffed: Bool
    /// The first vsync by which it is wanted to be shown; 0 where that is whatever vsync follows the frame before.
    let wanted: Int
  }

  /// Notes that somebody wants a frame at the first vsync at or after `instant`.
  mutating func request(at instant: Instant) {
    guard var all = requests else { return }
    let vsync = refresh.firstVsync(atOrAfter: instant)
    // Mostly the newest one: from the end.
    var place = all.count
    while place > 0, all[place - 1] > vsync { place -= 1 }
    if place > 0, all[place - 1] == vsync { return }
    requests = nil
    all.insert(vsync, at: place)
    requests = all
  }

  /// The next event, if there is a buffer from vsync `free` on; nil while nobody wants a frame.
  func next(freeFrom free: Int) -> Event? {
    let first: Int
    if let requests {
      guard let request = requests.first else { return nil }
      first = request
    } else {
      first = begun + 1
    }
    var vsync = max(first, begun + 1)
    var posted = Instant(nanoseconds: .min)
    if frameTime == .posted, refresh.vsync(vsync) <= ended {
      // The newest that passed while a frame was at work, posted when that ends.
      vsync = refresh.vsyncs(through: ended)
      posted = ended
    }
    return Event(
      vsync: max(vsync, free), posted: max(refresh.vsync(max(vsync, free)), posted),
      isStuffed: free > vsync, wanted: requests == nil ? 0 : first + deadline)
  }

  /// Begins the frame of `event`; returns the vsync to which it belongs. It is for all that wanted one by then.
  mutating func begin(_ event: Event, at instant: Instant) -> Int {
    begun = frameTime == .posted ? event.vsync : refresh.vsyncs(through: instant)
    requests?.removeAll { $0 <= begun }
    return begun
  }

  /// Notes that the newest frame has left the main thread.
  mutating func ended(at instant: Instant) { ended = instant }
}

/// What a main loop of events did since it was last idle: what a frame that waited meanwhile is charged with, and what kept
/// it waiting longest.
struct BusyTime: Sendable {
  private var spans: [(phase: Phase, from: Instant, to: Instant)] = []
  /// Frames and other events: what each kept the thread for, until when, and why so long.
  private var events: [(span: TimeSpan, to: Instant, cause: Cause)] = []

  /// Notes what the thread did between two frames.
  mutating func ran(_ phase: Phase, from: Instant, to: Instant) {
    if to > from { spans.append((phase, from, to)) }
  }

  /// The same within a frame: another one that waits is charged with that too, but not with its reads and drawing.
  mutating func ranInFrame(_ phase: Phase, from: Instant, to: Instant) {
    if Self.charged.contains(phase) { ran(phase, from: from, to: to) }
  }

  private static let charged: [Phase] = [.logic, .drain, .release, .post]

  /// Notes that an event other than a frame has ended that began at `from`.
  mutating func eventEnded(from: Instant, to: Instant) {
    var sums = PhaseSpans()
    for span in spans.reversed() {
      guard span.from >= from else { break }
      sums[span.phase] += span.to - span.from
    }
    ended(to - from, at: to, by: Cause.largest(sums))
  }

  /// Notes that a frame, or another event, has ended.
  mutating func ended(_ span: TimeSpan, at instant: Instant, by cause: Cause) {
    events.append((span, instant, cause))
  }

  /// The thread is idle: no frame that begins later has waited. Those that are not ready may have waited for events.
  mutating func isIdle() { spans.removeAll(keepingCapacity: true) }

  /// Forgets what no later frame can have waited for.
  mutating func forget(endedBy instant: Instant) {
    spans.removeAll { $0.to <= instant }
    events.removeAll { $0.to <= instant }
  }

  /// Why the thread was kept longest at once between two instants, at the second of which it was free; the first of such.
  func longest(from: Instant, to: Instant) -> Cause? {
    var longest: (span: TimeSpan, cause: Cause)?
    for event in events where event.to <= to {
      let span = min(event.span, event.to - from)
      if span > longest?.span ?? .zero { longest = (span, event.cause) }
    }
    return longest?.cause
  }

  /// Charges `frame`, which waited from its vsync to `begin`, with what ran meanwhile; the rest is lateness.
  func charge(_ frame: inout OpenFrame, until begin: Instant) {
    for span in spans {
      let (from, to) = (max(span.from, frame.due), min(span.to, begin))
      guard to > from else { continue }
      frame.spend(to - from, on: span.phase)
      frame.spend(.zero - (to - from), on: .wakeup)
    }
  }
}
