import FrameBudget
import FrameBudgetParsing
import Testing

@testable import FrameBudgetCaptures

struct WaylandRecordingTests {
  private static let seed = "recording-wayland/app.txt"

  /// The compositor wakes the app every 16 ms. After the seventh commit `load` takes 40 ms, 4 of them without a core, so the
  /// frame that was wanted at 112 ms is committed at 144. Then the app asks for no frame, but a timer makes it commit one.
  @Test func `a client of Wayland has frames from its requests to its commits`() throws {
    let index = try Seeds.index(Self.seed)
    #expect(index.format == .wayland && index.because == "it is the first thread of its process")
    #expect(index.threads.map { [$0.slices, $0.tasks, $0.frames] } == [[21, 10, 10]])
    let recording = try Seeds.read(Self.seed)
    #expect(recording.process == RecordedProcess(number: 10, name: "app"))
    let lines = recording.lines(0)
    #expect(lines.prefix(2) == ["0 Task 0.0 4200.0 4200.0", "1 draw 1000.0 2000.0 2000.0"])
    #expect(
      lines.dropFirst(12).prefix(4) == [
        "0 Task 96000.0 49000.0 45000.0", "1 draw 97000.0 1500.0 1500.0",
        "1 load 100100.0 40000.0 36000.0", "1 draw 140200.0 2000.0 2000.0",
      ])
    #expect(
      recording.frameLines == (0..<7).map {
        "\(Double(16_000 * $0)) - \(16_000 * $0)-\(16_000 * $0 + 4000) -"
      } + [
        "112000.0 - 140100-144000 -", "160000.0 - 160000-163000 -", "180000.0 - 180000-182000 -",
      ])
    #expect(recording.period == .milliseconds(16) && recording.cores == 1)
    #expect(recording.doubts.count == 1 && recording.doubts[0].hasPrefix("a frame has the vsync"))
  }

  /// At 128 ms the frame of 112 ms was not there; taken at its commit, it would be in time.
  @Test func `a frame for which the thread was too busy to be woken is late`() throws {
    let screen = RecordedScreen(try Seeds.read(Self.seed))
    #expect((screen.expected, screen.dropped, screen.deadline) == (11, 1, 1))
    let window = try #require(screen.lateWindows.first)
    #expect((window.lowerBound / 1000, window.upperBound / 1000) == (112_000, 144_000))
  }

  /// At 128 ms one was wanted and not there; the timer's commit at 182 ms follows a vsync without a wish.
  @Test func `import takes the frames that learn takes`() throws {
    let bytes = try Seeds.bytes(Self.seed)
    let log = try ImportedLog(ByteSource(bytes, name: "app"), refresh: nil)
    #expect(log.format == .wayland && log.streams.map(\.process) == ["app"])
    let stream = try #require(log.streams.first)
    #expect(stream.rows == 10 && stream.values["dropped_frames"] == .count(1))
    #expect(stream.values["expected_frames"] == .count(11))
    let other = try Seeds.bytes("recording-systrace/trace.txt")
    let error = #expect(throws: InputError.self) {
      try ImportedLog(ByteSource(other, name: "app"), refresh: nil)
    }
    #expect(error?.reason.hasPrefix("is not a known frame log") == true)
  }

  @Test func `without requests for frames each commit counts as one`() throws {
    let text = String(decoding: try Seeds.bytes(Self.seed), as: UTF8.self)
    let recording = try RecordingFile.read(
      Array(text.replacing(" op=3", with: " op=2").utf8), name: "app")
    #expect(recording.frames.count == 10)
    #expect(recording.doubts.last?.hasPrefix("no requests for frames") == true)
  }

  @Test func `with several surfaces it is said which one's frames these are`() throws {
    let text = String(decoding: try Seeds.bytes(Self.seed), as: UTF8.self)
      .replacing(" op=6", with: #" op=6 id=3 kind="wl_surface""#)
      .replacing(" op=3", with: #" op=3 id=3 kind="wl_surface""#)
    let recording = try RecordingFile.read(Array(text.utf8), name: "app")
    #expect(!recording.doubts.contains { $0.contains("surface") })
    let lines = text.split(separator: "\n")
    let request = try #require(lines.first { $0.contains(" op=3") })
    let other = String(request).replacing("id=3", with: "id=9")
    let both = lines.flatMap { line -> [String] in
      line == request ? [String(line), other] : [String(line)]
    }
    let more = try RecordingFile.read(Array(both.joined(separator: "\n").utf8), name: "app")
    #expect(more.doubts.last == "the frames are those of surface 3, which has asked for most")
    #expect(more.frameLines == recording.frameLines)
  }

  /// With probes on functions, these are slices; but nothing says when a frame began.
  @Test func `without the scheduler's events a client is refused, and what to record is said`()
    throws
  {
    let text = String(decoding: try Seeds.bytes(Self.seed), as: UTF8.self)
    let lines = text.split(separator: "\n").filter { !$0.contains(": sched_") }
    let commits = lines.filter { $0.contains(" op=6") }
    for kept in [lines, commits] {
      let message = HostileRecordingTests.failure(Array(kept.joined(separator: "\n").utf8))
      #expect(message?.contains("without sched_switch") == true, "\(message ?? "")")
    }
    let awake = [
      "x-1 (1) [000] d..2. 100.000000: sched_switch: prev_comm=x prev_pid=1 prev_state=R ==> next_comm=app next_pid=10"
    ]
    let message = HostileRecordingTests.failure(
      Array((awake + commits.map(String.init)).joined(separator: "\n").utf8))
    #expect(message?.contains("never slept") == true, "\(message ?? "")")
  }

  @Test func `probes without their counterparts, and of other names, are read`() throws {
    let text = String(decoding: try Seeds.bytes(Self.seed), as: UTF8.self)
    func names(_ text: String) throws -> Set<String> {
      Set(try RecordingFile.read(Array(text.utf8), name: "app").names)
    }
    #expect(try names(text.replacing("load_b: (", with: "x: (")) == ["Task", "draw", "x"])
    #expect(
      try names(text.replacing("load_b", with: "open").replacing("load_e", with: "open__return"))
        == ["Task", "draw", "open"])
    #expect(try names(text.replacing("<- 0x55b0", with: "<- 0x55b1")) == ["Task", "draw"])
  }

  /// The seed with one more commit for each line with `mark`, as many microseconds later.
  private static func changed(committingAt mark: String, plus microseconds: Int) throws -> [UInt8] {
    let text = String(decoding: try Seeds.bytes(Self.seed), as: UTF8.self)
    let lines = text.split(separator: "\n").flatMap { line -> [String] in
      let times = line.split(separator: " ").filter { $0.hasPrefix("100.") }
      guard line.contains(mark), let time = times.first.flatMap({ Int($0.dropFirst(4).dropLast()) })
      else { return [String(line)] }
      let digits = String(1_000_000 + time + microseconds).dropFirst()
      return [String(line), "app-10 (10) [000] d..2. 100.\(digits): other: (0x7f8ddd7e21d0) op=6"]
    }
    return Array(lines.joined(separator: "\n").utf8)
  }

  /// One within `load` too. All in tasks with a drawn one, behind it or before it.
  @Test(arguments: [(" op=6", 200), (" draw_b:", -150)])
  func `commits of a cursor or text input in the tasks of frames are no frames`(
    _ mark: String, _ microseconds: Int
  ) throws {
    let bytes = try Self.changed(committingAt: mark, plus: microseconds)
    #expect(try RecordingFile.index(bytes, name: "app").threads.map(\.frames) == [20])
    let recording = try RecordingFile.read(bytes, name: "app")
    let plain = try Seeds.read(Self.seed)
    #expect(recording.frameLines == plain.frameLines && recording.lines(0) == plain.lines(0))
  }

  /// Nothing is drawn when the thread is woken at 176 ms.
  @Test func `a commit in a task of its own is a frame`() throws {
    let bytes = try Self.changed(committingAt: "100.176000: sched_waking", plus: 200)
    let frames = try RecordingFile.read(bytes, name: "app").frameLines
    #expect(frames.count == 11 && frames.contains("176000.0 - 176000-176200 -"))
    #expect(frames.last == "180000.0 - 180000-182000 -")
  }

  @Test func `a function that draws may call itself`() throws {
    let lines = String(decoding: try Seeds.bytes(Self.seed), as: UTF8.self).split(separator: "\n")
    let text = lines.flatMap { $0.contains(" draw_") ? [$0, $0] : [$0] }.joined(separator: "\n")
    let recording = try RecordingFile.read(Array(text.utf8), name: "app")
    #expect(recording.lines(0).contains("2 draw 1000.0 2000.0 2000.0"))
    let plain = try Seeds.read(Self.seed)
    #expect(recording.frameLines == plain.frameLines)
  }

  @Test(arguments: [
    ("read_enter", "read_exit", "read"), ("item_a1", "item_a2", "item"), ("_b", "_e", "_b"),
    ("loadBegin", "loadEnd", "loadBegin"), ("tick_a", "tick_a_ret", "tick_a"),
    ("open", "open_e", "open"), ("open_b", "open", "open"), ("same", "same", "same"),
  ])
  func `a function has the words that its probes share`(
    _ begin: String, _ end: String, _ name: String
  ) throws {
    let text = String(decoding: try Seeds.bytes(Self.seed), as: UTF8.self)
      .replacing("load_b: (", with: "\(begin): (").replacing("load_e: (", with: "\(end): (")
    let recording = try RecordingFile.read(Array(text.utf8), name: "app")
    #expect(Set(recording.names) == ["Task", "draw", name])
  }

  /// The main thread commits once, as for a cursor, and another one the frames.
  @Test func `the thread that commits most is the UI thread`() throws {
    let seed = String(decoding: try Seeds.bytes(Self.seed), as: UTF8.self)
    let other = seed.replacing("pid=10 ", with: "pid=11 ")
      .replacing("app-10     (     10)", with: "render-11 (10)")
    let text = """
      \(other)app-10 (10) [000] d..2. 100.190000: sched_switch: prev_comm=a prev_pid=0 prev_state=R ==> next_pid=10
      app-10 (10) [000] d..2. 100.191000: commit: (0x7f8ddd7e21d0) op=6
      app-10 (10) [000] d..2. 100.192000: sched_switch: prev_comm=app prev_pid=10 prev_state=S ==> next_pid=0
      """
    let index = try RecordingFile.index(Array(text.utf8), name: "app")
    #expect(index.threads.map(\.frames).sorted() == [1, 10])
    #expect(index.because == "it commits the frames of its process")
    let recording = try RecordingFile.read(Array(text.utf8), name: "app")
    #expect(recording.process == RecordedProcess(number: 10, name: "app"))
    #expect(recording.threads.map(\.number).first == 11)
    let plain = try Seeds.read(Self.seed)
    #expect(recording.frameLines == plain.frameLines)
  }

  /// The main thread commits a cursor more often, or asks for more frames of two windows together, than another thread of one.
  @Test(arguments: [(15, 1, false), (12, 2, true)])
  func `the thread that asks for most frames of a window is the UI thread`(
    _ moves: Int, _ surfaces: Int, _ asks: Bool
  ) throws {
    let other = String(decoding: try Seeds.bytes(Self.seed), as: UTF8.self)
      .replacing("pid=10 ", with: "pid=11 ")
      .replacing("app-10     (     10)", with: "render-11 (10)")
    let lines = (0..<moves).flatMap { move -> [String] in
      let time = 200_000 + 1000 * move
      let surface = "id=\(20 + move % surfaces) kind=\"wl_surface\""
      let events = [
        "sched_switch: prev_comm=a prev_pid=0 prev_state=R ==> next_pid=10",
        "request: (0x7f8ddd7e21d0) op=\(asks ? 3 : 6) \(surface)",
        "request: (0x7f8ddd7e21d0) op=6 \(surface)",
        "sched_switch: prev_comm=app prev_pid=10 prev_state=S ==> next_pid=0",
      ]
      return events.indices.map { "app-10 (10) [000] d..2. 100.\(time + $0): \(events[$0])" }
    }
    let bytes = Array((other + lines.joined(separator: "\n")).utf8)
    let index = try RecordingFile.index(bytes, name: "app")
    #expect(index.threads[try #require(index.chosen)].number == 11)
    let recording = try RecordingFile.read(bytes, name: "app")
    #expect(recording.threads.map(\.number).first == 11)
    let plain = try Seeds.read(Self.seed)
    #expect(recording.frameLines == plain.frameLines)
  }

  /// More calls without a return than are kept.
  @Test func `each call of a function that calls itself is a slice, and one without a return none`()
    throws
  {
    let text = String(decoding: try Seeds.bytes(Self.seed), as: UTF8.self)
    let begin = "load_b: (0x55b0)\n"
    let app = "app-10 (10) [000] d..2. "
    let inner =
      "\(app)100.101000: load_b: (0x55b0)\n\(app)100.102000: load_e: (0x7f8d <- 0x55b0)\n"
    let endless = String(repeating: "\(app)100.000500: endless_b: (0x55c0)\n", count: 66_000)
    let recording = try RecordingFile.read(
      Array((endless + text.replacing(begin, with: begin + inner)).utf8), name: "app")
    let loads = recording.lines(0).filter { $0.contains(" load ") }
    #expect(loads == ["1 load 100100.0 40000.0 36000.0", "2 load 101000.0 1000.0 1000.0"])
    let plain = try Seeds.read(Self.seed)
    #expect(recording.frameLines == plain.frameLines)
  }

  /// As the kernel leaves one out now and then. The thread was awake all the same, and slept afterwards.
  @Test func `the tasks and frames are the same if a switch to the thread is missing`() throws {
    func parts(_ lines: [Substring]) throws -> [[String]] {
      let bytes = Array(lines.joined(separator: "\n").utf8)
      let recording = try RecordingFile.read(bytes, name: "app")
      // Without the processor time, of which a part is missing.
      let slices = recording.lines(0).map { line in
        line.split(separator: " ").prefix(4).joined(separator: " ")
      }
      return [slices, recording.frameLines]
    }
    let lines = String(decoding: try Seeds.bytes(Self.seed), as: UTF8.self).split(separator: "\n")
    let whole = try parts(lines)
    let switches = lines.indices.filter { lines[$0].contains("next_pid=10 ") }
    #expect(switches.count == 11)
    for place in switches {
      var fewer = lines
      fewer.remove(at: place)
      #expect(try parts(fewer) == whole, "\(lines[place])")
    }
  }

  /// By a script over the lines: 348 commits (354 of the other), 347 calls of `tick`, 360 of `item_main` in nine bursts, and ten
  /// times 285 ms or more between two commits, in one of which the recording lacks a switch.
  @Test(.enabled(if: SharedRecordings.folder != nil, SharedRecordings.missing))
  func `a real GTK program has the commits, calls and hangs that a script counts`() throws {
    let index = try SharedRecordings.index("gtk-app-main.ftrace.gz")
    let thread = index.threads[try #require(index.chosen)]
    #expect((thread.number, thread.frames) == (9109, 348))
    let recording = try SharedRecordings.read("gtk-app-main.ftrace.gz")
    func calls(_ name: String, of recording: Recording) -> Int {
      recording.threads.flatMap(\.slices).count { recording.names[Int($0.name)] == name }
    }
    #expect(calls("item_main", of: recording) == 360 && calls("tick", of: recording) == 347)
    let waits = recording.frames.compactMap { frame in
      frame.work.map { $0.upperBound - frame.vsync.nanoseconds }
    }
    let hangs = waits.filter { $0 >= 200_000_000 }.map { $0 / 1_000_000 }
    #expect(recording.frames.count == 348 && hangs.count == 10, "\(hangs)")
    #expect(recording.period.map { $0.nanoseconds / 100_000 } == 171)
    #expect(recording.cores == 2)
    let moved = try SharedRecordings.read("gtk-app-thread.ftrace.gz")
    #expect(moved.frames.count == 354)
    #expect(calls("work", of: moved) == 384 && calls("finish", of: moved) == 383)
    #expect(moved.threads.map(\.name).prefix(1) == ["app"])
  }
}

/// An app that the compositor wakes every 16 ms. It sleeps where a test says.
private struct SleepyApp {
  /// What an app does at a time, in microseconds.
  enum Step {
    case wakes(by: Int, inInterrupt: Bool = false)
    /// It leaves the core in the state that a letter says.
    case leaves(String)
    case commits, asks, destroys(Int), listens(Int)
    case polls, returns

    static var sleeps: Self { .leaves("S") }
  }

  private(set) var lines: [String] = []

  mutating func add(_ step: Step, at time: Int) {
    let stamp = "\(100 + time / 1_000_000).\(String(1_000_000 + time % 1_000_000).dropFirst())"
    func line(_ text: String, by task: String = "app-10 (10)", flags: String = "d..2.") {
      lines.append("\(task) [000] \(flags) \(stamp): \(text)")
    }
    switch step {
    case .wakes(let waker, let isInInterrupt):
      let task = waker == 0 ? "<idle>-0 (-----)" : "weston-\(waker) (\(waker))"
      line(
        "sched_waking: comm=app pid=10 prio=120 target_cpu=000", by: task,
        flags: isInInterrupt ? "d.h2." : "d..2.")
      line(
        "sched_switch: prev_comm=x prev_pid=\(waker) prev_state=S ==> next_comm=app next_pid=10",
        by: task)
    case .leaves(let state):
      line(
        "sched_switch: prev_comm=app prev_pid=10 prev_state=\(state) ==> next_comm=x next_pid=0")
    case .commits: line(#"request: (0x7f) op=6 id=3 kind="wl_surface""#)
    case .asks: line(#"request: (0x7f) op=3 id=3 kind="wl_surface""#)
    case .listens(let callback): line(#"listen: (0x7f) id=\#(callback) kind="wl_callback""#)
    case .destroys(let callback): line(#"destroy: (0x7f) id=\#(callback) kind="wl_callback""#)
    case .polls: line("sys_poll(ufds: 0x7f, nfds: 4, timeout_msecs: ffffffff)")
    case .returns: line("sys_poll -> 0x1")
    }
  }

  /// A frame: it handles the call, and draws for 2 ms.
  mutating func draw(at time: Int, asks: Bool = true) {
    add(.destroys(8), at: time)
    if asks {
      add(.asks, at: time + 1900)
      add(.listens(8), at: time + 1950)
    }
    add(.commits, at: time + 2000)
  }

  mutating func rest(at time: Int) {
    add(.polls, at: time)
    add(.sleeps, at: time + 10)
  }

  mutating func call(at time: Int, by waker: Int = 5) {
    add(.wakes(by: waker), at: time)
    add(.returns, at: time + 10)
  }

  /// Frames 0 to 9, and again a while after the last of them.
  static func recording(
    withPolls: Bool, last: (inout SleepyApp) -> Int
  ) throws -> Recording {
    try RecordingFile.read(bytes(withPolls: withPolls, last: last), name: "app")
  }

  /// Frames 0 to 9. The task of the last one goes on.
  static func begun(asksInLast: Bool = true) -> SleepyApp {
    var app = SleepyApp()
    for frame in 0..<10 {
      app.call(at: 16_000 * frame)
      app.draw(at: 16_000 * frame + 20, asks: frame < 9 || asksInLast)
      if frame < 9 { app.rest(at: 16_000 * frame + 2100) }
    }
    return app
  }

  static func bytes(withPolls: Bool, last: (inout SleepyApp) -> Int) -> [UInt8] {
    var app = Self.begun()
    let next = last(&app)
    for frame in 0..<10 {
      app.call(at: next + 16_000 * frame)
      app.draw(at: next + 16_000 * frame + 20)
      app.rest(at: next + 16_000 * frame + 2100)
    }
    return app.bytes(withPolls: withPolls)
  }

  func bytes(withPolls: Bool) -> [UInt8] {
    let kept = lines.filter { withPolls || !$0.contains(": sys_poll") }
    return Array(kept.joined(separator: "\n").utf8)
  }
}

struct RestartingDisplayTests {
  /// After four frames each, work keeps the thread from a frame, which is there 40 or 19 ms after its vsync. Soon the compositor,
  /// which has no screen, calls again. A screen would have shown the frame at the next whole period of 16 ms.
  @Test(arguments: [(38_000, 42_000, 2), (38_000, 48_000, 2), (17_000, 21_000, 1)])
  func `a late frame drops as many as on a screen where vsyncs go on`(
    _ length: Int, _ next: Int, _ dropped: Int
  ) throws {
    var app = SleepyApp()
    var time = 0
    for _ in 0..<12 {
      for _ in 0..<4 {
        app.call(at: time)
        app.draw(at: time + 20)
        app.rest(at: time + 2100)
        time += 16_000
      }
      app.call(at: time - 100, by: 0)
      app.draw(at: time + length)
      app.rest(at: time + length + 2100)
      time += next
    }
    let recording = try RecordingFile.read(
      Array(app.lines.joined(separator: "\n").utf8), name: "app")
    let screen = RecordedScreen(recording)
    // Nothing follows the last one.
    #expect((11 * dropped...12 * dropped).contains(screen.dropped), "\(screen.dropped)")
    #expect(recording.doubts.contains { $0.contains("begin anew") } == (next != 48_000))
  }
}

struct SleepingClientTests {
  /// In microseconds.
  private static let frame9 = 144_000

  /// In the tenth frame's task, behind its commit, it sleeps for 3 s. So the frame of 160 ms comes at 3.15 s.
  @Test(arguments: [true, false])
  func `a sleep in the middle of a task is part of it, and a frame that waits for it is late`(
    withPolls: Bool
  ) throws {
    let bytes = SleepyApp.bytes(withPolls: withPolls) { app in
      app.add(.sleeps, at: Self.frame9 + 3000)
      app.add(.wakes(by: 0), at: Self.frame9 + 3_003_000)
      app.add(.polls, at: Self.frame9 + 3_003_100)
      app.add(.returns, at: Self.frame9 + 3_003_110)
      app.draw(at: Self.frame9 + 3_004_000)
      app.rest(at: Self.frame9 + 3_006_100)
      return 3_168_000
    }
    let recording = try RecordingFile.read(bytes, name: "app")
    #expect(recording.frames.count == 21)
    #expect(recording.frameLines[10] == "160000.0 - 3148000-3150000 -")
    #expect(
      recording.lines(0).contains { $0.hasPrefix("0 Task 144000.0 300") }
        || recording.lines(0).contains { $0.hasPrefix("0 Task 147000.0 300") },
      "\(recording.lines(0))")
    let screen = RecordedScreen(recording)
    #expect((screen.dropped, screen.frames.count) == (186, 21))
    let log = try ImportedLog(ByteSource(bytes, name: "app"), refresh: nil)
    #expect(log.streams.first?.values["hang_count"] == .count(1))
  }

  /// It sleeps between the call for a frame and its drawing, as in a function that is called for each frame. Only the system calls
  /// tell that from an app that has nothing to draw then. A timer may end the sleep in the name of the compositor, which runs then.
  @Test(arguments: [(0, false), (5, true)])
  func `a sleep in a frame is part of it`(_ waker: Int, _ isInInterrupt: Bool) throws {
    let recording = try SleepyApp.recording(withPolls: true) { app in
      app.rest(at: Self.frame9 + 2100)
      Self.sleepInFrame(.wakes(by: waker, inInterrupt: isInInterrupt), &app)
      return 480_000
    }
    #expect(recording.frameLines[10] == "160000.0 - 160020-462100 -")
    #expect(RecordedScreen(recording).dropped == 18)
  }

  /// The frame of 160 ms, in whose task it sleeps for 300 ms.
  private static func sleepInFrame(_ wake: SleepyApp.Step, _ app: inout SleepyApp) {
    app.call(at: 160_000)
    app.add(.destroys(8), at: 160_020)
    app.add(.sleeps, at: 160_100)
    app.add(wake, at: 460_100)
    app.add(.asks, at: 462_000)
    app.add(.listens(8), at: 462_010)
    app.add(.commits, at: 462_100)
    app.rest(at: 462_200)
  }

  /// Process 7 wakes it twice in each period, and ends the sleep in the tenth frame's task.
  @Test func `a process that sends more messages than the compositor is not taken for it`() throws {
    var app = SleepyApp()
    for frame in 0..<10 {
      app.call(at: 16_000 * frame)
      app.draw(at: 16_000 * frame + 20)
      app.rest(at: 16_000 * frame + 2100)
      for message in [5000, 10_000] {
        app.call(at: 16_000 * frame + message, by: 7)
        app.rest(at: 16_000 * frame + message + 100)
      }
    }
    Self.sleepInFrame(.wakes(by: 7), &app)
    let recording = try RecordingFile.read(app.bytes(withPolls: true), name: "app")
    #expect(recording.frameLines.last == "160000.0 - 160020-462100 -")
    #expect(RecordedScreen(recording).dropped == 18)
  }

  /// A signal ends its wait for events and stops it. 3 s later the kernel resumes the wait by another system call, which returns at
  /// once: the compositor has called.
  @Test func `the time in which a signal stops an app is no hang`() throws {
    let recording = try SleepyApp.recording(withPolls: true) { app in
      app.rest(at: Self.frame9 + 2100)
      app.call(at: 150_000, by: 99)
      app.add(.leaves("T"), at: 150_100)
      app.add(.wakes(by: 99), at: 3_140_000)
      app.draw(at: 3_140_100)
      app.rest(at: 3_142_200)
      return 3_152_000
    }
    #expect(recording.frames.count == 21 && RecordedScreen(recording).dropped == 0)
  }

  /// It asks for no frame, and has nothing to do until a timer, or waits for the compositor.
  @Test(arguments: [true, false])
  func `an app without work does not hang`(withPolls: Bool) throws {
    for (waker, asks) in [(0, false), (5, true)] {
      let recording = try SleepyApp.recording(withPolls: withPolls) { app in
        app.rest(at: Self.frame9 + 2100)
        app.call(at: 160_000)
        app.draw(at: 160_020, asks: asks)
        app.rest(at: 162_100)
        app.call(at: 3_144_000, by: waker)
        app.draw(at: 3_144_020)
        app.rest(at: 3_147_000)
        return 3_160_000
      }
      #expect(recording.frames.count == 22 && RecordedScreen(recording).dropped == 0, "\(waker)")
    }
  }
}

struct OpenTaskTests {
  /// The line that `record window` writes at the end.
  private static let mark =
    "framebudget-99 (-----) [001] ..... 103.147000: tracing_mark_write: framebudget: end"

  private static func expect(
    _ dropped: Int, of app: SleepyApp, withPolls: Bool = true,
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    let bytes = app.bytes(withPolls: withPolls) + Array("\n\(mark)".utf8)
    #expect(
      try RecordingFile.index(bytes, name: "app").threads.map(\.number) == [10],
      sourceLocation: location)
    let recording = try RecordingFile.read(bytes, name: "app")
    #expect(recording.frames.count == 10, sourceLocation: location)
    #expect(RecordedScreen(recording).dropped == dropped, sourceLocation: location)
    let log = try ImportedLog(ByteSource(bytes, name: "app"), refresh: nil)
    let values = try #require(log.streams.first?.values, sourceLocation: location)
    #expect(values["dropped_frames"] == .count(dropped), sourceLocation: location)
    #expect(values["hang_count"] == .count(dropped > 0 ? 1 : 0), sourceLocation: location)
  }

  /// From the tenth frame's task on, the thread has no event for 3 s. The frames of 160 to 3120 ms should have been shown by then; a
  /// thread that has ended, or was stopped, draws none.
  @Test(arguments: [("S", 186), ("D", 186), ("T", 0), ("t", 0), ("Z", 0), ("X", 0)])
  func `a sleep in a task that goes on at the end drops frames, an end or a stop does not`(
    _ state: String, _ dropped: Int
  ) throws {
    var app = SleepyApp.begun()
    app.add(.leaves(state), at: 147_000)
    try Self.expect(dropped, of: app)
  }

  @Test func `a thread that computes at the end drops frames`() throws {
    try Self.expect(186, of: .begun())
  }

  @Test func `a wait for events at the end drops no frame`() throws {
    var app = SleepyApp.begun()
    app.rest(at: 147_000)
    try Self.expect(0, of: app)
  }

  @Test func `a sleep at the end drops nothing if no frame is wanted or no wait is known`() throws {
    var (idle, unknown) = (SleepyApp.begun(asksInLast: false), SleepyApp.begun())
    idle.add(.sleeps, at: 147_000)
    unknown.add(.sleeps, at: 147_000)
    try Self.expect(0, of: idle)
    try Self.expect(0, of: unknown, withPolls: false)
  }

  /// The call for the eleventh frame is handled in a task of 1 ms, in which nothing is to be drawn, or in the one that goes on.
  @Test(arguments: [(true, 0), (false, 186)])
  func `a frame whose call was handled in an earlier task is not wanted at the end`(
    _ isEarlier: Bool, _ dropped: Int
  ) throws {
    var app = SleepyApp.begun()
    app.rest(at: 146_100)
    app.call(at: 160_000)
    app.add(.destroys(8), at: 160_020)
    if isEarlier {
      app.rest(at: 161_000)
      app.call(at: 164_000, by: 0)
    }
    app.add(.sleeps, at: 170_000)
    try Self.expect(dropped, of: app)
  }

  /// The compositor calls for no frame while the window is hidden, and seconds later the app is busy with something else.
  @Test func `a task long after the last frame keeps none from being drawn`() throws {
    var app = SleepyApp.begun()
    app.rest(at: 146_100)
    app.call(at: 2_000_000, by: 0)
    app.add(.sleeps, at: 2_001_000)
    try Self.expect(0, of: app)
  }

  /// What follows is not part of it.
  @Test func `a part that ends before the recording does has no task that goes on`() throws {
    var app = SleepyApp.begun()
    app.add(.sleeps, at: 147_000)
    let bytes = app.bytes(withPolls: true) + Array("\n\(Self.mark)".utf8)
    let part = try RecordingFile.read(
      bytes, name: "app", choosing: RecordingChoice(to: .seconds(1)))
    #expect(!part.isFrameWanted && RecordedScreen(part).dropped == 0)
  }
}
