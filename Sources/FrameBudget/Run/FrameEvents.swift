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
    /// The first vsync at which it is wanted on the screen; 0 for the one after the frame before.
    let wanted: Int
  }

  /// Notes a request for a frame at the first vsync at or after `instant`.
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

  /// The next event, if there is a buffer from vsync `free` on; nil while no frame is requested.
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
  /// Frames and other events: when each occupied the thread, and why.
  private var events: [(from: Instant, to: Instant, cause: Cause)] = []

  /// Notes what the thread did, between two frames or within one.
  mutating func ran(_ phase: Phase, from: Instant, to: Instant) {
    if to > from { spans.append((phase, from, to)) }
  }

  /// Notes that a frame has ended, or another event: that kept the thread by what it did most.
  mutating func ended(from: Instant, to: Instant, by cause: Cause? = nil) {
    events.append((from, to, cause ?? Cause.largest(sums(from: from, to: to))))
  }

  /// When the newest of them ended.
  var end: Instant { events.last?.to ?? Instant(nanoseconds: .min) }

  /// Ends at `now` the event that is under way, which has been at `phase` since then.
  mutating func cut(_ phase: Phase, since: Instant, at now: Instant) {
    guard since < now else { return }
    ran(phase, from: since, to: now)
    let free = end
    ended(from: spans.first { $0.from >= free }?.from ?? since, to: now)
  }

  /// What the thread did between two instants.
  private func sums(from: Instant, to: Instant) -> PhaseSpans {
    var sums = PhaseSpans()
    for span in spans.reversed() {
      guard span.to > from else { break }
      let part = min(span.to, to) - max(span.from, from)
      if part > .zero { sums[span.phase] += part }
    }
    return sums
  }

  /// The thread is idle: no frame that begins later has waited. Those that are not ready may have waited for events.
  mutating func isIdle() { spans.removeAll(keepingCapacity: true) }

  /// Forgets what no later frame can have waited for.
  mutating func forget(endedBy instant: Instant) {
    spans.removeAll { $0.to <= instant }
    events.removeAll { $0.to <= instant }
  }

  /// Why the thread was kept longest at once between two instants, at the second of which it was free: by a frame or another
  /// event, or by nothing of the app, a late wake-up. The first of such.
  func longest(from: Instant, to: Instant) -> Cause {
    var longest = (span: TimeSpan.zero, cause: Cause.wakeup)
    var free = from
    for event in events where event.to > from && event.to <= to {
      for (span, cause) in [
        (event.from - free, .wakeup), (event.to - max(event.from, from), event.cause),
      ] where span > longest.span { longest = (span, cause) }
      free = event.to
    }
    return to - free > longest.span ? .wakeup : longest.cause
  }

  /// Charges `frame`, which waited from its vsync to `begin`, with what ran meanwhile; the rest is a late wake-up.
  func charge(_ frame: inout OpenFrame, until begin: Instant) {
    let sums = sums(from: frame.due, to: begin)
    for phase in Phase.allCases where sums[phase] > .zero {
      frame.spend(sums[phase], on: phase)
      frame.spend(.zero - sums[phase], on: .wakeup)
    }
  }
}
