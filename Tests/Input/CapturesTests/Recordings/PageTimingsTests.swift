import FrameBudget
import FrameBudgetCaptures
import Testing

/// The values that a page would report about itself, calculated by hand.
struct PageTimingsTests {
  /// An entry of Event Timing, in milliseconds of the trace.
  private struct Input {
    var interaction: Int
    var at: Double
    var duration: Double
    var handlers: ClosedRange<Double>

    /// The clock of the page begins 1000 ms later than that of the trace.
    var json: String {
      """
      {"name": "EventTiming", "ph": "b", "cat": "devtools.timeline", "id": "0x1", "pid": 7, "tid": 7, "ts": \(at * 1000), \
      "args": {"data": {"type": "click", "interactionId": \(interaction), "duration": \(duration), \
      "timeStamp": \(at - 1000), "processingStart": \(handlers.lowerBound - 1000), \
      "processingEnd": \(handlers.upperBound - 1000)}}}
      """
    }

    init(_ interaction: Int, at: Double, _ duration: Double, _ handlers: ClosedRange<Double>) {
      (self.interaction, self.at) = (interaction, at)
      (self.duration, self.handlers) = (duration, handlers)
    }

    /// An entry that is handled at once.
    init(_ interaction: Int, _ duration: Double) {
      let at = 2000 + 500 * Double(interaction)
      self.init(interaction, at: at, duration, at...at + duration / 2)
    }
  }

  private static func animationFrame(_ number: Int, at: Double, _ length: Double, blocking: Int)
    -> [String]
  {
    let event = #""name": "AnimationFrame", "cat": "devtools.timeline", "pid": 7, "tid": 7"#
    let identity = #""id2": {"local": "0x\#(number)"}"#
    return [
      """
      {\(event), \(identity), "ph": "b", "ts": \(at * 1000), "args": {"animation_frame_timing_info": \
      {"blocking_duration_ms": \(blocking), "duration_ms": \(Int(length)), "num_scripts": 0}, "id": "a"}}
      """,
      // The flow arrow of the same name does not end it.
      #"{\#(event), "id": \#(number), "ph": "s", "ts": \#(at * 1000), "args": {}}"#,
      #"{\#(event), \#(identity), "ph": "e", "ts": \#((at + length) * 1000), "args": {}}"#,
    ]
  }

  private static func figures(
    _ events: [String], _ choice: RecordingChoice = RecordingChoice()
  ) throws -> [String: Double] {
    let thread =
      #"{"name": "thread_name", "ph": "M", "pid": 7, "tid": 7, "args": {"name": "CrRendererMain"}}"#
    let task =
      #"{"name": "RunTask", "ph": "X", "pid": 7, "tid": 7, "ts": 1000000, "dur": 100, "args": {}}"#
    let text = "[\(([thread, task] + events).joined(separator: ",\n"))]"
    let recording = try RecordingFile.read(Array(text.utf8), name: "page.json", choosing: choice)
    return Dictionary(
      uniqueKeysWithValues: recording.figures.map { ($0.metric.name, $0.value.number ?? -1) })
  }

  @Test(
    arguments: [
      // Longest of all; steps of 8 ms, rounded to the nearest.
      ([(1, 35.063)], 32.0), ([(1, 38.1), (2, 30)], 40), ([(1, 36)], 40), ([(1, 3.9)], 0),
      // Events of one interaction count as one, with the length of the longest.
      ([(1, 48), (1, 96), (2, 80)], 96),
      // Events outside of interactions do not count.
      ([(0, 400), (1, 48)], 48),
    ] as [([(Int, Double)], Double)])
  func `INP is the longest interaction`(_ inputs: [(Int, Double)], _ inp: Double) throws {
    let figures = try Self.figures(inputs.map { Input($0.0, $0.1).json })
    #expect(figures["inp_ms"] == inp)
    #expect(figures["interactions"] == Double(Set(inputs.map(\.0).filter { $0 > 0 }).count))
  }

  @Test(arguments: [(49, 800.0), (50, 792), (99, 792), (100, 784)])
  func `INP leaves one interaction in fifty out`(_ count: Int, _ inp: Double) throws {
    let inputs = (1...count).map { Input($0, 808 - 8 * Double($0)).json }
    #expect(try Self.figures(inputs)["inp_ms"] == inp)
  }

  @Test(
    arguments: [
      // Alone in its frame.
      ([Input(1, at: 2000, 104, 2010...2060)], [104.0, 10, 50, 44]),
      // Another event, handled after it, is in the same picture.
      (
        [Input(1, at: 2000, 104, 2010...2060), Input(0, at: 2005, 99, 2060...2080)],
        [104, 10, 70, 24]
      ),
      // An event in another picture is separate.
      (
        [Input(1, at: 2000, 104, 2010...2060), Input(2, at: 2090, 40, 2095...2100)],
        [104, 10, 50, 44]
      ),
      // Rounded down, the paint would come before the end of the handler.
      ([Input(1, at: 2000, 51, 2002...2050)], [48, 2, 46, 0]),
      // The picture also shows events that were handled before the input: its delay is that of its own handlers.
      (
        [Input(1, at: 2000, 56, 2004...2020), Input(0, at: 1990, 66, 1992...1999)], [56, 4, 16, 36]
      ),
    ] as [([Input], [Double])])
  private func `INP has three parts`(_ inputs: [Input], _ parts: [Double]) throws {
    let figures = try Self.figures(inputs.map(\.json))
    let names = ["inp_ms", "inp_input_delay_ms", "inp_processing_ms", "inp_presentation_ms"]
    #expect(names.map { figures[$0] ?? -1 } == parts)
  }

  @Test(
    arguments: [
      ([(49.9, 0)], [0.0, 0, 0]), ([(50.0, 0)], [1, 50, 0]),
      ([(120.5, 60), (16, 0)], [1, 120.5, 60]), ([(60, 9), (80, 29)], [2, 140, 38]),
    ] as [([(Double, Int)], [Double])])
  func `animation frames of 50 ms are long`(_ frames: [(Double, Int)], _ totals: [Double]) throws {
    let events = frames.enumerated().flatMap { number, frame in
      Self.animationFrame(
        number, at: 2000 + 500 * Double(number), frame.0, blocking: frame.1)
    }
    let figures = try Self.figures(events)
    let names = [
      "long_animation_frames", "long_animation_frame_ms", "long_animation_frame_blocking_ms",
    ]
    #expect(names.map { figures[$0] ?? -1 } == totals)
  }

  @Test(arguments: [(50.0, 7, 0.0), (50.001, 7, 1), (700, 7, 1), (700, 8, 0)])
  func `tasks of the main thread above 50 ms are long`(
    _ length: Double, _ thread: Int, _ count: Double
  ) throws {
    let task = """
      {"name": "RunTask", "ph": "X", "pid": 7, "tid": \(thread), "ts": 2000000, "dur": \(length * 1000), "args": {}}
      """
    #expect(try Self.figures([task])["main_long_tasks"] == count)
  }

  @Test func `a part of a recording has the numbers of what begins in it`() throws {
    let events =
      [Input(1, at: 2000, 104, 2010...2060).json, Input(2, at: 4000, 48, 4010...4020).json]
      + Self.animationFrame(1, at: 2000, 104, blocking: 40) + [
        #"{"name": "RunTask", "ph": "X", "pid": 7, "tid": 7, "ts": 4000000, "dur": 100, "args": {}}"#
      ]
    // The recording begins at 1000 ms.
    let figures = try Self.figures(events, RecordingChoice(from: .seconds(2)))
    #expect(figures["inp_ms"] == 48)
    #expect(figures["interactions"] == 1)
    #expect(figures["long_animation_frames"] == 0)
  }

  @Test func `a trace without events of the page has none of its numbers`() throws {
    #expect(try Self.figures([]) == ["main_long_tasks": 0])
  }
}
