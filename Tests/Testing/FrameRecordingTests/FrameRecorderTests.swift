import SchedulableThreads
import Foundation
import FrameBudget
import FrameBudgetTesting
import FrameBudgetCaptures
import SchedulableObjects
import TestSupport
import Testing

@testable import FrameRecording

/// One after the other, because only one recorder at a time can record a process.
@Suite(.serialized) struct FrameRecorderTests {
  /// In a process of its own, because a recorder records all schedulers of its process, including those of other tests.
  @Test func `a recording of a program has its named intervals, its posts and its frames`() async {
    await #expect(processExitsWith: .success) {
      try await Self.recordTwentySteps()
    }
  }

  private static func recordTwentySteps() async throws {
    let scratch = try Scratch()
    let path = scratch.path("app.json")
    try FrameRecorder.start(to: path, app: "tested")
    let scheduler = try ThreadScheduler(name: "files")
    for _ in 0..<20 {
      await MainActor.run {
        FrameRecorder.frame { FrameRecorder.interval("draw") { keep(.milliseconds(1)) } }
        FrameRecorder.interval("import") { keep(.milliseconds(2)) }
      }
      scheduler.schedule { FrameRecorder.interval("index") { keep(.milliseconds(1)) } }
    }
    await scheduler.shutdown()
    // A job is recorded behind its body, which resumes this task: behind one more, those before it are.
    await MainActor.run {}
    let summary = try FrameRecorder.stop()
    #expect(summary.lost == 0)
    let recording = try RecordingFile.read(path: path)
    #expect(recording.process.name == "tested")
    func count(_ name: String, on thread: String) -> Int {
      let threads = recording.threads.filter { $0.name == thread }
      return threads.flatMap(\.slices).count { recording.names[Int($0.name)] == name }
    }
    #expect(count("import", on: "main") == 20)
    #expect(count("draw", on: "main") == 20)
    #expect(count("index", on: "files") == 20)
    #expect(count("Task", on: "files") == 20)
    #expect(recording.frames.count { $0.work != nil } == 20)
    let files = try #require(recording.threads.first { $0.name == "files" })
    #expect(files.posts.count == 20)
    if MainJobs.areSeen {
      let main = try #require(recording.threads.first)
      #expect(count("Task", on: "main") >= 20 && main.posts.count >= 20)
    }
  }

  @Test func `posts of one recording and work of another have no number in common`() throws {
    let scratch = try Scratch()
    var numbers: Set<UInt32> = []
    for file in ["first.json", "second.json"] {
      let run = try RecorderRun(path: scratch.path(file), app: "tested", refresh: RefreshRate(60))
      for _ in 0..<3 {
        let work = run.begin(.interval("work"))
        #expect(work.number >= 1 << 30)
        run.end(work)
        let isNew = numbers.insert(run.notePost()).inserted
        #expect(isNew && !numbers.contains(work.number))
      }
      _ = try run.finish()
    }
    #expect(numbers.count == 6)
  }

  @Test func `a recording is a complete file after each write, even if the process is killed`()
    throws
  {
    let scratch = try Scratch()
    let path = scratch.path("app.json")
    var output = try TraceOutput(creating: path)
    var trace = NotedTrace(from: 0, RefreshRate(60))
    for event in NotedTrace.opening("cut", cores: 2) { try output.add(event) }
    for step in 0..<2000 {
      let note = Note(.interval("step"), Double(step), Double(step) + 0.5)
      try trace.write(note) { try output.add($0) }
      guard step % 100 == 99 else { continue }
      try output.flush()
      // A file that is not closed.
      let recording = try RecordingFile.read(path: path)
      #expect(recording.threads.map(\.slices.count) == [step + 1])
    }
  }

  @Test
  func `what holds for now is overwritten by what is known, and the file is complete at any time`()
    throws
  {
    let scratch = try Scratch()
    let path = scratch.path("app.json")
    var output = try TraceOutput(creating: path)
    var trace = NotedTrace(from: 0, RefreshRate(60))
    for event in NotedTrace.opening("cut", cores: 2) { try output.add(event) }
    try trace.write(Note(.frame(TimedFrame()), 0, 4)) { try output.add($0) }
    var longest = 0
    for hang in [5000.0, 2, 700, 0, 9000, 1] {
      let open = hang > 0 ? [OpenWork(.interval("open"), since: 20)] : []
      try trace.write(Note(.interval("step"), 10, 11)) { try output.add($0) }
      trace.writeUnfinished(open, at: .ms(20 + hang)) { output.addForNow($0, at: .ms(20 + hang)) }
      try output.flush()
      let recording = try RecordingFile.read(path: path)
      let slices = try #require(recording.threads.first).slices
      #expect(slices.count { recording.names[Int($0.name)] == "open" } == (hang > 0 ? 1 : 0))
      // From the third vsync on.
      let dropped = hang > 50 / 3 ? Int(((20 + hang) / (50 / 3)).rounded(.up)) - 2 : 0
      #expect(recording.frames.count { $0.verdict == .dropped } == dropped)
      let text = try #require(scratch.text("app.json"))
      #expect(text.hasSuffix(TraceEvent.tail))
      longest = max(longest, text.utf8.count)
    }
    #expect(try #require(scratch.text("app.json")).utf8.count < longest / 10)
    // A long hang is not written again after each pause.
    trace.writeUnfinished([OpenWork(.interval("open"), since: 20)], at: .ms(60_000)) {
      output.addForNow($0, at: .ms(60_000))
    }
    try output.flush()
    #expect(!output.isOld(at: .ms(60_100)) && output.isOld(at: .ms(62_000)))
  }

  @Test(arguments: ["a frame", "an interval"])
  func `a hang is written while it lasts, and counts when the recording ends in it`(
    _ place: String
  ) async throws {
    let scratch = try Scratch()
    let path = scratch.path("app.json")
    let run = try RecorderRun(path: path, app: "hangs", refresh: RefreshRate(60))
    let first = run.begin(.frame(TimedFrame()), on: .main)
    run.end(first)
    _ = run.begin(place == "a frame" ? .frame(TimedFrame()) : .interval("search"), on: .main)
    while scratch.text("app.json")?.contains("DroppedFrame") != true {
      try await Task.sleep(for: .milliseconds(5))
    }
    // As if the program were killed now.
    let killed = try RecordingFile.read(path: path)
    #expect(killed.frames.contains { $0.verdict == .dropped })
    let summary = try run.finish()
    #expect(summary == RecordingSummary(notes: 2, lost: 0))
    let stopped = try RecordingFile.read(path: path)
    func drops(_ recording: Recording) -> Int {
      recording.frames.count { $0.verdict == .dropped }
    }
    #expect(drops(stopped) >= drops(killed))
    #expect(stopped.length >= killed.length)
  }

  @Test func `an event of a scheduler is under way while it runs`() async {
    await #expect(processExitsWith: .success) {
      let scratch = try Scratch()
      try FrameRecorder.start(to: scratch.path("app.json"))
      let scheduler = try ThreadScheduler(name: "files")
      let isOver = Locked(false)
      scheduler.schedule { while !isOver.withLock({ $0 }) { keep(.milliseconds(1)) } }
      while scratch.text("app.json")?.contains(#""name":"Task""#) != true {
        try await Task.sleep(for: .milliseconds(5))
      }
      let recording = try RecordingFile.read(path: scratch.path("app.json"))
      #expect(recording.threads.contains { $0.name == "files" && $0.slices.count == 1 })
      isOver.withLock { $0 = true }
      await scheduler.shutdown()
      try FrameRecorder.stop()
      let whole = try RecordingFile.read(path: scratch.path("app.json"))
      #expect(whole.threads.filter { $0.name == "files" }.map(\.slices.count) == [1])
    }
  }

  @Test func `notes are written while the program runs`() async throws {
    let scratch = try Scratch()
    let path = scratch.path("app.json")
    let run = try RecorderRun(path: path, app: "long", refresh: RefreshRate(60), room: 4096)
    run.note(.interval("step"), on: .main, from: 0, to: 500)
    // The writer has a thread of its own, which ends only on request.
    while scratch.text("app.json")?.contains("step") != true {
      try await Task.sleep(for: .milliseconds(5))
    }
    for step in 1..<20_000 {
      run.note(.interval("step"), on: .main, from: Int64(step) * 1000, to: Int64(step) * 1000 + 500)
    }
    let summary = try run.finish()
    #expect(summary.notes + summary.lost == 20_000)
    let recording = try RecordingFile.read(path: path)
    #expect(recording.threads.map(\.slices.count) == [summary.notes])
    #expect(scratch.text("app.json")?.contains("TRACE FULL") == (summary.lost > 0))
  }

  @Test func `concurrent threads lose no notes within the capacity`() async throws {
    let scratch = try Scratch()
    let run = try RecorderRun(
      path: scratch.path("app.json"), app: "many", refresh: RefreshRate(60), room: 1 << 15)
    let threads = try (0..<4).map { number in
      try PlatformThread(name: "noting-\(number)") {
        for step in 0..<5000 {
          run.note(.interval("step"), from: Int64(step) * 1000, to: Int64(step) * 1000 + 500)
        }
      }
    }
    for thread in threads { thread.join() }
    let summary = try run.finish()
    #expect(summary == RecordingSummary(notes: 20_000, lost: 0))
    // All four did the same amount of work, so one has to be chosen.
    let list = try RecordingFile.index(path: scratch.path("app.json"))
    let recording = try RecordingFile.read(
      path: scratch.path("app.json"),
      choosing: RecordingChoice(thread: "\(try #require(list.threads.first).number)"))
    #expect(recording.threads.map(\.slices.count).reduce(0, +) == 20_000)
  }

  @Test func `only one recorder can observe a process at a time`() async throws {
    let scratch = try Scratch()
    #expect(throws: FrameRecorderError.isOff) { try FrameRecorder.stop() }
    try FrameRecorder.start(to: scratch.path("first.json"))
    #expect(throws: FrameRecorderError.isWatched) {
      try FrameRecorder.start(to: scratch.path("second.json"))
    }
    let error = await #expect(throws: MeasurementError.self) {
      try await measureFrames(for: .milliseconds(100)) { app in
        app.workload("none", .once(at: .zero)) { _ in }
      }
    }
    #expect(error?.reason == .isRecorded)
    try FrameRecorder.stop()
    #expect(scratch.names() == ["first.json"])
  }

  @Test func `no file is overwritten, and a path that cannot be written is an error`() throws {
    let scratch = try Scratch()
    try scratch.write("mine", to: "app.json")
    #expect(throws: FrameRecorderError.self) {
      try FrameRecorder.start(to: scratch.path("app.json"))
    }
    #expect(throws: FrameRecorderError.self) { try FrameRecorder.start(to: "/proc/none/app.json") }
    #expect(scratch.text("app.json") == "mine")
    // It leaves nothing behind: the next one begins.
    try FrameRecorder.start(to: scratch.path("next.json"))
    try FrameRecorder.stop()
  }

  @Test func `without a recording, measured closures still run`() throws {
    #expect(FrameRecorder.interval("work") { 7 } == 7)
    #expect(FrameRecorder.frame { "drawn" } == "drawn")
    #expect(throws: CancellationError.self) {
      try FrameRecorder.interval("work") { throw CancellationError() }
    }
  }
}

/// Keeps the thread for a while.
private func keep(_ span: Duration) { Thread.sleep(forTimeInterval: span / .seconds(1)) }
