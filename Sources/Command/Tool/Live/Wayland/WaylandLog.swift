internal import FrameBudget

/// The frames of a Wayland client's windows, from the messages in its log.
///
/// With a commit, a client can request a callback: a frame is wanted. The compositor calls when it is time to draw that frame,
/// and the next commit is the frame. The call, or better the compositor's feedback, also says when the frame before was shown.
/// Times are in milliseconds.
struct WaylandLog {
  private(set) var surfaces: [UInt32: WaylandSurface] = [:]
  /// The surface whose frames are reported.
  private(set) var shown: UInt32?
  /// The time of the newest message, since the first.
  private(set) var now = 0.0
  private var clock: (time: Int, range: Int)?
  private var compositor = CompositorClock()
  /// By callback and by feedback: their surface.
  private var callbacks: [UInt32: UInt32] = [:]
  private var feedbacks: [UInt32: UInt32] = [:]
  /// By shell surface and by top-level window: their surface.
  private var shells: [UInt32: UInt32] = [:]
  private var windows: [UInt32: UInt32] = [:]
  private var outputs: [UInt32: RefreshRate] = [:]

  /// A log that makes more objects of a kind, and destroys none, is not that of an app.
  private static let most = 4096

  mutating func take(_ line: WaylandLine) {
    advance(to: line)
    guard !line.isDiscarded else { return }
    if line.isRequest {
      takeRequest(line)
    } else {
      takeEvent(line)
    }
  }

  /// Messages of two threads can change places, and the clock can be set.
  private mutating func advance(to line: WaylandLine) {
    guard let before = clock, before.range == line.range else {
      clock = (line.time, line.range)
      return
    }
    let step = (line.time - before.time + line.range) % line.range
    if step < line.range / 2 {
      now += Double(step) / 1000
    } else if line.range - step < Self.exchanged {
      return
    }
    clock = (line.time, line.range)
  }

  /// In microseconds.
  private static let exchanged = 1_000_000

  // MARK: Messages

  private mutating func takeRequest(_ line: WaylandLine) {
    switch (line.interface, line.message) {
    case ("wl_compositor", "create_surface"):
      if let surface = line.object(0) { create(surface) }
    case ("wl_surface", "destroy"): remove(line.object)
    case ("wl_surface", "frame"):
      guard let callback = line.object(0) else { return }
      Self.add(callback, of: line.object, to: &callbacks)
      change(line.object) { $0.request(callback) }
    case ("wl_surface", "commit"):
      let now = now
      change(line.object) { $0.commit(at: now) }
    case ("wp_presentation", "feedback"):
      guard let surface = line.object(0), let feedback = line.object(1) else { return }
      Self.add(feedback, of: surface, to: &feedbacks)
      change(surface) { $0.feedback = feedback }
    case ("wl_output", "release"): outputs[line.object] = nil
    case ("xdg_wm_base", "get_xdg_surface"):
      guard let shell = line.object(0), let surface = line.object(1) else { return }
      Self.add(shell, of: surface, to: &shells)
    case ("xdg_surface", "get_toplevel"):
      guard let window = line.object(0), let surface = shells[line.object] else { return }
      Self.add(window, of: surface, to: &windows)
    case ("xdg_toplevel", "set_title"):
      guard let surface = windows[line.object], let text = line.text else { return }
      change(surface) { $0.title = String(text.prefix(80)) }
    default: break
    }
  }

  private mutating func takeEvent(_ line: WaylandLine) {
    if let shown { surfaces[shown]?.handled(at: now) }
    switch (line.interface, line.message) {
    case ("wl_callback", "done"):
      guard let surface = callbacks.removeValue(forKey: line.object), let number = line.number(0)
      else { return }
      let done = compositor.time(of: number)
      let vsync = compositor.vsync(of: done, handled: now)
      surfaces[surface]?.call(line.object, done: done, vsync: vsync, at: now)
    case ("wp_presentation_feedback", "presented"):
      guard let surface = feedbacks.removeValue(forKey: line.object) else { return }
      surfaces[surface]?.present(line.object, at: Self.presentation(line))
    case ("wp_presentation_feedback", "discarded"):
      guard let surface = feedbacks.removeValue(forKey: line.object) else { return }
      surfaces[surface]?.present(line.object, at: nil)
    case ("wl_output", "mode"):
      // Bit 0: the mode is in use. The rate is in mHz.
      guard let flags = line.number(0), flags & 1 == 1, let rate = line.number(3),
        1000...1_000_000 ~= rate, outputs.count < Self.most
      else { return }
      outputs[line.object] = RefreshRate(Int64(rate), over: 1000)
    case ("wl_surface", "enter"):
      if let output = line.object(0) { surfaces[line.object]?.enter(output) }
    case ("wl_surface", "leave"):
      if let output = line.object(0) { surfaces[line.object]?.leave(output) }
    default: break
    }
  }

  /// Seconds in two numbers of 32 bits, and nanoseconds.
  private static func presentation(_ line: WaylandLine) -> Double? {
    guard let high = line.number(0), let low = line.number(1), let nanoseconds = line.number(2)
    else { return nil }
    return (Double(high) * 4_294_967_296 + Double(low)) * 1000 + Double(nanoseconds) / 1e6
  }

  private static func add(_ object: UInt32, of surface: UInt32, to map: inout [UInt32: UInt32]) {
    if map.count >= most { map.removeAll() }
    map[object] = surface
  }

  private mutating func create(_ surface: UInt32) {
    remove(surface)
    if surfaces.count >= Self.most {
      surfaces.removeAll()
      shown = nil
    }
    surfaces[surface] = WaylandSurface()
  }

  private mutating func remove(_ surface: UInt32) {
    surfaces[surface] = nil
    if shown == surface { shown = nil }
  }

  /// Changes a surface; one whose beginning is not in the log is added.
  private mutating func change(_ surface: UInt32, _ body: (inout WaylandSurface) -> Void) {
    if surfaces[surface] == nil { create(surface) }
    body(&surfaces[surface, default: WaylandSurface()])
  }

  // MARK: Reports

  /// Chooses the surface that drew last, unless one is chosen and `keep` holds; returns whether it is another one.
  mutating func choose(keep: Bool = true) -> Bool {
    guard !keep || shown == nil else { return false }
    let drawn = surfaces.filter { $0.value.requests > 0 }
    let last = drawn.max { ($0.value.committed ?? 0, $1.key) < ($1.value.committed ?? 0, $0.key) }
    guard let last, last.key != shown else { return false }
    shown = last.key
    // Nobody has looked whether the client waited for events before.
    rest(at: now)
    return true
  }

  /// The surface that was chosen, and its name.
  var window: (name: String, surface: WaylandSurface)? {
    guard let shown, let surface = surfaces[shown] else { return nil }
    return (Self.name(shown, surface), surface)
  }

  /// Other surfaces that have drawn: their names, and how often they have requested a frame.
  var others: [(name: String, requests: Int)] {
    surfaces.filter { $0.key != shown && $0.value.requests > 0 }.sorted { $0.key < $1.key }
      .map { (name: Self.name($0.key, $0.value), requests: $0.value.requests) }
  }

  private static func name(_ object: UInt32, _ surface: WaylandSurface) -> String {
    surface.title ?? "surface \(object)"
  }

  /// The rate of the display that the window entered last and is on, if the compositor says it.
  var refresh: RefreshRate? {
    guard let entered = window?.surface.outputs, !entered.isEmpty else {
      return outputs.count == 1 ? outputs.first?.value : nil
    }
    return entered.compactMap { outputs[$0] }.last
  }

  /// The client waits for events, at a time of this log: it draws nothing, and nothing delays it.
  mutating func rest(at time: Double) {
    if let shown { surfaces[shown]?.rest(at: time) }
  }

  /// The frames of the window since the last report. A client that is silent can hang: then those are complete, too, that wait
  /// for the next call.
  mutating func report(isResting: Bool, isSilent: Bool) -> WindowReport {
    var frames: [WindowReport.Frame] = []
    var isWanted = false
    if let shown, var surface = surfaces.removeValue(forKey: shown) {
      if isSilent { surface.complete(all: true) }
      swap(&frames, &surface.ready)
      isWanted = surface.isWanted
      surfaces[shown] = surface
    }
    // Once another window is shown, what it drew before is past.
    for (key, surface) in surfaces where !surface.ready.isEmpty { surfaces[key]?.ready = [] }
    return WindowReport(
      now: now, isHidden: isResting || !isWanted, cost: .zero, frames: frames, longFrames: [])
  }
}

/// A surface of a Wayland client: a window, or a part of one.
struct WaylandSurface {
  var title: String?
  /// The displays that it is on, in the order in which it entered them.
  private(set) var outputs: [UInt32] = []
  private(set) var commits = 0
  /// The number of frames that were wanted.
  private(set) var requests = 0
  /// When the newest commit was.
  private(set) var committed: Double?
  /// Complete frames that were not reported yet.
  var ready: [WindowReport.Frame] = []
  /// The feedback, and the callback, that belong to the next commit.
  var feedback: UInt32?
  private var requested: UInt32?
  /// The callback of a commit, until the client handles the call.
  private var awaited: UInt32?
  private var demand: Demand?
  private var drawn: [Drawn] = []
  /// When the newest frame with feedback was shown, by the compositor's clock.
  private var presented: Double?

  /// A call of the compositor for a frame.
  private struct Demand {
    /// The vsync, and when the client handled the call.
    let vsync: Double
    let begin: Double
    /// When the frame before was shown, by the compositor's clock; nil if that was long ago.
    let done: Double?
    /// When the client was last seen to wait for events, and the first that it handled then.
    var rested: Double?
    var woken: Double?
  }

  /// A frame, until it is known when it was shown.
  private struct Drawn {
    var frame: WindowReport.Frame
    /// That of its demand; nil for the first after a pause.
    var done: Double?
    var callback: UInt32?
    var feedback: UInt32?
  }

  /// A compositor that does not call for longer does not show the window.
  private static let pause = FrameThresholds.hang.inMilliseconds
  /// Toolkits wait for up to a vsync before they draw, so a shorter rest is no sign that they do not.
  private static let shortRest = 35.0
  /// Seen in any case, because the view looks thirty times a second. A shorter one counts as a wait, also if it is seen.
  private static let longRest = 70.0
  /// Until a frame after a rest: the rest is seen thirty times a second, and toolkits wait for up to a vsync again.
  private static let glance = 100.0
  private static let most = 4
  private static let mostReady = 4096

  /// Whether a frame is wanted that is not there.
  var isWanted: Bool { awaited != nil || demand != nil }

  mutating func enter(_ output: UInt32) {
    leave(output)
    outputs.append(output)
    outputs.removeFirst(max(0, outputs.count - Self.most))
  }

  mutating func leave(_ output: UInt32) { outputs.removeAll { $0 == output } }

  mutating func request(_ callback: UInt32) {
    requests += 1
    requested = callback
  }

  mutating func commit(at now: Double) {
    commits += 1
    if let demand, now - demand.begin < Self.longRest { self.demand?.rested = nil }
    if demand != nil || awaited == nil {
      if demand != nil || requested != nil {
        let done = demand?.rested == nil ? demand?.done : nil
        drawn.append(
          Drawn(frame: frame(at: now), done: done, callback: requested, feedback: feedback))
      }
    } else if let last = drawn.indices.last, drawn[last].callback == awaited {
      // Changes a frame that is not shown yet.
      drawn[last].callback = requested ?? awaited
      drawn[last].feedback = feedback ?? drawn[last].feedback
    }
    if let requested { awaited = requested }
    (committed, requested, feedback, demand) = (now, nil, nil, nil)
    complete()
  }

  private func frame(at now: Double) -> WindowReport.Frame {
    var (vsync, begin, isFirst) = (now, now, true)
    if let demand, let rested = demand.rested {
      // The client had nothing to draw, until an event or a timer.
      let end = demand.woken ?? rested
      if now - end > Self.glance { (vsync, begin) = (end, end) }
    } else if let demand {
      (vsync, begin, isFirst) = (demand.vsync, demand.begin, demand.done == nil)
    }
    return WindowReport.Frame(vsync: vsync, begin: begin, end: now, isFirst: isFirst)
  }

  /// The client handles the call for which it has waited.
  mutating func call(_ callback: UInt32, done: Double, vsync: Double, at now: Double) {
    guard awaited == callback else { return }
    awaited = nil
    // The compositor does not call before it has the commit.
    let vsync = max(committed ?? vsync, vsync)
    let isPaused = vsync - (committed ?? vsync) > Self.pause
    if let place = drawn.firstIndex(where: { $0.callback == callback }) {
      drawn[place].callback = nil
      if isPaused { drawn[place].done = nil }
      if let before = drawn[place].done {
        drawn[place].frame.shown = drawn[place].frame.vsync + done - before
      }
    }
    demand = Demand(vsync: vsync, begin: now, done: isPaused ? nil : done)
    complete()
  }

  /// A frame was shown, or was replaced before, which is nil.
  mutating func present(_ feedback: UInt32, at time: Double?) {
    if let place = drawn.firstIndex(where: { $0.feedback == feedback }) {
      drawn[place].feedback = nil
      if let time, let presented, drawn[place].done != nil {
        drawn[place].frame.shown = drawn[place].frame.vsync + time - presented
      }
    }
    presented = time
    complete()
  }

  /// Moves the frames of which nothing more is awaited; a compositor that never answers does not hold them up.
  mutating func complete(all: Bool = false) {
    while let first = drawn.first,
      all || drawn.count > Self.most || first.callback == nil && first.feedback == nil
    {
      ready.append(first.frame)
      drawn.removeFirst()
    }
    ready.removeFirst(max(0, ready.count - Self.mostReady))
  }

  mutating func rest(at time: Double) {
    guard let begin = demand?.begin, time - begin > Self.shortRest else { return }
    demand?.rested = time
    demand?.woken = nil
  }

  mutating func handled(at time: Double) {
    if let demand, demand.rested != nil, demand.woken == nil { self.demand?.woken = time }
  }
}

/// The compositor's clock beside that of the log.
struct CompositorClock {
  /// The newest time: as it is sent, in 32 bits, and without their limit.
  private var newest: (number: Int, time: Double)?
  /// The least time of the log less that of the compositor: of a call that was handled at once.
  private var least = Double.infinity
  private var recent = Double.infinity
  private var count = 0

  private static let window = 60

  mutating func time(of number: Int) -> Double {
    let step = newest.map { Int(Int32(truncatingIfNeeded: number - $0.number)) } ?? number
    let time = (newest?.time ?? 0) + Double(step)
    newest = (number, time)
    return time
  }

  /// The time of a call, by the clock of the log.
  mutating func vsync(of done: Double, handled now: Double) -> Double {
    least = min(least, now - done)
    recent = min(recent, now - done)
    count += 1
    if count == Self.window {
      // All calls are handled late: the log's clock was set.
      if recent - least > FrameThresholds.hang.inMilliseconds { least = recent }
      (recent, count) = (.infinity, 0)
    }
    return min(now, least + done)
  }
}
