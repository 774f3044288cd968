internal import FrameBudget

/// The frames of a Wayland client's windows, from the messages in its log.
///
/// With a commit, a client can request a callback: a frame is wanted. The compositor calls when it is time to draw that frame,
/// and the next commit is the frame. The call, or better the compositor's feedback, also says when the frame before was shown.
/// Times are in milliseconds.
struct WaylandLog {
  private(set) var surfaces: [WaylandObject: WaylandSurface] = [:]
  /// The surface whose frames are reported.
  private(set) var shown: WaylandObject?
  /// The time of the newest message, since the first.
  private(set) var now = 0.0
  /// By range: the newest time of that clock, and what it is since the first message.
  private var clocks: [Int: (time: Int, now: Double)] = [:]
  private var compositor = CompositorClock()
  /// By callback and by feedback: their surface.
  private var callbacks: [WaylandObject: WaylandObject] = [:]
  private var feedbacks: [WaylandObject: WaylandObject] = [:]
  /// By shell surface and by top-level window: their surface.
  private var shells: [WaylandObject: WaylandObject] = [:]
  private var windows: [WaylandObject: WaylandObject] = [:]
  private var outputs: [WaylandObject: RefreshRate] = [:]

  /// A log that makes more objects of a kind, and destroys none, is not that of an app.
  private static let most = 4096

  mutating func take(_ line: WaylandLine) {
    advance(to: line)
    if line.isDiscarded {
      takeDiscarded(line)
    } else if line.isRequest {
      takeRequest(line)
    } else {
      takeEvent(line)
    }
  }

  /// Messages of two threads can change places, and the clock can be set.
  private mutating func advance(to line: WaylandLine) {
    guard let before = clocks[line.range] else {
      clocks[line.range] = (line.time, now)
      return
    }
    let step = (line.time - before.time + line.range) % line.range
    if step < line.range / 2 {
      now = max(now, before.now + Double(step) / 1000)
      clocks[line.range] = (line.time, before.now + Double(step) / 1000)
    } else if line.range - step >= Self.exchanged {
      clocks[line.range] = (line.time, now)
    }
  }

  /// In microseconds.
  private static let exchanged = 1_000_000

  // MARK: Messages

  private mutating func takeRequest(_ line: WaylandLine) {
    switch (line.interface, line.message) {
    case ("wl_compositor", "create_surface"):
      if let surface = line.object(0) { create(surface) }
    case ("wl_subcompositor", "get_subsurface"):
      guard let surface = line.object(1), let parent = line.object(2) else { return }
      change(surface) { $0.parent = parent }
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
      change(surface) { $0.ask(feedback) }
    case ("wl_output", "release"): outputs[line.object] = nil
    case ("xdg_wm_base", "get_xdg_surface"):
      guard let shell = line.object(0), let surface = line.object(1) else { return }
      Self.add(shell, of: surface, to: &shells)
    case ("xdg_surface", "get_toplevel"):
      guard let window = line.object(0), let surface = shells[line.object] else { return }
      Self.add(window, of: surface, to: &windows)
    case ("xdg_surface", "get_popup"):
      guard let surface = shells[line.object], let other = line.object(1) else { return }
      let parent = shells[other]
      change(surface) { $0.parent = parent }
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

  /// A client that destroys the callback does not wait for the call any more; likewise for feedback.
  private mutating func takeDiscarded(_ line: WaylandLine) {
    if let surface = callbacks.removeValue(forKey: line.object) {
      surfaces[surface]?.forget(line.object)
    }
    if let surface = feedbacks.removeValue(forKey: line.object) {
      surfaces[surface]?.present(line.object, at: nil)
    }
  }

  /// Seconds in two numbers of 32 bits, and nanoseconds.
  private static func presentation(_ line: WaylandLine) -> Double? {
    guard let high = line.number(0), let low = line.number(1), let nanoseconds = line.number(2)
    else { return nil }
    return (Double(high) * 4_294_967_296 + Double(low)) * 1000 + Double(nanoseconds) / 1e6
  }

  // MARK: Probes

  /// Objects that probes see have no clock of their own.
  private static func probed(_ number: UInt32) -> WaylandObject {
    WaylandObject(number: number, range: 0)
  }

  /// Time has come to `time`, in milliseconds; the calls below happen then.
  mutating func advance(to time: Double) { now = max(now, time) }

  mutating func request(_ callback: UInt32, of surface: UInt32) {
    let (callback, surface) = (Self.probed(callback), Self.probed(surface))
    Self.add(callback, of: surface, to: &callbacks)
    change(surface) { $0.request(callback) }
  }

  /// `spent` says what the client's thread did between two times.
  mutating func commit(
    _ surface: UInt32, _ spent: (_ from: Double, _ to: Double) -> WindowReport.Spent?
  ) {
    let now = now
    change(Self.probed(surface)) { $0.commit(at: now, spent) }
  }

  /// The client handles the call of a vsync.
  mutating func call(_ callback: UInt32, vsync: Double) {
    let callback = Self.probed(callback)
    guard let surface = callbacks.removeValue(forKey: callback) else { return }
    surfaces[surface]?.call(callback, done: vsync, vsync: vsync, at: now)
  }

  /// The surface that has requested a callback, if it waits for the call.
  func surface(of callback: UInt32) -> UInt32? { callbacks[Self.probed(callback)]?.number }

  mutating func destroy(_ surface: UInt32) { remove(Self.probed(surface)) }

  /// The client handles something.
  mutating func handle() { if let shown { surfaces[shown]?.handled(at: now) } }

  private static func add(
    _ object: WaylandObject, of surface: WaylandObject,
    to map: inout [WaylandObject: WaylandObject]
  ) {
    if map.count >= most { map.removeAll() }
    map[object] = surface
  }

  private mutating func create(_ surface: WaylandObject) {
    remove(surface)
    if surfaces.count >= Self.most {
      surfaces.removeAll()
      shown = nil
    }
    surfaces[surface] = WaylandSurface()
  }

  private mutating func remove(_ surface: WaylandObject) {
    surfaces[surface] = nil
    if shown == surface { shown = nil }
  }

  /// Changes a surface; one whose beginning is not in the log is added.
  private mutating func change(
    _ surface: WaylandObject, _ body: (inout WaylandSurface) -> Void
  ) {
    if surfaces[surface] == nil { create(surface) }
    body(&surfaces[surface, default: WaylandSurface()])
  }

  // MARK: Reports

  /// Chooses the surface that drew last, unless one is chosen and `keep` holds; returns whether it is another one.
  mutating func choose(keep: Bool = true) -> Bool {
    guard !keep || shown == nil else { return false }
    let drawn = surfaces.filter { $0.value.requests > 0 }
    let last = drawn.max {
      ($0.value.committed ?? 0, $1.key.number) < ($1.value.committed ?? 0, $0.key.number)
    }
    guard let last, last.key != shown else { return false }
    shown = last.key
    // Nobody has looked whether the client waited for events before.
    rest(at: now)
    return true
  }

  /// The surface that was chosen, and its name.
  var window: (name: String, surface: WaylandSurface)? {
    guard let shown, let surface = surfaces[shown] else { return nil }
    return (name(of: shown), surface)
  }

  /// Other surfaces that have drawn: their names, and how often they have requested a frame.
  var others: [(name: String, requests: Int)] {
    surfaces.filter { $0.key != shown && $0.value.requests > 0 }
      .sorted { $0.key.number < $1.key.number }
      .map { (name: name(of: $0.key), requests: $0.value.requests) }
  }

  /// The surface for which a recording is made, if it is another one: that with most requests.
  var busier: String? {
    let most = others.max { $0.requests < $1.requests }
    return most.flatMap { $0.requests > window?.surface.requests ?? 0 ? $0.name : nil }
  }

  /// Commits of all surfaces.
  var commits: Int { surfaces.values.reduce(0) { $0 + $1.commits } }

  /// The title of a window; a part of one, or a menu, has it with the number of its surface.
  private func name(of object: WaylandObject) -> String {
    if let title = surfaces[object]?.title { return title }
    var (ancestor, number) = (object, "surface \(object.number)")
    for _ in 0..<Self.deepest {
      guard let parent = surfaces[ancestor]?.parent else { break }
      if let title = surfaces[parent]?.title { return "\(title) (\(number))" }
      ancestor = parent
    }
    return number
  }

  /// Parts within parts of a window; a log can also name a surface as its own parent.
  private static let deepest = 8

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

  /// A signal has stopped the client: what it does not do until it goes on is not late.
  mutating func stop(at time: Double) {
    if let shown { surfaces[shown]?.stop(at: time) }
  }

  /// The frames of the window since the last report. A client that is silent can hang: then those are complete, too, that wait
  /// for the next call.
  mutating func report(
    isResting: Bool, isSilent: Bool, obstacle: Cause? = nil
  ) -> WindowReport {
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
      now: now, isHidden: isResting || !isWanted, cost: .zero, frames: frames, longFrames: [],
      obstacle: obstacle)
  }
}

/// A surface of a Wayland client: a window, or a part of one.
struct WaylandSurface {
  var title: String?
  /// The surface of which it is a part or a menu.
  var parent: WaylandObject?
  /// The displays that it is on, in the order in which it entered them.
  private(set) var outputs: [WaylandObject] = []
  private(set) var commits = 0
  /// The number of frames that were wanted: of commits with a request.
  private(set) var requests = 0
  /// When the newest commit was.
  private(set) var committed: Double?
  /// Complete frames that were not reported yet.
  var ready: [WindowReport.Frame] = []
  /// The feedback, and the callbacks, that belong to the next commit: an OpenGL driver requests one beside the toolkit's.
  private var asked: [WaylandObject] = []
  private var requested: [WaylandObject] = []
  /// The callbacks of a commit, until the client handles the first call.
  private var awaited: [WaylandObject] = []
  private var demand: Demand?
  /// Whether a signal has stopped the client while it was to be called.
  private var isStopped = false
  private var drawn: [Drawn] = []
  /// Whether the newest of them was drawn for a call without a request: the client can draw it again at once, with one.
  private var isOpen = false
  private var frames = 0
  /// The newest frame with feedback: its number, and when it was shown, by the compositor's clock.
  private var presented: (number: Int, time: Double)?

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
    let number: Int
    var frame: WindowReport.Frame
    /// That of its demand; nil for the first after a pause.
    var done: Double?
    var callbacks: [WaylandObject]
    /// Those of its commit and of later ones that change it: the first that was shown is the frame.
    var feedbacks: [WaylandObject]
    var isPresented = false

    /// The compositor has not shown the window for a while: maybe before this frame, maybe after it.
    mutating func pause() {
      done = nil
      if let shown = frame.shown, shown - frame.end > WaylandSurface.pause { frame.shown = nil }
    }
  }

  /// A compositor that does not call for longer does not show the window.
  private static let pause = FrameThresholds.hang.inMilliseconds
  /// Toolkits wait for up to a vsync before they draw, so a shorter rest is no sign that they do not.
  private static let shortRest = 35.0
  /// Seen in any case, because the view looks thirty times a second. A shorter one counts as a wait, also if it is seen.
  private static let longRest = 70.0
  /// Until a frame after a rest: the rest is seen thirty times a second, and toolkits wait for up to a vsync again.
  private static let glance = 100.0
  /// A commit so soon after a frame can still replace it.
  private static let soon = 8.0
  private static let most = 4
  private static let mostReady = 4096

  /// Whether a frame is wanted that is not there.
  var isWanted: Bool { !awaited.isEmpty || demand != nil }

  mutating func enter(_ output: WaylandObject) {
    leave(output)
    outputs.append(output)
    outputs.removeFirst(max(0, outputs.count - Self.most))
  }

  mutating func leave(_ output: WaylandObject) { outputs.removeAll { $0 == output } }

  mutating func request(_ callback: WaylandObject) {
    if requested.isEmpty { requests += 1 }
    requested = requested.suffix(Self.most - 1) + [callback]
  }

  mutating func ask(_ feedback: WaylandObject) {
    asked = asked.suffix(Self.most - 1) + [feedback]
  }

  /// The client does not wait for that call any more.
  mutating func forget(_ callback: WaylandObject) {
    awaited.removeAll { $0 == callback }
    for place in drawn.indices { drawn[place].callbacks.removeAll { $0 == callback } }
    complete()
  }

  mutating func commit(
    at now: Double, _ spent: (Double, Double) -> WindowReport.Spent? = { _, _ in nil }
  ) {
    commits += 1
    if let demand, now - demand.begin < Self.longRest { self.demand?.rested = nil }
    let isSame = isOpen && now - (drawn.last?.frame.end ?? -.infinity) < Self.soon
    if demand != nil || awaited.isEmpty && !requested.isEmpty && !isSame {
      let done = demand?.rested == nil ? demand?.done : nil
      var frame = frame(at: now)
      frame.before = spent(frame.vsync, frame.begin)
      frame.drawing = spent(frame.begin, frame.end)
      frames += 1
      drawn.append(
        Drawn(number: frames, frame: frame, done: done, callbacks: requested, feedbacks: asked))
      isOpen = requested.isEmpty
    } else if !awaited.isEmpty || isSame, let last = drawn.indices.last,
      drawn[last].callbacks == awaited
    {
      // Changes a frame that is not shown yet.
      if !requested.isEmpty { drawn[last].callbacks = requested }
      if !drawn[last].isPresented {
        drawn[last].feedbacks = (drawn[last].feedbacks + asked).suffix(Self.most)
      }
      if !requested.isEmpty { isOpen = false }
    }
    if !requested.isEmpty { awaited = requested }
    (committed, requested, asked, demand) = (now, [], [], nil)
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
  mutating func call(_ callback: WaylandObject, done: Double, vsync: Double, at now: Double) {
    guard awaited.contains(callback) else { return }
    awaited = []
    // The compositor does not call before it has the commit.
    let vsync = isStopped ? now : max(committed ?? vsync, vsync)
    let isPaused = isStopped || vsync - (committed ?? vsync) > Self.pause
    isStopped = false
    if let place = drawn.firstIndex(where: { $0.callbacks.contains(callback) }) {
      drawn[place].callbacks = []
      if isPaused { drawn[place].pause() }
      if let before = drawn[place].done, drawn[place].frame.shown == nil {
        drawn[place].frame.shown = drawn[place].frame.vsync + done - before
      }
    }
    demand = Demand(vsync: vsync, begin: now, done: isPaused ? nil : done)
    complete()
  }

  /// A commit was shown, or was replaced before, which is nil.
  mutating func present(_ feedback: WaylandObject, at time: Double?) {
    guard let place = drawn.firstIndex(where: { $0.feedbacks.contains(feedback) }) else { return }
    drawn[place].feedbacks.removeAll { $0 == feedback }
    if let time {
      drawn[place].feedbacks = []
      drawn[place].isPresented = true
      let number = drawn[place].number
      if let presented, presented.number == number - 1, drawn[place].done != nil {
        drawn[place].frame.shown = drawn[place].frame.vsync + time - presented.time
      }
      presented = (number, time)
    }
    complete()
  }

  /// Moves the frames of which nothing more is awaited; a compositor that never answers does not hold them up.
  mutating func complete(all: Bool = false) {
    if all { isOpen = false }
    while let first = drawn.first,
      all || drawn.count > Self.most
        || first.callbacks.isEmpty && first.feedbacks.isEmpty && !(isOpen && drawn.count == 1)
    {
      ready.append(first.frame)
      drawn.removeFirst()
    }
    ready.removeFirst(max(0, ready.count - Self.mostReady))
  }

  mutating func rest(at time: Double) {
    if isOpen, time - (committed ?? time) >= Self.soon {
      isOpen = false
      complete()
    }
    guard let begin = demand?.begin, time - begin > Self.shortRest else { return }
    demand?.rested = time
    demand?.woken = nil
  }

  mutating func stop(at time: Double) {
    isStopped = !awaited.isEmpty
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
