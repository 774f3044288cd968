import FrameBudget
import FrameBudgetCaptures
import Testing

/// The cost of processing depends on the content of a recording, and not on the distances between its events.
struct IdleGapTests {
  /// Tasks of 4 ms that begin at these microseconds, on the first thread of the process.
  private func recording(
    at begins: [Int], _ more: [String] = [], isOwn: Bool = false,
    choosing: RecordingChoice = RecordingChoice()
  ) throws -> Recording {
    let tasks = begins.map {
      #"{"ph":"X","name":"task","pid":1,"tid":1,"ts":\#($0),"dur":4000}"#
    }
    let events = (tasks + more).joined(separator: ",\n")
    let text = isOwn ? TraceEvent.head + events + TraceEvent.tail : "[\(events)]"
    return try RecordingFile.read(Array(text.utf8), name: "far", choosing: choosing)
  }

  private static let tasks = (0..<60).map { $0 * 50_000 }

  @Test(arguments: [10_000_000_000, 1_000_000_000_000, -10_000_000_000])
  func `a far-away event is moved to a minute away, with a warning`(_ far: Int) throws {
    let recording = try recording(at: Self.tasks + [far])
    let slices = recording.threads[0].slices
    #expect(slices.count == 61)
    #expect(recording.length < .seconds(64))
    #expect(recording.doubts.count == 1 && recording.doubts[0].hasPrefix("nothing happened for "))
    let gaps = zip(slices, slices.dropFirst()).map { $1.begin - $0.end }
    #expect(gaps.max().map { $0 > .seconds(59) && $0 <= .seconds(61) } == true)
    #expect(RecordingInvariants.broken(by: recording) == [])
  }

  @Test func `a minute without an event is not shortened`() throws {
    let recording = try recording(at: Self.tasks + [62_900_000])
    #expect(recording.doubts.isEmpty && recording.length == .milliseconds(62_904))
  }

  @Test func `of many gaps only the first are reported one by one`() throws {
    let recording = try recording(at: (0..<10).map { $0 * 3_600_000_000 })
    #expect(recording.doubts.count == 4)
    #expect(recording.doubts.last == "6 more gaps were shortened")
    #expect(recording.length < .seconds(541))
  }

  /// A period in which another thread was busy is not a gap, and the chosen part is treated like a whole file.
  @Test func `a requested time range refers to the times in the file`() throws {
    let hour = 3_600_000_000
    let recording = try recording(
      at: [0, hour], choosing: RecordingChoice(from: .seconds(3599), to: .seconds(3601)))
    #expect(recording.threads[0].slices.map(\.begin) == [.seconds(1)])
    #expect(recording.doubts.isEmpty)
  }

  @Test func `frames keep their places among vsyncs on both sides of a gap`() throws {
    let frames = (0..<40).flatMap { frame in
      let at = frame * 16_667 + (frame < 20 ? 0 : 600_012_000)
      return [
        #"{"ph":"I","name":"BeginFrame","pid":1,"tid":2,"ts":\#(at),"args":{"frameSeqId":\#(frame)}}"#,
        #"{"ph":"I","name":"DrawFrame","pid":1,"tid":2,"ts":\#(at + 9000),"args":{"frameSeqId":\#(frame)}}"#,
      ]
    }
    let recording = try recording(at: [0], frames)
    #expect(recording.frames.count == 40)
    let gaps = zip(recording.frames, recording.frames.dropFirst()).map { $1.vsync - $0.vsync }
    #expect(gaps.count { $0 != .nanoseconds(16_667_000) } == 1)
    let periods = (gaps.max() ?? .zero).inMilliseconds / 16.667
    #expect(abs(periods - periods.rounded()) < 0.01 && periods < 3700)
  }

  @Test func `a hundred thousand events at one instant are read`() throws {
    let recording = try recording(at: Array(repeating: 5, count: 100_000))
    #expect(recording.threads[0].slices.count == 100_000)
    #expect(RecordingInvariants.broken(by: recording) == [])
  }

  /// Vsyncs at one instant, in a trace of the project's own format, and vsyncs that are hours apart.
  @Test(arguments: [0, 7_200_000_000])
  func `vsyncs further apart than on any screen give no period`(_ apart: Int) throws {
    let track =
      #"{"ph":"M","name":"thread_name","pid":1,"tid":1,"args":{"name":"main","role":"thread"}}"#
    let vsyncs = (1..<9).map {
      #"{"ph":"i","name":"vsync","cat":"screen","pid":1,"tid":0,"ts":\#($0 * apart),"args":{"vsync":\#($0)}}"#
    }
    let recording = try recording(at: Self.tasks, [track] + vsyncs, isOwn: true)
    #expect(recording.period == nil)
    #expect(recording.doubts.contains { $0.contains("fits no screen") }, "\(recording.doubts)")
  }

  /// Flutter's format, in which instants are texts.
  @Test func `instants of frames that no clock shows are left out`() throws {
    let text = String(decoding: try Seeds.bytes("recording-flutter/timeline.json"), as: UTF8.self)
    for value in ["-9223372036854775808", "9223372036854775807", "4611686018427387904"] {
      for key in ["StartTime", "TargetTime"] {
        let changed = text.replacing(try Regex("\"\(key)\": ?\"[0-9]+\"")) { _ in
          "\"\(key)\": \"\(value)\""
        }
        #expect(changed != text)
        #expect(HostileRecordingTests.failure(Array(changed.utf8)) == nil)
      }
    }
  }
}
