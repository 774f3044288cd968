import FrameBudgetParsing
import FrameBudgetCaptures
import Testing

/// The choice of the UI thread of a recording.
struct UIThreadTests {
  /// A thread of a systrace: its process, which has the same number, and the number of runs of each slice.
  private struct Ran {
    let name: String
    let process: Int
    let slices: [(name: String, count: Int)]
  }

  private func systrace(_ threads: [Ran]) -> [UInt8] {
    var lines = ["# tracer: nop"]
    for thread in threads {
      var time = 100_000
      for slice in thread.slices {
        for _ in 0..<slice.count {
          for mark in ["B|\(thread.process)|\(slice.name)", "E|\(thread.process)"] {
            time += 1
            lines.append(
              "\(thread.name)-\(thread.process) (\(thread.process)) [000] ...1 100.\(time): "
                + "tracing_mark_write: \(mark)")
          }
        }
      }
    }
    return Array(lines.joined(separator: "\n").utf8)
  }

  /// A page of Chrome with threads called `CrRendererMain`, each in a process of its own: how many tasks it ran, how many
  /// frames it drew, and how many its compositor reports.
  private func page(_ renderers: [(tasks: Int, drawn: Int, reported: Int)]) -> [UInt8] {
    var events: [String] = []
    for (place, renderer) in renderers.enumerated() {
      let thread = #""pid": \#(place + 1), "tid": \#(place + 1)"#
      events.append(
        #"{"ph": "M", "name": "thread_name", \#(thread), "args": {"name": "CrRendererMain"}}"#)
      for task in 0..<renderer.tasks {
        events.append(#"{"ph": "X", "name": "RunTask", \#(thread), "ts": \#(task)0, "dur": 5}"#)
      }
      for frame in 0..<renderer.drawn {
        events.append(#"{"ph": "I", "name": "BeginMainThreadFrame", \#(thread), "ts": \#(frame)0}"#)
      }
      for frame in 0..<renderer.reported {
        // Frames of the main thread and of the compositor, and one in which no update was wanted.
        for state in ["PRESENTED_ALL", "PRESENTED_PARTIAL", "NO_UPDATE_DESIRED"] {
          events.append(
            #"{"ph": "b", "name": "PipelineReporter", "id": \#(frame), \#(thread), "ts": \#(frame)0, "args": "#
              + #"{"frame_reporter": {"state": "STATE_\#(state)", "frame_sequence": \#(frame)}}}"#)
        }
      }
    }
    return Array("[\(events.joined(separator: ",\n"))]".utf8)
  }

  @Test func `a process that draws is chosen, not one that has more tasks and no frames`() throws {
    let bytes = systrace([
      Ran(name: "kworker/u8:3", process: 9, slices: [("gpu", 90)]),
      Ran(name: "surfaceflinger", process: 200, slices: [("onMessageReceived", 80)]),
      Ran(name: "ndroid.systemui", process: 250, slices: [("Choreographer#doFrame", 2)]),
      // A repeated mark within a frame is not another frame.
      Ran(
        name: "com.example", process: 300,
        slices: [
          ("Choreographer#doFrame 41", 5), ("Choreographer#doFrame - resynced to 7 in 0.0ms", 5),
          ("measure", 3),
        ]),
    ])
    let index = try RecordingFile.index(bytes, name: "phone")
    #expect(index.threads.map(\.frames) == [0, 0, 2, 5])
    #expect(index.threads[try #require(index.chosen)].process.number == 300)
    #expect(
      index.because
        == "it is the first thread of its process, and drew most frames: 5, the next one 2")
    #expect(try RecordingFile.read(bytes, name: "phone").process.number == 300)
  }

  @Test func `a process must be named if several drew about as many frames`() throws {
    let bytes = systrace([
      Ran(name: "com.first", process: 300, slices: [("Choreographer#doFrame", 19), ("more", 50)]),
      Ran(name: "com.second", process: 400, slices: [("Choreographer#doFrame", 20)]),
      Ran(name: "com.third", process: 500, slices: [("Choreographer#doFrame", 12)]),
    ])
    let index = try RecordingFile.index(bytes, name: "phone")
    #expect(index.chosen == nil)
    let error = #expect(throws: InputError.self) {
      try RecordingFile.read(bytes, name: "phone")
    }
    #expect(
      error?.description.hasSuffix(
        "the UI thread may be that of 400 'com.second' with 20 frames, 300 'com.first' with 19 frames; choose "
          + "a process with --process") == true, "\(error.map { "\($0)" } ?? "no error")")
    for process in ["300", "com.second"] {
      let choice = RecordingChoice(process: process)
      let recording = try RecordingFile.read(bytes, name: "phone", choosing: choice)
      #expect("\(recording.process.number) \(recording.process.name)".contains(process))
    }
  }

  @Test func `a process without frames must be named, unless it has far more tasks than others`()
    throws
  {
    func bytes(_ tasks: Int) -> [UInt8] {
      systrace([
        Ran(name: "first", process: 300, slices: [("work", tasks)]),
        Ran(name: "second", process: 400, slices: [("work", 20)]),
      ])
    }
    #expect(throws: InputError.self) { try RecordingFile.read(bytes(19), name: "phone") }
    #expect(try RecordingFile.read(bytes(10), name: "phone").process.number == 400)
  }

  @Test(arguments: [
    // By the drawing of main threads; a compositor that draws by itself does not count as one.
    ([(90, 2, 0), (10, 20, 0), (5, 0, 60)], 2), ([(90, 18, 0), (10, 20, 0)], nil),
    // By reports, if no main thread marks its drawing: a frame with several reports counts once.
    ([(90, 0, 2), (10, 0, 20)], 2), ([(90, 0, 20), (10, 0, 20)], nil),
    // By tasks.
    ([(90, 0, 0), (10, 0, 0)], 1), ([(90, 0, 0), (85, 0, 0)], nil),
  ])
  func `the renderer that drew most frames is chosen, and none in a tie`(
    _ renderers: [(tasks: Int, drawn: Int, reported: Int)], _ process: Int?
  ) throws {
    let bytes = page(renderers)
    let index = try RecordingFile.index(bytes, name: "page")
    #expect(index.chosen.map { index.threads[$0].process.number } == process)
    if process == nil {
      #expect(index.because?.hasSuffix("choose a process with --process") == true)
      #expect(throws: InputError.self) {
        // Several processes have its name.
        try RecordingFile.read(
          bytes, name: "page", choosing: RecordingChoice(thread: "CrRendererMain"))
      }
    }
  }

  /// Slow: reads recordings of real apps twice.
  @Test(
    .enabled(if: SharedRecordings.folder != nil, SharedRecordings.missing),
    arguments: [
      ("chrome_lr_60hz.json.gz", 52, "CrRendererMain"),
      ("android_atrace_small.txt", 18926, ""),
      ("android_nowinandroid_compose.perfetto-trace", 9305, ""),
      ("flutter_timeline_2022.json", 0, ""),
      ("chrome_animation_120hz.json.gz", 0, "CrRendererMain"),
    ])
  func `the thread that drew the recorded frames is chosen`(
    _ file: String, _ process: Int, _ name: String
  ) throws {
    let index = try SharedRecordings.index(file)
    let chosen = index.threads[try #require(index.chosen, "\(index.because ?? "")")]
    #expect(chosen.frames == index.threads.map(\.frames).max())
    #expect(chosen.frames > 0)
    if process > 0 { #expect(chosen.process.number == process) }
    if !name.isEmpty { #expect(chosen.name == name) }
    #expect(try SharedRecordings.read(file).frames.contains { $0.work != nil })
  }
}
