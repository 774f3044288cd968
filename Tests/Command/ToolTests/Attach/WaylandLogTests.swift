import Foundation
import FrameBudget
import Glibc
import TestSupport
import Testing

@testable import FrameBudgetCLI

/// A client that draws a window on a display of 60 Hz, and its log as libwayland writes it.
private struct LoggedClient {
  private(set) var text = """
    [ 900000.000]  -> wl_compositor@4.create_surface(new id wl_surface@7)
    [ 900000.100]  -> xdg_wm_base@12.get_xdg_surface(new id xdg_surface@13, wl_surface@7)
    [ 900000.200]  -> xdg_surface@13.get_toplevel(new id xdg_toplevel@14)
    [ 900000.300]  -> xdg_toplevel@14.set_title("Frames")
    [ 900000.400] wl_output@10.mode(3, 1024, 640, 60000)
    [ 900000.500]  -> wl_surface@7.commit()

    """
  /// In milliseconds of the log's clock, which is ahead of the compositor's.
  private(set) var now = 900_001.0
  private(set) var requests = 0
  /// By how much the log's clock was set.
  var change = 0.0
  private let hasFeedback: Bool
  static let period = 1000.0 / 60

  init(hasFeedback: Bool = false) {
    self.hasFeedback = hasFeedback
    commit()
  }

  /// Writes a line at the present time.
  mutating func log(_ message: String) {
    let time = Int((now + change) * 1000) & 0xffff_ffff
    let fraction = String(1000 + time % 1000).dropFirst()
    text += "[\(time / 1000).\(fraction)] \(message)\n"
  }

  /// Commits a frame, and requests the next one.
  mutating func commit() {
    if hasFeedback {
      let feedback = "wp_presentation_feedback@\(100 + requests)"
      log(" -> wp_presentation@5.feedback(wl_surface@7, new id \(feedback))")
    }
    log(" -> wl_surface@7.frame(new id wl_callback@\(1000 + requests))")
    requests += 1
    log(" -> wl_surface@7.commit()")
  }

  mutating func draw(_ count: Int = 1, taking span: Double = 2) {
    for _ in 0..<count { frame(taking: span) }
  }

  /// A frame that the compositor wants at the next vsync, or some vsyncs later.
  mutating func frame(taking drawing: Double = 2, busy: Double = 0, skipping vsyncs: Int = 0) {
    call(busy: busy, skipping: vsyncs)
    now += drawing
    commit()
  }

  /// The call for a frame, which the client handles once it is not busy any more.
  mutating func call(busy: Double = 0, skipping vsyncs: Int = 0) {
    let free = now + busy
    let time = Self.period * ((now / Self.period).rounded(.down) + Double(1 + vsyncs))
    now = max(time + 0.2, free)
    log("wl_display@1.delete_id(\(999 + requests))")
    log("wl_callback@\(999 + requests).done(\(Int(time) - 500_000))")
    if hasFeedback {
      let shown = Int((time - 500_000) * 1e6).quotientAndRemainder(dividingBy: 1_000_000_000)
      let arguments = "0, \(shown.quotient), \(shown.remainder), 16666666, 0, 1, 7"
      log("wp_presentation_feedback@\(99 + requests).presented(\(arguments))")
    }
  }

  /// Nothing is drawn.
  mutating func wait(_ span: Double) { now += span }

  mutating func removeText() { text = "" }
}

@Suite struct `Frames of a Wayland client` {
  private func take(_ client: inout LoggedClient, _ log: inout WaylandLog) {
    var text = WaylandText()
    text.add(Array(client.text.utf8)) { log.take($0) }
    client.removeText()
    #expect(text.words.isEmpty, "\(text.words)")
    _ = log.choose()
  }

  /// All frames of a log; the last one waits for the compositor's next call.
  private func records(_ log: inout WaylandLog) -> [FrameRecord] {
    var frames = WindowFrames(log.refresh ?? RefreshRate(60))
    frames.take(log.report(isResting: false, isSilent: true), at: .now)
    frames.stop()
    return frames.observation(at: .now).frames
  }

  private func records(of client: LoggedClient) -> [FrameRecord] {
    var (client, log) = (client, WaylandLog())
    take(&client, &log)
    #expect(log.window?.name == "Frames" && log.window?.surface.requests == client.requests)
    #expect(log.window?.surface.commits == client.requests + 1)
    return records(&log)
  }

  @Test(arguments: [false, true]) func `that are in time drop nothing`(hasFeedback: Bool) {
    var client = LoggedClient(hasFeedback: hasFeedback)
    client.draw(600)
    let records = records(of: client)
    #expect(records.count == client.requests)
    #expect(records.allSatisfy { $0.dropped == 0 && $0.cause == nil })
    #expect(records.map(\.presentVsync) == Array(1...601))
  }

  /// A task keeps the main thread from the call, at any phase of the vsyncs.
  @Test(arguments: [35.0, 60, 100, 120, 300, 600])
  func `after a hang have its length within a frame, and its cause`(span: Double) {
    for delay in stride(from: 0, to: 14, by: 1.3) {
      var client = LoggedClient()
      client.draw(60)
      client.wait(delay)
      client.frame(busy: span)
      client.draw(60)
      let records = records(of: client)
      #expect(records.count == client.requests)
      let lost = Double(records.reduce(0) { $0 + $1.dropped }) * LoggedClient.period
      #expect(abs(lost - span) < 2 * LoggedClient.period, "\(lost) of \(span) after \(delay)")
      let late = records.filter { $0.dropped > 0 }
      #expect(late.map(\.mainCause) == [.logic])
      let wait = late.map { $0.spans[.logic].inMilliseconds }.max() ?? 0
      #expect(abs(wait - span) < LoggedClient.period + 1, "\(wait) of \(span) after \(delay)")
      let hangs = records.flatMap(\.hangsBetween)
      #expect(hangs.count == (span > 280 ? 1 : 0), "\(hangs)")
    }
  }

  @Test func `that draw for long are late by drawing`() {
    var client = LoggedClient()
    client.draw(10)
    client.frame(taking: 40)
    client.draw(10)
    let late = records(of: client).filter { $0.dropped > 0 }
    #expect(late.map(\.dropped) == [2] && late.map(\.mainCause) == [.render])
  }

  @Test(arguments: [false, true])
  func `that the compositor shows late are not the app's`(hasFeedback: Bool) {
    var client = LoggedClient(hasFeedback: hasFeedback)
    client.draw(10)
    client.frame(skipping: 3)
    client.draw(10)
    let late = records(of: client).filter { $0.dropped > 0 }
    #expect(late.map(\.dropped) == [3] && late.map(\.mainCause) == [.machine])
  }

  /// Qt Widgets can draw for a call without a request, and at once again with one. Times are in milliseconds.
  @Test(arguments: [(1.6, 0), (12.0, 1)])
  func `that are drawn again at once are one`(pause: Double, others: Int) {
    for hasFeedback in [false, true] {
      var client = LoggedClient(hasFeedback: hasFeedback)
      client.draw(30)
      for _ in 0..<10 {
        client.call()
        client.log(" -> wl_surface@7.commit()")
        client.wait(pause)
        client.commit()
        client.draw(5)
      }
      var log = WaylandLog()
      take(&client, &log)
      let records = records(&log)
      #expect(records.count == client.requests + 10 * others)
      #expect(records.map(\.presentVsync) == Array(1...records.count))
    }
  }

  @Test func `that were drawn without a request are there once the client rests`() {
    var (client, log) = (LoggedClient(), WaylandLog())
    client.draw(30)
    client.call()
    client.log(" -> wl_surface@7.commit()")
    take(&client, &log)
    let frames = log.report(isResting: true, isSilent: false).frames
    #expect(frames.count == client.requests)
    log.rest(at: log.now + 1)
    #expect(log.report(isResting: true, isSilent: false).frames.isEmpty)
    log.rest(at: log.now + 20)
    #expect(log.report(isResting: true, isSilent: false).frames.count == 1)
  }

  @Test func `have no gap where the window was hidden`() {
    var client = LoggedClient(hasFeedback: true)
    client.draw(30)
    client.frame(skipping: 300)
    client.draw(30)
    let records = records(of: client)
    #expect(records.count == client.requests && records.allSatisfy { $0.dropped == 0 })
  }

  /// Toolkits request a callback with every commit, also when nothing else will be drawn.
  @Test func `have no gap where the app had nothing to draw`() {
    for hasEvent in [false, true] {
      var (client, log) = (LoggedClient(), WaylandLog())
      var frames = WindowFrames(RefreshRate(60))
      client.draw(30)
      for _ in 0..<5 {
        client.call()
        take(&client, &log)
        for glance in 1...30 { log.rest(at: log.now + 33 * Double(glance)) }
        frames.take(log.report(isResting: true, isSilent: false), at: .now)
        client.wait(33 * 30)
        if hasEvent { client.log("wl_pointer@3.motion(1, 2.0, 3.0)") }
        client.wait(5)
        client.commit()
        client.draw(5)
        take(&client, &log)
      }
      frames.take(log.report(isResting: false, isSilent: true), at: .now)
      frames.stop()
      let dropped = frames.observation(at: .now).frames.map(\.dropped)
      #expect(dropped == Array(repeating: 0, count: client.requests))
    }
  }

  @Test func `hang while the client neither writes nor waits for events`() throws {
    var (client, log) = (LoggedClient(), WaylandLog())
    client.draw(60)
    take(&client, &log)
    var frames = WindowFrames(RefreshRate(60))
    let start = ContinuousClock.now
    frames.take(log.report(isResting: false, isSilent: false), at: start)
    #expect(frames.observation(at: start + .milliseconds(200)).openFrame == nil)
    frames.take(log.report(isResting: false, isSilent: true), at: start)
    let open = try #require(frames.observation(at: start + .milliseconds(900)).openFrame)
    #expect((850...910).contains((open.workEnd - open.begin).inMilliseconds))
    #expect((50...54).contains(open.dropped) && open.cause == .logic)
    // Afterwards it is a frame, and nothing is counted twice.
    client.frame(busy: 900)
    client.draw(60)
    take(&client, &log)
    frames.take(log.report(isResting: false, isSilent: true), at: start + .seconds(2))
    frames.stop()
    let records = frames.observation(at: start + .seconds(2)).frames
    #expect((52...55).contains(records.reduce(0) { $0 + $1.dropped }))
    #expect(records.flatMap(\.hangsBetween).count == 1)
  }

  @Test func `hang after a rest without the time of the rest`() throws {
    var (client, log) = (LoggedClient(), WaylandLog())
    var frames = WindowFrames(RefreshRate(60))
    client.draw(60)
    client.call()
    take(&client, &log)
    let start = ContinuousClock.now
    for glance in 1...1800 {
      log.rest(at: log.now + 33 * Double(glance))
      frames.take(
        log.report(isResting: true, isSilent: false), at: start + .milliseconds(33 * glance))
    }
    client.wait(33 * 1800)
    client.log("wl_pointer@3.button(1, 2, 272, 1)")
    take(&client, &log)
    let click = start + .milliseconds(33 * 1800)
    frames.take(log.report(isResting: false, isSilent: false), at: click)
    frames.take(log.report(isResting: false, isSilent: true), at: click)
    let hang = frames.observation(at: click + .milliseconds(900))
    let open = try #require(hang.openFrame)
    #expect((850...910).contains((open.workEnd - open.begin).inMilliseconds))
    #expect((50...54).contains(open.dropped))
    client.wait(900)
    client.commit()
    client.draw(60)
    take(&client, &log)
    frames.take(log.report(isResting: false, isSilent: true), at: click + .seconds(2))
    frames.stop()
    let end = frames.observation(at: click + .seconds(2))
    #expect((52...55).contains(end.frames.reduce(0) { $0 + $1.dropped }))
    #expect(end.now == end.frames.last.map { RefreshRate(60).vsync($0.presentVsync) })
  }

  /// The compositor's call waits meanwhile, or the client has handled it.
  @Test(arguments: [false, true]) func `have no gap where a signal has stopped the client`(
    isCalled: Bool
  ) {
    var (client, log) = (LoggedClient(), WaylandLog())
    var frames = WindowFrames(RefreshRate(60))
    client.draw(30)
    if isCalled { client.call() }
    take(&client, &log)
    for glance in 1...303 {
      log.stop(at: log.now + 33 * Double(glance))
      frames.take(log.report(isResting: true, isSilent: false), at: .now)
    }
    if isCalled {
      client.wait(10_000)
      client.commit()
    } else {
      client.frame(busy: 10_000)
    }
    client.draw(30)
    take(&client, &log)
    frames.take(log.report(isResting: false, isSilent: true), at: .now)
    frames.stop()
    let records = frames.observation(at: .now).frames
    #expect(records.count > 30 && records.reduce(0) { $0 + $1.dropped } == 0)
    #expect(records.flatMap(\.hangsBetween).isEmpty)
  }

  /// It looks thirty times a second whether the client waits for events.
  @Test(arguments: [(24.0, 50...65), (10, 0...0)])
  func `are the same at whatever moments the view looks`(rate: Double, expected: ClosedRange<Int>) {
    let counts = stride(from: 0.0, to: 33, by: 3).map { phase in
      var (client, log) = (LoggedClient(), WaylandLog())
      var glance = phase
      for number in 1...40 {
        client.call()
        take(&client, &log)
        client.wait(900_008 + 1000 / rate * Double(number) - client.now)
        while glance < client.now - 900_000 {
          if glance > log.now { log.rest(at: glance) }
          glance += 33
        }
        client.commit()
        take(&client, &log)
      }
      return records(&log).reduce(0) { $0 + $1.dropped }
    }
    #expect(Set(counts).count == 1 && counts.allSatisfy(expected.contains), "\(counts)")
  }

  /// The log's clock is that of the day, and its microseconds have 32 bits.
  @Test(arguments: [3_394_900.0, -100, 100_000, 3_600_000, -3_600_000])
  func `are the same if the clock begins again or is set`(change: Double) {
    var client = LoggedClient()
    client.draw(30)
    client.change = change
    client.draw(300)
    let dropped = records(of: client).map(\.dropped)
    // A frame during such a change can be lost.
    #expect(dropped.count >= client.requests - 1 && dropped.allSatisfy { $0 == 0 }, "\(dropped)")
  }

  @Test func `of several windows are told apart, and r shows the one that drew last`() {
    var log = WaylandLog()
    let text = """
      [1.000]  -> wl_surface@7.frame(new id wl_callback@19)
      [1.100]  -> wl_surface@7.commit()
      [2.000]  -> wl_surface@8.frame(new id wl_callback@20)
      [2.100]  -> wl_surface@8.commit()

      """
    var lines = WaylandText()
    lines.add(Array(text.utf8)) { log.take($0) }
    #expect(log.choose() && log.window?.name == "surface 8")
    #expect(!log.choose() && log.others.map(\.name) == ["surface 7"])
    lines.add(Array("[3.000]  -> wl_surface@7.commit()\n".utf8)) { log.take($0) }
    #expect(log.choose(keep: false) && log.window?.name == "surface 7")
    lines.add(Array("[4.000]  -> wl_surface@7.destroy()\n".utf8)) { log.take($0) }
    #expect(log.window == nil && log.choose() && log.window?.name == "surface 8")
  }

  @Test func `of a window begin when it is shown`() {
    var (client, log) = (LoggedClient(), WaylandLog())
    client.draw()
    take(&client, &log)
    func other(_ number: Int) -> [String] {
      [" -> wl_surface@8.frame(new id wl_callback@\(5000 + number))", " -> wl_surface@8.commit()"]
    }
    for number in 0..<100 {
      for message in other(number) { client.log(message) }
      client.draw()
      client.log("wl_callback@\(5000 + number).done(\(Int(client.now) - 500_000))")
    }
    take(&client, &log)
    _ = log.report(isResting: false, isSilent: false)
    // It has nothing to draw for a minute, in which only the window that is shown is looked at.
    client.wait(60_000)
    client.log(" -> wl_surface@7.destroy()")
    take(&client, &log)
    #expect(log.window?.name == "surface 8")
    #expect(log.report(isResting: true, isSilent: false).frames.isEmpty)
    for message in other(100) { client.log(message) }
    take(&client, &log)
    #expect(records(&log).map(\.dropped) == [0])
  }

  @Test func `have the rate of the display on which the window is`() {
    var (client, log) = (LoggedClient(), WaylandLog())
    client.draw()
    client.log("wl_output@11.mode(3, 1024, 640, 144000)")
    let steps: [(String, RefreshRate?)] = [
      ("wl_surface@7.enter(wl_output@10)", RefreshRate(60)),
      ("wl_surface@7.enter(wl_output@11)", RefreshRate(144)),
      ("wl_surface@7.leave(wl_output@11)", RefreshRate(60)),
      ("wl_surface@7.enter(wl_output@11)", RefreshRate(144)),
      ("wl_surface@7.leave(wl_output@10)", RefreshRate(144)),
      ("wl_surface@7.leave(wl_output@11)", nil),
      (" -> wl_output@11.release()", RefreshRate(60)),
    ]
    for (message, rate) in steps {
      client.log(message)
      take(&client, &log)
      #expect(log.refresh == rate, "\(message)")
    }
  }
}

/// A log that is written line by line, as `TIME MESSAGE` with the time in milliseconds.
private struct WrittenLog {
  var log = WaylandLog()

  init(_ lines: String) {
    for line in lines.split(separator: "\n") { add(String(line)) }
  }

  mutating func add(_ line: String) {
    guard let (line, words) = WaylandLine.last(in: Array(line.utf8)), words.isEmpty else {
      Issue.record("no message: \(line)")
      return
    }
    log.take(line)
    _ = log.choose()
  }

  /// When each frame was shown after the frame before, as the log says; nil for one that does not follow another.
  func intervals() -> [Double?] {
    var log = log
    let frames = log.report(isResting: false, isSilent: true).frames
    return frames.map { frame in
      frame.shown.map { (1000 * ($0 - frame.vsync)).rounded() / 1000 }
    }
  }
}

@Suite struct `The times at which a Wayland compositor showed frames` {
  /// Calls every 17 ms; `feedback` are the lines about what was shown, each before the call with its number, from 1.
  private func intervals(
    commit: (Int) -> [String] = { number in ["feedback(wl_surface@7, new id #\(100 + number))"] },
    feedback: [Int: [String]], beforeCall: Bool = true
  ) -> [Double?] {
    var log = WrittenLog("[100.000]  -> wl_compositor@4.create_surface(new id wl_surface@7)")
    func draw(_ number: Int, at time: Int) {
      for request in commit(number) {
        let text = request.replacing("#", with: "wp_presentation_feedback@")
        log.add("[\(time).100]  -> wp_presentation@5.\(text)")
      }
      log.add("[\(time).200]  -> wl_surface@7.frame(new id wl_callback@\(20 + number))")
      log.add("[\(time).300]  -> wl_surface@7.commit()")
    }
    draw(0, at: 101)
    for number in 1...6 {
      let time = 100 + 17 * number
      let call = "[\(time).000] wl_callback@\(19 + number).done(\(9000 + 17 * number))"
      let lines = (feedback[number] ?? []).map { "[\(time).000] wp_presentation_feedback@\($0)" }
      for line in beforeCall ? lines + [call] : [call] + lines { log.add(line) }
      draw(number, at: time)
    }
    return log.intervals()
  }

  private func shown(_ feedback: Int, _ time: Double) -> String {
    "\(feedback).presented(0, 9, \(Int(time * 1e6)), 16666666, 0, 1, 7)"
  }

  /// The compositor's calls are in whole milliseconds, and can come at other times.
  @Test(arguments: [false, true]) func `are those of the feedback`(beforeCall: Bool) {
    let times = [20.125, 36.5, 54, 70.25, 120.5]
    var feedback: [Int: [String]] = [:]
    for (number, time) in times.enumerated() { feedback[number + 2] = [shown(100 + number, time)] }
    // The first follows no other, and the last two are not shown yet.
    #expect(
      intervals(feedback: feedback, beforeCall: beforeCall)
        == [nil, 16.375, 17.5, 16.25, 50.25, 17, nil])
  }

  @Test func `are those of the calls where a frame has no feedback, or was not shown`() {
    let feedback = [
      2: [shown(100, 20)], 3: [shown(101, 36)], 4: ["102.discarded()"], 5: [shown(103, 80)],
      6: [shown(104, 96)],
    ]
    #expect(intervals(feedback: feedback) == [nil, 16, 17, 17, 16, 17, nil])
    let rest = intervals(
      commit: { $0 == 2 ? [] : ["feedback(wl_surface@7, new id #\(100 + $0))"] },
      feedback: feedback.filter { $0.key != 4 })
    #expect(rest == [nil, 16, 17, 17, 16, 17, nil])
  }

  /// A client can ask twice, as weston-presentation-shm does.
  @Test func `are the same if a commit asks for feedback more than once`() {
    let times = [20.5, 36.5, 54, 70.5, 87]
    var feedback: [Int: [String]] = [:]
    for (number, time) in times.enumerated() {
      feedback[number + 2] = [shown(100 + number, time), shown(200 + number, time)]
    }
    let seen = intervals(
      commit: { number in
        [100, 200].map { "feedback(wl_surface@7, new id #\($0 + number))" }
      }, feedback: feedback)
    #expect(seen == [nil, 16, 17.5, 16.5, 16.5, 17, nil])
  }

  /// A second commit without a call: it replaces the frame, or comes too late for that and is none.
  @Test(arguments: [
    ["104.discarded()", "105.presented(0, 9, 52500000, 16, 0, 1, 7)"],
    ["104.presented(0, 9, 52500000, 16, 0, 1, 7)", "105.presented(0, 9, 69000000, 16, 0, 1, 7)"],
  ]) func `are of the first commit of a frame that was shown`(lines: [String]) {
    var log = WrittenLog(
      """
      [100.000]  -> wp_presentation@5.feedback(wl_surface@7, new id wp_presentation_feedback@102)
      [100.000]  -> wl_surface@7.frame(new id wl_callback@20)
      [100.000]  -> wl_surface@7.commit()
      [117.000] wl_callback@20.done(9017)
      [117.000]  -> wp_presentation@5.feedback(wl_surface@7, new id wp_presentation_feedback@103)
      [117.000]  -> wl_surface@7.frame(new id wl_callback@20)
      [117.000]  -> wl_surface@7.commit()
      [134.000] wp_presentation_feedback@102.presented(0, 9, 20000000, 16, 0, 1, 7)
      [134.000] wl_callback@20.done(9034)
      [134.000]  -> wp_presentation@5.feedback(wl_surface@7, new id wp_presentation_feedback@104)
      [134.000]  -> wl_surface@7.frame(new id wl_callback@20)
      [134.000]  -> wl_surface@7.commit()
      [135.000]  -> wp_presentation@5.feedback(wl_surface@7, new id wp_presentation_feedback@105)
      [135.000]  -> wl_surface@7.commit()
      [151.000] wp_presentation_feedback@103.presented(0, 9, 40000000, 16, 0, 1, 7)
      [151.000] wl_callback@20.done(9051)
      """)
    for line in lines { log.add("[152.000] wp_presentation_feedback@\(line)") }
    #expect(log.intervals() == [nil, 20, 12.5] && log.log.window?.surface.commits == 4)
  }
}

@Suite struct `The surfaces of a Wayland client` {
  @Test func `of which none requests a frame are counted`() {
    let log = WrittenLog(
      """
      [100.000]  -> wp_presentation@5.feedback(wl_surface@3, new id wp_presentation_feedback@72)
      [100.000]  -> wl_surface@3.commit()
      [117.000] wp_presentation_feedback@72.presented(0, 9, 20000000, 16, 0, 1, 7)
      [117.000]  -> wl_surface@3.commit()
      """)
    #expect(log.log.window == nil && log.log.commits == 2)
  }

  @Test func `that are parts or menus have the name of their window`() {
    var log = WrittenLog(
      """
      [100.000]  -> xdg_wm_base@12.get_xdg_surface(new id xdg_surface@13, wl_surface@7)
      [100.000]  -> xdg_surface@13.get_toplevel(new id xdg_toplevel@14)
      [100.000]  -> xdg_toplevel@14.set_title("A page")
      [100.000]  -> wl_subcompositor@5.get_subsurface(new id wl_subsurface@31, wl_surface@30, wl_surface@7)
      [100.000]  -> wl_subcompositor@5.get_subsurface(new id wl_subsurface@33, wl_surface@32, wl_surface@30)
      [100.000]  -> xdg_wm_base@12.get_xdg_surface(new id xdg_surface@41, wl_surface@40)
      [100.000]  -> xdg_surface@41.get_popup(new id xdg_popup@42, xdg_surface@13, xdg_positioner@43)
      [100.000]  -> wl_subcompositor@5.get_subsurface(new id wl_subsurface@51, wl_surface@50, wl_surface@50)
      """)
    for surface in [32, 30, 40, 50, 7] {
      log.add("[101.000]  -> wl_surface@\(surface).frame(new id wl_callback@\(60 + surface))")
      log.add("[101.000]  -> wl_surface@\(surface).commit()")
    }
    #expect(log.log.window?.name == "A page (surface 32)")
    #expect(
      log.log.others.map(\.name)
        == ["A page", "A page (surface 30)", "A page (surface 40)", "surface 50"])
  }

  /// A browser connects twice: with its own libwayland, and by the toolkit with the system's.
  @Test func `of two libraries are told apart, and their clocks`() throws {
    var log = WrittenLog("[08:01:21.000000]  -> wl_output#9.release()")
    for frame in 0..<60 {
      let time = 17 * frame
      let stamp = "08:01:\(22 + time / 1000).\(String(1_000_000 + time % 1000 * 1000).dropFirst())"
      if frame > 0 { log.add("[\(stamp)] {a queue} wl_callback#22.done(\(9000 + time))") }
      log.add("[\(stamp)]  -> wl_surface#3.frame(new id wl_callback#22)")
      log.add("[\(stamp)]  -> wl_surface#3.commit()")
      log.add("[\(3_001_354 + time).500]  -> wl_display@1.sync(new id wl_callback@22)")
      log.add("[\(3_001_354 + time).600] wl_callback@22.done(7)")
      log.add("[\(3_001_354 + time).600]  -> wl_surface@3.destroy()")
    }
    let window = try #require(log.log.window)
    #expect(window.surface.commits == 60 && window.surface.requests == 60)
    #expect((2003...2004).contains(log.log.now), "\(log.log.now)")
    #expect(log.intervals().dropFirst().allSatisfy { $0 == nil || $0 == 17 })
  }

  /// GTK and the driver each request a callback; the driver handles its call before it shows the next frame.
  @Test func `that draw with OpenGL are called once for a frame`() throws {
    var log = WrittenLog("[100.000]  -> wl_output@9.release()")
    for frame in 0..<20 {
      let time = 101 + 17 * frame
      if frame > 0 { log.add("[\(time).000] wl_callback@22.done(\(9000 + time))") }
      log.add("[\(time).100]  -> wl_surface@7.frame(new id wl_callback@22)")
      if frame > 0 { log.add("[\(time + 5).000] {mesa} wl_callback@23.done(\(9000 + time))") }
      log.add("[\(time + 5).000]  -> wl_surface@7.frame(new id wl_callback@23)")
      log.add("[\(time + 5).000]  -> wl_surface@7.commit()")
    }
    let window = try #require(log.log.window)
    #expect(window.surface.commits == 20 && window.surface.requests == 20)
    let frames = log.log.report(isResting: false, isSilent: true).frames
    #expect(frames.count == 20)
    #expect(frames.dropFirst().allSatisfy { abs($0.end - $0.begin - 5) < 0.001 })
  }

  /// Its number is also used again, for another callback.
  @Test func `draw on after they have destroyed a callback`() {
    var log = WrittenLog(
      """
      [100.000]  -> wl_surface#7.frame(new id wl_callback#20)
      [100.000]  -> wl_surface#7.commit()
      [117.000] discarded wl_callback#20.done(9017)
      """)
    for frame in 1...3 {
      log.add("[\(100 + 17 * frame).500]  -> wl_surface#7.frame(new id wl_callback#20)")
      log.add("[\(100 + 17 * frame).600]  -> wl_surface#7.commit()")
      log.add("[\(116 + 17 * frame).000] wl_callback#20.done(\(9016 + 17 * frame))")
    }
    #expect(log.intervals() == [nil, nil, 17, 17] && log.log.window?.surface.requests == 4)
  }
}

@Suite struct `A line of a Wayland log` {
  /// Of libwayland 1.0, 1.21, 1.23, with the time of day, and with colours.
  @Test(arguments: [
    "[ 361883.123] wl_callback@19.done(1266465)", "[361883.123] wl_callback@19.done(1266465)",
    "[361883.123] {Default Queue} wl_callback#19.done(1266465)",
    "[00:06:01.883123] {a queue} wl_callback#19.done(1266465)\r",
    "\u{1B}[32m[361883.123] \u{1B}[33m{Default Queue} \u{1B}[31m\u{1B}[0m\u{1B}[34mwl_callback"
      + "\u{1B}[35m#19\u{1B}[36m.done\u{1B}[0m(1266465)\u{1B}[0m",
  ])
  func `is read in each version`(text: String) throws {
    let (line, words) = try #require(WaylandLine.last(in: Array(text.utf8)))
    #expect(words.isEmpty && line.time == 361_883_123 && !line.isRequest && !line.isDiscarded)
    #expect(line.interface == "wl_callback" && line.object.number == 19 && line.message == "done")
    #expect(line.number(0) == 1_266_465 && line.number(1) == nil && line.object(0) == nil)
  }

  @Test func `says who sent it, and which objects it names`() throws {
    let text =
      "[1.000] {q}  -> wp_presentation#5.feedback(wl_surface#7, new id wp_presentation_feedback#20)"
    let line = try #require(WaylandLine.last(in: Array(text.utf8))?.line)
    #expect(line.isRequest && line.object(0)?.number == 7 && line.object(1)?.number == 20)
    #expect(line.object(2) == nil)
    let title = "[1.000]  -> xdg_toplevel@14.set_title(\"a \"b\", (c)\")"
    #expect(WaylandLine.last(in: Array(title.utf8))?.line.text == "a \"b\", (c)")
    let unknown = "[1.000] discarded [unknown]#44.[event 0](array[4])"
    #expect(WaylandLine.last(in: Array(unknown.utf8))?.line.isDiscarded == true)
  }

  @Test func `can follow words that the app has not ended`() throws {
    let text = "loading [3 of 4] [12.500]  -> wl_surface@7.commit()"
    let (line, words) = try #require(WaylandLine.last(in: Array(text.utf8)))
    #expect(line.message == "commit" && line.time == 12_500)
    #expect(String(decoding: words, as: UTF8.self) == "loading [3 of 4] ")
  }

  @Test(arguments: [
    "", "[", "[]", "[1.000]", "[1.000] ", "[1.000] wl_surface@7.commit(",
    "[1.0] wl_surface@7.commit()",
    "[-1.000] wl_surface@7.commit()", "[4294968.000] wl_surface@7.commit()",
    "[9999999999999999999.000] wl_surface@7.commit()", "[1.000] wl_surface.commit()",
    "[1.000] wl_surface@4294967296.commit()", "[1.000] wl_surface@-1.commit()",
    "[1.000] @7.commit()", "[1.000] wl surface@7.commit() x", "[1.000] {wl_surface@7.commit()",
    "[24:00:00.000000] wl_surface@7.commit()", "[00:60:00.000000] wl_surface@7.commit()",
    "[00:00.000000] wl_surface@7.commit()", "[1.000] wl_surface@7()", "[1.000] \u{1B}[",
    "(gtk4-demo:1): Gtk-WARNING **: 13:16:14.768: no session bus (X11)", "mail@7.example.org(a)",
  ])
  func `is no other text`(text: String) {
    #expect(WaylandLine.last(in: Array(text.utf8)) == nil)
  }
}

@Suite struct `The text of a Wayland client` {
  private static let seed = Project.folder.appending(path: "Tests/Fuzz/Seeds/wayland/client.txt")

  private func lines(_ bytes: [UInt8], in pieces: Int) -> (WaylandText, [WaylandLine]) {
    var (text, lines) = (WaylandText(), [WaylandLine]())
    for start in stride(from: 0, to: bytes.count, by: pieces) {
      text.add(bytes[start..<min(start + pieces, bytes.count)]) { lines.append($0) }
    }
    return (text, lines)
  }

  @Test func `is the same however it arrives, and ends with the event of the guard`() throws {
    let event =
      "\0{\"method\":\"Guard.ended\",\"params\":{\"status\":3,\"left\":0,\"output\":null}}\0"
    let bytes =
      Array(try Data(contentsOf: Self.seed)) + Array("last words".utf8) + Array(event.utf8)
    let (whole, expected) = lines(bytes, in: bytes.count)
    #expect(expected.count == 23 && expected.filter(\.isRequest).count == 14)
    #expect(whole.words == ["words of the app ", "last words"] && whole.omitted == 0)
    #expect(whole.end?["status"].whole == 3)
    for pieces in [1, 7, 64] {
      let (text, lines) = lines(bytes, in: pieces)
      #expect(lines == expected && text.words == whole.words && text.end != nil)
    }
  }

  @Test func `keeps the last words only, and cuts long ones`() {
    var text = WaylandText()
    for number in 0..<1000 { text.add(Array("word \(number)\n \n".utf8)) { _ in } }
    #expect(text.words.count == 40 && text.words.last == "word 999" && text.omitted == 960)
    text.add([UInt8](repeating: 0x78, count: 300_000)) { _ in }
    #expect(text.words.last?.count == 500)
    text.add(Array("{\"method\":\"Guard.ended\"".utf8) + [0]) { _ in }
    #expect(text.end == nil)
  }

  /// Each number of the seed takes each extreme value, and each byte is lost.
  @Test func `with extreme numbers or without a byte is read or refused`() throws {
    let seed = try String(contentsOf: Self.seed, encoding: .utf8)
    var texts = seed.indices.enumerated().filter { $0.offset % 7 == 0 }.map { _, place in
      var text = seed
      text.remove(at: place)
      return text
    }
    for range in seed.matches(of: #/[0-9]+/#).map(\.range) {
      for value in ["0", "4294967", "4294967295", "4294967296", "9223372036854775807", "-1"] {
        texts.append(seed.replacingCharacters(in: range, with: value))
      }
    }
    for text in texts {
      var (log, frames) = (WaylandLog(), WindowFrames(RefreshRate(60)))
      let start = ContinuousClock.now
      for line in lines(Array(text.utf8), in: text.utf8.count).1 {
        log.take(line)
        _ = log.choose()
        log.rest(at: log.now + 20)
        frames.take(log.report(isResting: false, isSilent: true), at: start)
        _ = frames.observation(at: start + .seconds(1))
      }
    }
  }

  @Test func `with more objects than an app has is read in little memory`() {
    var log = WaylandLog()
    var text = ""
    for number in 0..<20_000 {
      text += "[1.000]  -> wl_surface@\(number).frame(new id wl_callback@\(number))\n"
      text += "[1.000]  -> wl_surface@\(number).commit()\n"
    }
    for line in lines(Array(text.utf8), in: text.utf8.count).1 {
      log.take(line)
      _ = log.choose()
    }
    #expect(log.surfaces.count <= 4096 && log.window != nil)
  }
}

@Suite struct `The place of a Wayland compositor` {
  @Test func `is told if it is missing`() throws {
    let scratch = try Scratch()
    try scratch.write("", to: "wayland-0")
    let cases: [([String: String], String)] = [
      ([:], "XDG_RUNTIME_DIR is not set"),
      (["XDG_RUNTIME_DIR": scratch.path("none")], "WAYLAND_DISPLAY is not set, and "),
      (["XDG_RUNTIME_DIR": scratch.root, "WAYLAND_DISPLAY": "other"], "other does not exist"),
      (["WAYLAND_DISPLAY": "\(Scratch.nowhere)/wayland-0"], "wayland-0 does not exist"),
    ]
    for (environment, words) in cases {
      let missing = WaylandPlace.missing(in: environment)
      #expect(missing?.hasPrefix("no Wayland compositor: ") == true, "\(words)")
      #expect(missing?.contains(words) == true, "\(missing ?? "")")
    }
    #expect(WaylandPlace.missing(in: ["XDG_RUNTIME_DIR": scratch.root]) == nil)
    #expect(WaylandPlace.missing(in: ["WAYLAND_DISPLAY": scratch.path("wayland-0")]) == nil)
  }

  @Test(arguments: [
    ["camera-upload", "--", "true"], ["--attach", "chrome", "--", "true"],
    ["--strategy", "main-thread", "--", "true"],
  ])
  func `goes with no other subject`(arguments: [String]) throws {
    let performed = try Performed(["live"] + arguments)
    #expect(performed.status == .usage, "\(performed.diagnostics)")
    #expect(performed.diagnostics.split(separator: "\n").count == 1, "\(performed.diagnostics)")
  }
}

@Suite struct `The main thread of another process` {
  @Test func `rests while it waits for events, and not while it is stopped or has ended`() throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", "-c", "import select; select.poll().poll()"]
    try process.run()
    defer { process.terminate() }
    let thread = ClientThread(of: process.processIdentifier)
    try wait { thread.isResting }
    #expect(thread.used != nil)
    #expect(!thread.isStopped && thread.isResting(drawing: Int(process.processIdentifier)))
    kill(process.processIdentifier, SIGSTOP)
    try wait { !thread.isResting && thread.isStopped }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    #expect(!thread.isResting && thread.used == nil)
  }

  /// Qt Quick's renderer, and a thread that does the app's work.
  @Test(arguments: ["QSGRenderThread", "worker"])
  func `rests while another thread computes, unless that draws`(name: String) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "python3", "-c",
      """
      import ctypes, os, select, threading

      def compute():
          ctypes.CDLL(None).prctl(15, b"\(name)", 0, 0, 0)
          os.read(0, 1)
          os.write(1, b"x")
          while not select.select([0], [], [], 0)[0]:
              pass
          while os.read(0, 1):
              pass
          os._exit(0)

      threading.Thread(target=compute, daemon=True).start()
      select.poll().poll()
      """,
    ]
    let (input, output) = (Pipe(), Pipe())
    (process.standardInput, process.standardOutput) = (input, output)
    try process.run()
    defer { process.terminate() }
    let thread = ClientThread(of: process.processIdentifier)
    try wait { thread.isResting }
    try input.fileHandleForWriting.write(contentsOf: Data([1]))
    #expect(try output.fileHandleForReading.read(upToCount: 1)?.count == 1)
    try wait { thread.isResting == (name == "worker") }
    try input.fileHandleForWriting.write(contentsOf: Data([1]))
    try wait { thread.isResting }
  }

  /// The main thread waits for events, or for another thread; the one that draws waits for events, or computes.
  @Test(arguments: [(true, true), (true, false), (false, true), (false, false)])
  func `rests if the thread that draws sleeps, and one of both waits for events`(
    mainAwaits: Bool, drawerComputes: Bool
  ) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "python3", "-c",
      """
      import os, select, threading

      def draw():
          os.write(1, b"%d\\n" % threading.get_native_id())
          while \(drawerComputes ? "True" : "False"):
              pass
          select.poll().poll()

      thread = threading.Thread(target=draw, daemon=True)
      thread.start()
      \(mainAwaits ? "select.poll().poll()" : "thread.join()")
      """,
    ]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    // Tests of interrupted commands leave signals blocked, which a child inherits.
    defer { kill(process.processIdentifier, SIGKILL) }
    let line = output.fileHandleForReading.availableData
    let text = String(decoding: line, as: UTF8.self).split(separator: "\n").first
    let drawer = try #require(text.flatMap { Int($0) })
    let thread = ClientThread(of: process.processIdentifier)
    if drawerComputes {
      // It can wait for Python's lock, but not for events.
      for _ in 0..<20 where mainAwaits == false {
        #expect(!thread.isResting(drawing: drawer))
        usleep(10_000)
      }
      try wait { !thread.isResting(drawing: drawer) }
    } else {
      try wait { thread.isResting(drawing: drawer) }
    }
  }

  private func wait(until isThere: () -> Bool) throws {
    let end = ContinuousClock.now + .seconds(60)
    while !isThere() {
      try #require(ContinuousClock.now < end)
      usleep(10_000)
    }
  }
}
