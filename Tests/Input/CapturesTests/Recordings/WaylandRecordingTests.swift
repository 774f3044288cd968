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

  @Test func `without requests for frames each commit counts as one`() throws {
    let text = String(decoding: try Seeds.bytes(Self.seed), as: UTF8.self)
    let recording = try RecordingFile.read(
      Array(text.replacing(" op=3", with: " op=2").utf8), name: "app")
    #expect(recording.frames.count == 10)
    #expect(recording.doubts.last?.hasPrefix("no requests for frames") == true)
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

  /// By a script over the lines: 348 commits (354 of the other), 347 calls of `tick`, 360 of `item_main` in nine bursts, and ten
  /// times 285 ms or more between two commits. One of these is in two parts, because the recording lacks a switch.
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
    #expect(recording.frames.count == 348 && hangs.count == 9, "\(hangs)")
    #expect(recording.period.map { $0.nanoseconds / 100_000 } == 171)
    #expect(recording.cores == 2)
    let moved = try SharedRecordings.read("gtk-app-thread.ftrace.gz")
    #expect(moved.frames.count == 354)
    #expect(calls("work", of: moved) == 384 && calls("finish", of: moved) == 383)
    #expect(moved.threads.map(\.name).prefix(1) == ["app"])
  }
}
