import FrameBudget
import FrameBudgetCaptures
import Testing

@testable import FrameBudgetCLI

/// A client on a display, and the events that the kernel traces of it. Times are in milliseconds.
private struct TracedClient {
  private(set) var events: [TracedEvent] = []
  private(set) var now = 1000.0
  private(set) var requests = 0
  /// The number of the vsync for which it was woken last.
  private var vsync: Int
  private let start: Int
  let step: Double
  static let period = 1000.0 / 60
  static let app = TracedEvent.Task(thread: 10, name: "app")
  static let worker = TracedEvent.Task(thread: 11, name: "worker")
  static let weston = TracedEvent.Task(thread: 5, name: "weston")
  static let stress = TracedEvent.Task(thread: 99, name: "stress")
  static let idle = TracedEvent.Task(thread: 0, name: "swapper/0")
  /// Whether a function with a probe tells each callback's number.
  var listens = true

  init(hertz: Double = 60) {
    step = 1000 / hertz
    start = Int(hertz)
    vsync = start
    commit()
  }

  /// Vsyncs without a new frame, up to that of the newest call.
  var dropped: Int { vsync - start - (requests - 1) }

  mutating func add(
    _ kind: TracedEvent.Kind, by task: TracedEvent.Task = app, of process: Int? = 10
  ) {
    events.append(TracedEvent(at: Int64(now * 1e6), by: task, of: process, kind))
  }

  mutating func wait(_ span: Double) { now += span }

  mutating func request(_ opcode: Int, of surface: UInt32 = 3) {
    add(.requested(opcode: opcode, surface: surface))
  }

  /// Commits a frame, and requests the next one.
  mutating func commit() {
    request(3)
    if listens { add(.listened(callback: 20)) }
    request(6)
    requests += 1
  }

  mutating func sleep() { add(.switched(from: Self.app, wasPreempted: false, to: Self.idle)) }

  /// The thread is woken, and gets the core from whoever has it after `delay`.
  mutating func wake(
    by waker: TracedEvent.Task = weston, inInterrupt: Bool = false,
    after other: TracedEvent.Task = weston, delay: Double = 0.05
  ) {
    add(
      .woken(thread: 10, byInterrupt: inInterrupt), by: waker,
      of: waker == Self.worker ? 10 : waker.thread)
    wait(delay)
    add(
      .switched(from: other, wasPreempted: true, to: Self.app), by: other,
      of: other == Self.worker ? 10 : other.thread)
  }

  /// Another thread takes the core.
  mutating func lose(_ span: Double, to other: TracedEvent.Task) {
    add(.switched(from: Self.app, wasPreempted: true, to: other))
    wait(span)
    add(.switched(from: other, wasPreempted: true, to: Self.app), by: other, of: other.thread)
  }

  /// The next vsync that is not past.
  mutating func reachVsync() { now = nextVsync() }

  private mutating func nextVsync() -> Double {
    vsync = max(vsync + 1, Int((now / step).rounded(.up)))
    return Double(vsync) * step
  }

  /// Frames for which the thread is woken.
  mutating func draw(_ count: Int = 1, taking span: Double = 2) {
    for _ in 0..<count {
      sleep()
      reachVsync()
      wake()
      finish(taking: span)
    }
  }

  /// Frames, between which the compositor wakes the thread for the pointer, which takes the thread `handling`.
  mutating func draw(_ count: Int, motions hertz: Double, handling: Double) {
    for _ in 0..<count {
      sleep()
      let target = nextVsync()
      while now < target {
        // At any phase of the vsyncs.
        now = (((now - 0.37) * hertz / 1000).rounded(.down) + 1) * 1000 / hertz + 0.37
        guard now < target else { break }
        wake()
        wait(handling)
        if now < target { sleep() }
      }
      if events.last?.kind == Self.asleep {
        now = target
        wake()
      }
      finish()
    }
  }

  private static let asleep = TracedEvent.Kind.switched(from: app, wasPreempted: false, to: idle)

  /// The thread handles the call, and draws.
  mutating func finish(taking span: Double = 2) {
    add(.destroyed(callback: 20))
    wait(span)
    commit()
  }

  /// A frame whose call comes while something else keeps the thread: it is not woken.
  mutating func hang(_ body: (inout Self) -> Void) {
    body(&self)
    finish()
  }

  /// The thread has other work. If that ends before the next call, it sleeps until then.
  mutating func work(_ span: Double) {
    wait(span)
    if now < Double(vsync + 1) * step { draw(taking: 1) } else { finish(taking: 1) }
  }

  func probed(_ change: ([TracedEvent]) -> [TracedEvent] = { $0 }) -> ProbedClient {
    var client = ProbedClient(10, [11]) { $0 == 77 }
    client.take(change(events), upTo: .max)
    return client
  }
}

@Suite struct `Frames of a client with probes` {
  private func seen(_ client: ProbedClient) -> (WindowFrames, [FrameRecord]) {
    var (client, frames) = (client, WindowFrames(client.refresh ?? RefreshRate(60)))
    _ = client.choose()
    frames.take(client.report(isResting: false, isSilent: true), at: .now)
    frames.stop()
    let records = frames.observation(at: .now).frames
    return (frames, records)
  }

  private func isNear(_ span: TimeSpan, _ milliseconds: Double) -> Bool {
    abs(span.inMilliseconds - milliseconds) < 0.01
  }

  @Test func `that are in time drop nothing`() {
    var client = TracedClient()
    client.draw(300)
    let (frames, records) = seen(client.probed())
    #expect(records.count == 301 && records.allSatisfy { $0.dropped == 0 && $0.cause == nil })
    #expect(frames.lastLate == nil && frames.betterRate == nil)
    let spans = records.dropFirst().map(\.spans)
    #expect(spans.allSatisfy { isNear($0[.render], 2) && $0[.lockWait] == .zero })
    #expect(spans.allSatisfy { (40...60).contains($0[.wakeup].nanoseconds / 1000) })
  }

  /// What delays a frame, and what is said of it: its cause, the longest part, and the words.
  private static let hangs: [(Cause, String, @Sendable (inout TracedClient, Double) -> Void)] = [
    (.logic, "own code", { $0.wait($1) }),
    // It begins with a click.
    (
      .logic, "own code",
      {
        $0.sleep()
        $0.wait(1)
        $0.wake()
        $0.wait($1)
      }
    ),
    (
      .lock, "waiting for a timer or a device",
      {
        $0.sleep()
        $0.wait($1)
        $0.wake(by: TracedClient.stress, inInterrupt: true, after: TracedClient.idle)
      }
    ),
    (
      .lock, "waiting for 'worker'",
      {
        $0.sleep()
        $0.wait($1)
        $0.wake(by: TracedClient.worker, after: TracedClient.worker)
      }
    ),
    (.machine, "taken by 'stress'", { $0.lose($1, to: TracedClient.stress) }),
    (
      .preempted, "taken by its own 'worker'", { $0.lose($1, to: TracedClient.worker) }
    ),
    (
      .preempted, "taken by its own 'cc1'",
      { $0.lose($1, to: TracedEvent.Task(thread: 77, name: "cc1")) }
    ),
  ]

  /// It calls itself, and what it calls belongs to it; a call without a return says nothing of later ones.
  @Test(arguments: [true, false])
  func `that a function with probes delays have its name`(sleeps: Bool) throws {
    func call(_ client: inout TracedClient, _ name: String, returns: Bool = false) {
      client.add(.called(function: name, returns: returns))
    }
    var client = TracedClient()
    client.draw(60)
    call(&client, "other", returns: true)
    client.hang { client in
      call(&client, "load")
      call(&client, "load")
      client.wait(40)
      call(&client, "load", returns: true)
      if sleeps {
        client.sleep()
        client.wait(50)
        client.wake(by: TracedClient.stress, inInterrupt: true, after: TracedClient.idle)
      } else {
        client.wait(50)
      }
      call(&client, "load", returns: true)
      call(&client, "short")
      client.wait(4)
      call(&client, "short", returns: true)
    }
    let (frames, _) = seen(client.probed())
    let said = try #require(frames.lastLate?.spent)
    #expect(said.work.name == "load" && (70...90).contains(said.work.span), "\(said)")
    #expect(said.words?.hasSuffix(" ms of it in load") == true, "\(said.words ?? "")")
    client.draw(60)
    call(&client, "endless")
    for _ in 0..<200 { call(&client, "deep") }
    client.hang { $0.wait(40) }
    let (later, _) = seen(client.probed())
    #expect(later.lastLate?.spent?.work.name != "load")
  }

  @Test(arguments: [40.0, 90, 200, 310, 600], hangs.indices)
  func `that something delays have its length and cause`(span: Double, number: Int) throws {
    let (cause, words, hang) = Self.hangs[number]
    for delay in stride(from: 0.5, to: 14, by: 3) {
      var client = TracedClient()
      client.draw(60)
      client.wait(delay)
      client.hang { hang(&$0, span) }
      client.draw(60)
      let (frames, records) = seen(client.probed())
      let late = try #require(records.max { $0.dropped < $1.dropped })
      #expect(late.cause == cause, "\(delay)")
      let wait = [Phase.logic, .lockWait, .wakeup].map { late.spans[$0].inMilliseconds }.reduce(
        0, +)
      // It begins between two vsyncs.
      #expect((span - TracedClient.period...span + 0.2).contains(wait), "\(wait) of \(span)")
      let lost = Double(records.reduce(0) { $0 + $1.dropped }) * TracedClient.period
      #expect(abs(lost - wait) < TracedClient.period + 3, "\(lost) of \(span)")
      let said = try #require(frames.lastLate?.spent?.words)
      #expect(said.contains(" ms \(words)"), "\(said)")
      let hangs = records.flatMap(\.hangsBetween)
      #expect(hangs.count == (wait > 250 ? 1 : 0))
    }
  }

  /// Frames come at the display's rate, whatever it is.
  @Test(arguments: [20, 24, 25, 30, 40, 48, 50, 59.94, 60, 72, 75, 85, 90, 100, 120, 144, 165, 240])
  func `that are in time drop nothing at any rate`(hertz: Double) throws {
    var client = TracedClient(hertz: hertz)
    client.draw(300, taking: min(2, client.step / 4))
    let probed = client.probed()
    #expect(abs(try #require(probed.refresh).hertz / hertz - 1) < 0.002)
    let (_, records) = seen(probed)
    #expect(records.count == 301 && records.allSatisfy { $0.dropped == 0 && $0.cause == nil })
  }

  /// As those of a client that is too slow for each vsync.
  @Test(arguments: [9.0, 12, 15]) func `that take more than a vsync are late`(excess: Double) {
    var client = TracedClient()
    client.draw(300, taking: 16.7 + excess)
    let probed = client.probed()
    #expect(probed.refresh == RefreshRate(60))
    #expect((298...300).contains(seen(probed).1.reduce(0) { $0 + $1.dropped }))
  }

  /// The compositor wakes the thread for the pointer, too.
  @Test(
    arguments: [(60.0, 125.0), (60, 250), (60, 1000), (144, 125), (144, 1000)], [0.02, 0.1, 0.3])
  func `are in time while the pointer moves`(rates: (Double, Double), handling: Double) throws {
    let (hertz, motions) = rates
    var client = TracedClient(hertz: hertz)
    client.draw(Int(hertz) * 20, motions: motions, handling: handling)
    let probed = client.probed()
    #expect(probed.refresh == RefreshRate(Int64(hertz)))
    let (_, records) = seen(probed)
    #expect(records.count == Int(hertz) * 20 + 1)
    #expect(records.allSatisfy { $0.dropped == 0 && $0.cause == nil })
    let waits = records.map { $0.spans[.wakeup].inMilliseconds }.sorted()
    #expect(waits[waits.count / 2] < handling + 0.2 && (waits.last ?? 0) < 2 * handling + 0.3)
  }

  @Test(arguments: [30.0, 40, 60, 75, 120, 144, 240], [10.0, 13, 30, 90])
  func `that own work delays now and then are late by it at any rate`(hertz: Double, span: Double)
    throws
  {
    var client = TracedClient(hertz: hertz)
    for number in 0..<60 {
      client.draw(10, taking: 1)
      client.wait(Double(number % 3))
      client.work(span)
    }
    client.draw(10, taking: 1)
    let (_, records) = seen(client.probed())
    let late = records.filter { $0.dropped > 0 }
    #expect(abs(late.reduce(0) { $0 + $1.dropped } - client.dropped) <= 2)
    #expect(late.count { $0.cause == .logic } * 10 >= late.count * 9)
  }

  /// Those of a pointer that moves during a hang are not calls either.
  @Test(arguments: [125.0, 1000]) func `hang while the pointer moves`(motions: Double) throws {
    var client = TracedClient()
    client.draw(300, motions: motions, handling: 0.1)
    client.hang { $0.wait(600) }
    client.draw(60, motions: motions, handling: 0.1)
    let (_, records) = seen(client.probed())
    #expect((34...37).contains(records.reduce(0) { $0 + $1.dropped }))
    #expect(records.flatMap(\.hangsBetween).count == 1)
  }

  /// The compositor's messages are read by another thread, which wakes the one that draws.
  @Test func `have the vsync of the thread that reads`() {
    var client = TracedClient()
    for _ in 0..<100 {
      client.sleep()
      client.reachVsync()
      client.add(.woken(thread: 11, byInterrupt: false), by: TracedClient.weston, of: 5)
      client.wait(0.4)
      client.wake(by: TracedClient.worker, after: TracedClient.worker)
      client.finish()
    }
    let waits = seen(client.probed()).1.dropFirst(2).map(\.spans[.wakeup])
    #expect(waits.allSatisfy { isNear($0, 0.45) })
  }

  /// A cursor, a part of the window, or another window, in the middle of a frame.
  @Test func `know what the thread did before it drew something else`() throws {
    var client = TracedClient()
    client.draw(60)
    var probed = client.probed()
    _ = probed.choose()
    let known = client.events.count
    client.wait(300)
    client.add(.destroyed(callback: 20))
    client.request(6, of: 9)
    client.commit()
    client.draw(60)
    probed.take(Array(client.events[known...]), upTo: .max)
    let (frames, records) = seen(probed)
    let late = try #require(records.max { $0.dropped < $1.dropped })
    #expect(late.cause == .logic && late.spans[.logic].inMilliseconds > 280)
    #expect(frames.lastLate?.spent?.words?.hasSuffix("ms own code") == true)
  }

  /// Another window that draws all the time is no sign that this one does.
  @Test func `of the shown window alone are heard`() {
    var client = TracedClient()
    client.draw(60)
    var probed = client.probed()
    #expect(probed.choose() && probed.drawer == 10)
    let (requests, known) = (probed.requests, client.events.count)
    for _ in 0..<60 {
      client.request(3, of: 8)
      client.add(.listened(callback: 30))
      client.request(6, of: 8)
      client.wait(16)
      client.add(.destroyed(callback: 30))
    }
    probed.take(Array(client.events[known...]), upTo: .max)
    #expect(probed.requests == requests && probed.log.others.map(\.requests) == [60])
    #expect(probed.log.busier == nil)
    let next = client.events.count
    client.draw(1)
    probed.take(Array(client.events[next...]), upTo: .max)
    #expect(probed.requests > requests)
  }

  /// The client waits for the call, or has handled it.
  @Test(arguments: [false, true], [0.5, 10])
  func `have no gap where a signal has stopped the client`(isCalled: Bool, seconds: Double) {
    var client = TracedClient()
    client.draw(60)
    client.sleep()
    if isCalled {
      client.reachVsync()
      client.wake()
      client.add(.destroyed(callback: 20))
    }
    var probed = client.probed()
    _ = probed.choose()
    for glance in 1...Int(1000 * seconds / 33) {
      probed.stop(at: client.events.last.map { $0.instant + Int64(glance) * 33_000_000 } ?? 0)
      _ = probed.report(isResting: true, isSilent: false)
    }
    let known = client.events.count
    client.wait(1000 * seconds + 5)
    client.wake()
    if isCalled { client.commit() } else { client.finish() }
    client.draw(60)
    client.hang { $0.wait(100) }
    client.draw(10)
    probed.take(Array(client.events[known...]), upTo: .max)
    let (_, records) = seen(probed)
    #expect((4...7).contains(records.reduce(0) { $0 + $1.dropped }))
    #expect(records.flatMap(\.hangsBetween).isEmpty)
  }

  /// It was woken in time, and then had no core.
  @Test func `whose wake-up others delay are late by these`() throws {
    var client = TracedClient()
    client.draw(60)
    client.sleep()
    client.reachVsync()
    client.wake(after: TracedClient.stress, delay: 40)
    client.finish()
    client.draw(60)
    let (frames, records) = seen(client.probed())
    let late = try #require(records.max { $0.dropped < $1.dropped })
    #expect(late.dropped == 2 && late.cause == .machine && isNear(late.spans[.wakeup], 40))
    #expect(frames.lastLate?.spent?.words == "40 ms taken by 'stress'")
  }

  @Test func `whose drawing waits, or is interrupted, say so`() throws {
    var client = TracedClient()
    client.draw(60)
    client.sleep()
    client.reachVsync()
    client.wake()
    client.add(.destroyed(callback: 20))
    client.wait(3)
    client.lose(60, to: TracedClient.stress)
    client.sleep()
    client.wait(5)
    client.wake(by: TracedClient.worker, after: TracedClient.idle)
    client.commit()
    client.draw(60)
    let (frames, records) = seen(client.probed())
    let late = try #require(records.max { $0.dropped < $1.dropped })
    #expect(isNear(late.spans[.machine], 60) && isNear(late.spans[.lockWait], 5))
    #expect(isNear(late.spans[.render], 63.05) && late.cause == .machine)
    // With the 50 µs that the compositor still had the core after it woke the thread.
    #expect(frames.lastLate?.spent?.words == "60.1 ms taken by 'stress', 5 ms waiting for 'worker'")
  }

  /// The compositor has nothing to do during a hang, and then shows the frame at once: between two vsyncs.
  @Test func `keep their length if the compositor rests meanwhile`() throws {
    var client = TracedClient()
    client.draw(60)
    client.hang { $0.wait(103) }
    client.sleep()
    client.wait(1)
    client.wake()
    client.finish()
    let (_, records) = seen(client.probed())
    let late = try #require(records.max { $0.dropped < $1.dropped })
    #expect(isNear(late.spans[.logic], 103 + 2.05 - TracedClient.period))
    #expect(late.workEnd <= RefreshRate(60).vsync(late.presentVsync))
  }

  /// As it does now and then.
  @Test func `are the same if the kernel leaves out a switch to the thread`() throws {
    var client = TracedClient()
    client.draw(20)
    client.hang { $0.wait(300) }
    client.draw(20)
    let plain = seen(client.probed())
    for kept in 0..<4 {
      let (frames, records) = seen(
        client.probed { events in
          events.enumerated().filter { number, event in
            if case .switched(_, _, TracedClient.app) = event.kind { return number % 4 == kept }
            return true
          }.map(\.element)
        })
      #expect(records.map(\.dropped) == plain.1.map(\.dropped))
      #expect(frames.lastLate?.cause == .logic)
    }
  }

  /// Those of two cores come in any order within some milliseconds.
  @Test func `are the same in whatever order and pieces the events come`() {
    var client = TracedClient()
    client.draw(20)
    client.hang { $0.wait(300) }
    client.draw(20)
    let plain = seen(client.probed()).1
    var probed = ProbedClient(10, [11])
    var rest = client.events
    while !rest.isEmpty {
      let piece = Array(rest.prefix(7))
      rest.removeFirst(piece.count)
      let end = rest.first?.instant ?? .max
      let (own, others) = (
        piece.filter { $0.task.thread == 10 }, piece.filter { $0.task.thread != 10 }
      )
      probed.take(others + own, upTo: end)
    }
    probed.take([], upTo: .max)
    #expect(seen(probed).1.map(\.presentVsync) == plain.map(\.presentVsync))
  }

  @Test func `are those of the window, not of cursors, other processes or other callbacks`() {
    var client = TracedClient()
    for _ in 0..<60 {
      client.draw()
      client.request(6, of: 9)
      client.add(.destroyed(callback: 4))
      client.add(.requested(opcode: 3, surface: 3), by: TracedClient.stress, of: 99)
      client.add(.requested(opcode: 6, surface: 3), by: TracedClient.stress, of: 99)
      client.add(.destroyed(callback: 20), by: TracedClient.stress, of: 99)
    }
    let (_, records) = seen(client.probed())
    #expect(records.count == 61 && records.allSatisfy { $0.dropped == 0 })
    var probed = client.probed()
    _ = probed.choose()
    #expect(probed.log.window?.name == "surface 3" && probed.log.others.isEmpty)
    #expect(probed.log.window?.surface.commits == 61)
  }

  @Test func `are there without the numbers of callbacks`() {
    var client = TracedClient()
    client.listens = false
    client.draw(60)
    client.hang { $0.wait(300) }
    client.draw(60)
    let (_, records) = seen(client.probed())
    #expect(records.count >= 121)
    #expect((16...19).contains(records.reduce(0) { $0 + $1.dropped }))
  }

  @Test func `that a surface's end leaves behind do no harm`() {
    var client = TracedClient()
    client.draw(10)
    client.request(0)
    client.add(.destroyed(callback: 20))
    client.request(6)
    client.draw(10)
    var probed = client.probed()
    #expect(probed.choose() && probed.log.window?.surface.requests == 10)
  }

  /// The client asks for a frame, and waits for an event.
  @Test func `have no gap where the client rests`() {
    var client = TracedClient()
    client.draw(30)
    client.sleep()
    client.reachVsync()
    client.wake()
    client.add(.destroyed(callback: 20))
    client.sleep()
    var probed = client.probed()
    _ = probed.choose()
    var frames = WindowFrames(RefreshRate(60))
    let start = ContinuousClock.now
    for glance in 1...60 {
      probed.rest(at: client.events.last.map { $0.instant + Int64(glance) * 33_000_000 } ?? 0)
      frames.take(
        probed.report(isResting: true, isSilent: false), at: start + .milliseconds(33 * glance))
    }
    client.wait(2000)
    let known = client.events.count
    client.wake(by: TracedClient.weston)
    client.commit()
    client.draw(30)
    probed.take(Array(client.events[known...]), upTo: .max)
    frames.take(probed.report(isResting: false, isSilent: true), at: start + .seconds(3))
    frames.stop()
    let records = frames.observation(at: start + .seconds(3)).frames
    #expect(records.count >= 60 && records.reduce(0) { $0 + $1.dropped } == 0)
  }

  /// The view looks just behind the commit, which is too new to be taken then, or was not read yet.
  @Test(arguments: [true, false], [true, false])
  func `are late by their drawing if the client is seen to rest or stop at once`(
    isRead: Bool, isStopped: Bool
  ) {
    var client = TracedClient()
    client.draw(60)
    client.sleep()
    client.reachVsync()
    client.wake()
    client.add(.destroyed(callback: 20))
    client.wait(100)
    let known = client.events.count
    client.commit()
    client.sleep()
    let glance = Int64(client.now * 1e6) + 2_000_000
    let taken = isRead ? client.events.count : known
    var probed = ProbedClient(10, [11])
    probed.take(Array(client.events[..<taken]), upTo: glance)
    _ = probed.choose()
    if isStopped { probed.stop(at: glance) } else { probed.rest(at: glance) }
    probed.take(Array(client.events[taken...]), upTo: .max)
    #expect((5...6).contains(seen(probed).1.reduce(0) { $0 + $1.dropped }))
  }

  @Test func `hang with what the thread does now`() throws {
    for (cause, change) in [
      (.logic, { _ in }), (.lock, { $0.sleep() }),
      (
        .machine,
        {
          $0.add(
            .switched(from: TracedClient.app, wasPreempted: true, to: TracedClient.stress))
        }
      ),
    ] as [(Cause, (inout TracedClient) -> Void)] {
      var client = TracedClient()
      client.draw(60)
      change(&client)
      var probed = client.probed()
      _ = probed.choose()
      #expect(probed.obstacle == cause)
      var frames = WindowFrames(RefreshRate(60))
      let now = ContinuousClock.now
      frames.take(probed.report(isResting: false, isSilent: true), at: now)
      let open = try #require(frames.observation(at: now + .milliseconds(900)).openFrame)
      #expect(open.cause == cause && (50...54).contains(open.dropped))
    }
  }

  /// Whatever a false trace says.
  @Test func `of nonsense harm nothing`() {
    var random = SystemRandomNumberGenerator()
    func task() -> TracedEvent.Task {
      TracedEvent.Task(thread: Int.random(in: -1...12, using: &random), name: "x")
    }
    for _ in 0..<20 {
      let events = (0..<2000).map { _ -> TracedEvent in
        let kinds: [TracedEvent.Kind] = [
          .switched(from: task(), wasPreempted: Bool.random(using: &random), to: task()),
          .woken(thread: Int.random(in: 9...12, using: &random), byInterrupt: false),
          .requested(
            opcode: Int.random(in: 0...7, using: &random),
            surface: UInt32.random(in: 0...3, using: &random) &- 1),
          .listened(callback: UInt32.random(in: 0...3, using: &random)),
          .destroyed(callback: UInt32.random(in: 0...3, using: &random)),
        ]
        let instants: [Int64] = [
          Int64.random(in: 0...1_000_000_000, using: &random), -(1 << 61), 1 << 61, 0,
        ]
        let instant = instants.randomElement(using: &random) ?? 0
        return TracedEvent(
          at: instant, by: task(), of: Bool.random(using: &random) ? 10 : nil,
          kinds.randomElement(using: &random) ?? kinds[0])
      }
      var client = ProbedClient(10)
      var frames = WindowFrames(RefreshRate(60))
      for start in stride(from: 0, to: events.count, by: 100) {
        client.take(Array(events[start..<start + 100]), upTo: .max)
        _ = client.choose()
        client.rest(at: events[start].instant)
        frames.take(client.report(isResting: false, isSilent: true), at: .now)
        _ = frames.observation(at: .now + .seconds(1))
      }
    }
  }
}
