import FrameBudget
import FrameBudgetCaptures
import FrameBudgetParsing
import TestSupport
import Testing

struct InstrumentsRecordingTests {
  /// The main thread is busy from 1.000 to 1.010 s and from 1.020 to 1.040 s; `decode` is 15 ms of that, from 1.022. A Swift task
  /// waits from 1.040 s and runs from 1.050 for 5 ms on another thread, which has the signpost `load`.
  @Test func `busy run loops, Swift tasks and signposts are slices with their posts`() throws {
    let index = try Seeds.index("recording-instruments/app.xml")
    #expect(index.format == .instruments && index.because == "it is the main thread by its name")
    #expect(index.threads.map(\.name) == ["Main Thread", "Worker"])
    #expect(index.threads.map(\.slices) == [3, 2])
    let recording = try Seeds.read("recording-instruments/app.xml")
    #expect(recording.process.number == 12 && recording.process.name == "App")
    #expect(
      recording.lines(0) == [
        "0 Task 0.0 10000.0", "0 Task 20000.0 20000.0", "1 decode 22000.0 15000.0",
      ])
    #expect(recording.lines(1) == ["0 View.task @ App/Detail.swift:418 50000.0 5000.0"])
    #expect(recording.postLines(1) == ["0 40000.0"])
    #expect(recording.frames.isEmpty && recording.ownNames.contains("decode"))
    #expect(recording.doubts.contains { $0.hasPrefix("1 of the app's own measures") })
  }

  @Test func `an export without slices is refused with the tables that have some`() throws {
    let bytes = try Seeds.bytes("logs/instruments.xml")
    let error = #expect(throws: InputError.self) { try RecordingFile.index(bytes, name: "hitches") }
    let message = error?.description ?? ""
    #expect(message.contains("supported: runloop-intervals") && message.contains("import"))
  }

  private static let folder = Project.shared("data/xctrace")

  /// By a script over the rows: 5 busy intervals, the first of 9.638958 ms; 88 times in which a task ran, 38 of them on the main
  /// thread, 7063.392543 ms in all.
  @Test(
    .enabled(if: folder != nil, "no folder shared/data/xctrace at or above the package: skipped"))
  func `real exports have the slices that a script counts`() throws {
    let folder = try #require(Self.folder)
    let loop = try RecordingFile.read(path: "\(folder)/runloop-intervals.xml")
    #expect(loop.process.name == "Finder" && loop.threads[0].slices.count == 5)
    #expect(loop.threads[0].slices[0].length.nanoseconds == 9_638_958)
    let tasks = try RecordingFile.read(path: "\(folder)/SwiftTaskStateTable.xml")
    #expect(tasks.threads[0].name == "Main Thread" && tasks.threads[0].slices.count == 38)
    let lengths = tasks.threads.flatMap(\.slices).map(\.length.nanoseconds)
    #expect(lengths.count == 88)
    #expect(tasks.threads.contains { !$0.posts.isEmpty })
    let signposts = try RecordingFile.read(path: "\(folder)/OSSignpostIntervals.xml")
    #expect(signposts.names.contains("PreFlight") && signposts.names.contains("MCPFindProject"))
  }
}
