internal import FrameBudget
internal import FrameBudgetCaptures

/// The frames of a client of Wayland that runs already, with what its threads did meanwhile, from probes on its libwayland and the
/// switches of its threads.
///
/// A frame is wanted from its request on. It begins when the client destroys the callback, as it does when it handles the
/// compositor's call. Its vsync is the time at which the compositor has woken the client for that. If the client was busy, or
/// slept elsewhere, nothing was woken for it, and the vsync is the first on the grid of the others at which the call can have come.
struct ProbedClient {
  private(set) var log = WaylandLog()
  /// The threads of the process.
  private(set) var members: Set<Int>
  private(set) var events = 0
  /// Requests on the surface that is shown, and its calls that were handled; of all surfaces before one is shown.
  private(set) var requests = 0
  private let process: Int
  private let isOfApp: (Int) -> Bool
  private var times = ThreadTimes()
  /// What is too new: of another core, an earlier event may still come.
  private var pending: [(instant: Int64, news: News)] = []
  /// The time of the first event, in nanoseconds; 0 in the log.
  private var zero: Int64?
  private var now = Int64.min
  private var windows: [UInt32: Window] = [:]
  /// By thread: the surface of its newest request for a frame, whose callback is not known yet.
  private var requesting: [Int: UInt32] = [:]
  /// By thread: the newest wake, if another process has caused it.
  private var wakes: [Int: Wake] = [:]
  /// By process: how often it has woken the client before a call.
  private var wakers: [Int: Int] = [:]
  private var grid = ProbedGrid()

  private struct Window {
    /// The thread that draws it.
    var thread = 0
    var committed: Int64?
    var vsync: ProbedGrid.Vsync?
  }

  /// Another process has woken a thread of the client, which may have woken others.
  private struct Wake {
    let instant: Int64
    let waker: Int
  }

  /// What is known of the client at an instant: an event, or that it waits for events or is stopped.
  private enum News {
    case event(TracedEvent)
    case rests, isStopped
  }

  /// In nanoseconds: far longer than two cores need to write their events.
  private static let delay: Int64 = 5_000_000
  private static let mostEvents = 1 << 20
  private static let most = 4096
  /// Above all numbers that a client gives.
  private static let nameless: UInt32 = 0xfe00_0000

  /// `members` are the threads of the process; `isOfApp` says whether a thread of another one does the app's work.
  init(
    _ process: Int, _ members: Set<Int> = [], isOfApp: @escaping (Int) -> Bool = { _ in false }
  ) {
    self.process = process
    self.members = members.union([process])
    self.isOfApp = isOfApp
  }

  /// The process has these threads, too.
  mutating func add(_ threads: some Sequence<Int>) { members.formUnion(threads) }

  /// Takes events in any order, up to some milliseconds before `instant`, a time of their clock in nanoseconds.
  mutating func take(_ new: [TracedEvent], upTo instant: Int64) {
    pending += new.map { (instant: $0.instant, news: News.event($0)) }
    pending.removeFirst(max(0, pending.count - Self.mostEvents))
    guard !pending.isEmpty else { return }
    // Of equal ones, the order in which they came.
    let order = pending.indices.sorted { (pending[$0].instant, $0) < (pending[$1].instant, $1) }
    let sorted = order.map { pending[$0] }
    let end = sorted.firstIndex { $0.instant > instant - Self.delay } ?? sorted.count
    for (time, news) in sorted[..<end] {
      switch news {
      case .event(let event): take(event)
      case .rests: log.rest(at: milliseconds(max(now, time)))
      case .isStopped: log.stop(at: milliseconds(max(now, time)))
      }
    }
    pending = Array(sorted[end...])
  }

  private mutating func take(_ event: TracedEvent) {
    events += 1
    let zero = zero ?? event.instant
    self.zero = zero
    // A clock does not go back; of a false file it can.
    now = max(now, event.instant)
    guard now - zero >= 0, now - zero < 1 << 60 else { return }
    let thread = event.task.thread
    if event.process == process { members.insert(thread) }
    switch event.kind {
    case .switched(let from, let wasPreempted, let to):
      let (members, isOfApp) = (members, isOfApp)
      times.switched(
        from: from, wasPreempted: wasPreempted, to: to, at: now, isMember: members.contains,
        isOfApp: { members.contains($0) || isOfApp($0) })
    case .woken(let woken, let byInterrupt):
      wake(woken, by: byInterrupt ? nil : event)
    case .requested(let opcode, let surface):
      guard members.contains(thread) else { return }
      show(thread, on: surface)
      request(opcode, surface, by: thread)
    case .listened(let callback):
      guard let surface = requesting.removeValue(forKey: thread) else { return }
      show(thread, on: surface)
      log.request(callback, of: surface)
    case .destroyed(let callback):
      guard members.contains(thread) else { return }
      let known = known(callback)
      show(thread, on: log.surface(of: known))
      call(known, by: thread)
    case .called(let function, let returns):
      guard members.contains(thread) else { return }
      times.called(thread, function, returns: returns, at: now)
    }
  }

  /// The thread runs, and the log's time is now.
  private mutating func show(_ thread: Int, on surface: UInt32?) {
    if log.shown.map({ $0.number == surface }) ?? true { requests += 1 }
    times.ran(thread, at: now)
    log.advance(to: milliseconds(now))
  }

  private func milliseconds(_ instant: Int64) -> Double {
    Double(instant - (zero ?? instant)) / 1e6
  }

  // MARK: Requests

  private mutating func request(_ opcode: Int, _ surface: UInt32, by thread: Int) {
    switch opcode {
    case 0:
      log.destroy(surface)
      windows[surface] = nil
    case 3:
      if requesting.count >= Self.most { requesting.removeAll() }
      requesting[thread] = surface
    case 6: commit(surface, by: thread)
    default: break
    }
  }

  private mutating func commit(_ surface: UInt32, by thread: Int) {
    if requesting[thread] == surface {
      // Nobody listens to it by a function with a probe: whatever is destroyed next is it.
      requesting[thread] = nil
      log.request(Self.nameless | surface & 0xff_ffff, of: surface)
    }
    let (zero, known) = (zero ?? now, times)
    log.commit(surface) { from, to in
      known.spent(thread, in: zero + Int64(from * 1e6)..<zero + Int64(max(from, to) * 1e6))
    }
    if windows.count >= Self.most { windows.removeAll() }
    windows[surface, default: Window()].thread = thread
    windows[surface]?.committed = now
    // What the thread did before a commit of a cursor, or of a part of the window, belongs to the window's frame.
    if surface == log.shown?.number { times.forget(thread, before: now) }
  }

  // MARK: Calls

  private mutating func wake(_ woken: Int, by event: TracedEvent?) {
    guard members.contains(woken) else { return }
    times.woken(woken, by: event?.task.name, at: now)
    if wakes.count >= Self.most { wakes.removeAll() }
    if let thread = event?.task.thread, members.contains(thread) {
      // As a thread that reads the compositor's messages for others.
      wakes[woken] = wakes[thread]
    } else {
      wakes[woken] = event.map { Wake(instant: now, waker: $0.process ?? $0.task.thread) }
    }
  }

  /// The callback, or what stands for it if its number is not known.
  private func known(_ callback: UInt32) -> UInt32 {
    guard log.surface(of: callback) == nil else { return callback }
    let names = windows.keys.map { Self.nameless | $0 & 0xff_ffff }
    return names.filter { log.surface(of: $0) != nil }.min() ?? callback
  }

  private mutating func call(_ callback: UInt32, by thread: Int) {
    if let surface = log.surface(of: callback) {
      let vsync = vsync(of: surface, by: thread)
      log.call(callback, vsync: milliseconds(vsync))
    }
    log.handle()
  }

  /// The vsync of a call that the client handles now.
  private mutating func vsync(of surface: UInt32, by thread: Int) -> Int64 {
    guard let window = windows[surface], let committed = window.committed else { return now }
    let woken = woken(thread, since: committed)
    let vsync = grid.vsync(after: window.vsync, committed: committed, woken: woken, handled: now)
    windows[surface]?.vsync = vsync
    return vsync.instant
  }

  /// When the compositor has woken the thread for what it does now, if that was after the commit. Until then the thread has
  /// waited for messages, so the call has not come before.
  private mutating func woken(_ thread: Int, since committed: Int64) -> Int64? {
    guard let wake = wakes[thread], wake.instant > committed else { return nil }
    if wakers.count >= Self.most { wakers.removeAll() }
    wakers[wake.waker, default: 0] += 1
    let compositor = wakers.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
    return wake.waker == compositor ? wake.instant : nil
  }

  // MARK: The view

  /// What keeps the window that is shown from its next frame.
  var obstacle: Cause? {
    log.shown.flatMap { windows[$0.number] }.flatMap { times.obstacle(of: $0.thread) }
  }

  /// The thread that draws the window that is shown.
  var drawer: Int? { log.shown.flatMap { windows[$0.number]?.thread } }

  /// The display's rate, once vsyncs tell it.
  var refresh: RefreshRate? { grid.refresh }

  mutating func choose(keep: Bool = true) -> Bool { log.choose(keep: keep) }

  /// The client waits for events, at a time of the events' clock. It counts once all earlier events are taken: a frame that was
  /// committed just before would otherwise seem to be drawn after the rest.
  mutating func rest(at instant: Int64) { pending.append((instant: instant, news: .rests)) }

  /// A signal has stopped the client, at a time of the events' clock. The same holds for it.
  mutating func stop(at instant: Int64) { pending.append((instant: instant, news: .isStopped)) }

  mutating func report(isResting: Bool, isSilent: Bool) -> WindowReport {
    log.report(isResting: isResting, isSilent: isSilent, obstacle: obstacle)
  }
}
