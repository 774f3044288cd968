import FrameBudget

@testable import FrameBudgetCaptures

extension TimeSpan {
  static func ms(_ value: Double) -> TimeSpan { .nanoseconds(Int64((value * 1e6).rounded())) }
}

extension Recording {
  /// A recording whose frames have only these vsyncs, in milliseconds.
  static func frames(at vsyncs: [Double]) -> Recording {
    Recording(
      format: .chrome, process: RecordedProcess(number: 1, name: "app"),
      frames: vsyncs.map { RecordedFrame(vsync: .ms($0)) })
  }

  /// A recording with a UI thread of these slices: name, begin and end in milliseconds, and depth.
  static func slices(
    _ slices: [(name: String, begin: Double, end: Double, depth: Int32)],
    frames: [RecordedFrame] = [], format: RecordingFormat = .chrome,
    posts: [RecordedPost] = [], steps: [RecordedStep] = [], cpu: [Double?] = []
  ) -> Recording {
    var names: [String] = []
    let all = slices.enumerated().map { place, slice in
      if !names.contains(slice.name) { names.append(slice.name) }
      return RecordedSlice(
        name: Int32(names.firstIndex(of: slice.name) ?? 0), depth: slice.depth,
        begin: .ms(slice.begin), length: .ms(slice.end) - .ms(slice.begin),
        cpu: place < cpu.count ? cpu[place].map(TimeSpan.ms) : nil)
    }
    let length = slices.map(\.end).max() ?? 0
    var main = RecordedThread(number: 7, name: "main", slices: all, posts: posts)
    main.steps = steps
    return Recording(
      format: format, process: RecordedProcess(number: 7, name: "app"), length: .ms(length),
      names: names, threads: [main], frames: frames)
  }

  /// 4 s at 60 Hz, 20 times 7 frames that paint for 4 ms and are on the screen 2 ms later. With the first of them, 5 ms
  /// behind its vsync, comes a task of 3 calls of `hash`, 10 ms each; the frame of the next vsync waits for it and is
  /// dropped, in the platform's words, and the one behind that catches up.
  static var hashing: Recording {
    let period = 50.0 / 3
    var slices: [(name: String, begin: Double, end: Double, depth: Int32)] = []
    var frames: [RecordedFrame] = []
    var free = 0.0
    for vsync in 0..<240 where vsync % 12 < 7 {
      let at = Double(vsync) * period
      let begin = max(at + 0.2, free + 0.1)
      slices += [("RunTask", begin, begin + 4, 0), ("paint", begin, begin + 4, 1)]
      frames.append(
        RecordedFrame(
          vsync: .ms(at), work: TimeSpan.ms(begin).nanoseconds..<TimeSpan.ms(begin + 4).nanoseconds,
          presented: .ms(begin + 6), verdict: vsync % 12 == 1 ? .dropped : .shown))
      free = begin + 4
      guard vsync % 12 == 0 else { continue }
      slices.append(("RunTask", at + 5, at + 36, 0))
      for call in 0..<3 {
        let from = at + 5.5 + 10 * Double(call)
        slices.append(("hash \(vsync + call)", from, from + 10, 1))
      }
      free = at + 36
    }
    return .slices(slices, frames: frames)
  }

  /// As `hashing`, in a browser whose compositor takes at each vsync what the main thread drew for the one before. The task
  /// takes 46 ms, so that the second frame of seven ends 5 ms behind the vsync of its picture's successor; that picture is
  /// called dropped, and the third frame never begins.
  static var pipelined: Recording {
    let period = 50.0 / 3
    var slices: [(name: String, begin: Double, end: Double, depth: Int32)] = []
    var frames: [RecordedFrame] = []
    func picture(_ vsync: Int) -> TimeSpan { .ms(Double(vsync) * period + 1) }
    for first in stride(from: 0, to: 240, by: 12) {
      func at(_ vsync: Int) -> Double { Double(first + vsync) * period }
      let late = at(0) + 56.1
      slices += [("RunTask", at(0) + 5, at(0) + 51, 0)]
      slices += (0..<3).map {
        ("hash", at(0) + 5 + 15 * Double($0), at(0) + 20 + 15 * Double($0), 1)
      }
      for vsync in [0, 1, 3, 4, 5, 6] {
        let begin = vsync == 1 ? at(0) + 51.1 : vsync == 3 ? at(0) + 55.2 : at(vsync) + 0.2
        slices += [("RunTask", begin, begin + 4, 0), ("paint", begin, begin + 4, 1)]
        frames.append(
          RecordedFrame(
            vsync: .ms(at(vsync)),
            work: TimeSpan.ms(begin).nanoseconds..<TimeSpan.ms(begin + 4).nanoseconds,
            presented: vsync == 1 ? .ms(late) : picture(first + vsync + 1),
            presentedWithout: vsync == 0 ? nil : vsync == 3 ? .ms(late) : picture(first + vsync),
            verdict: .shown))
      }
      frames.append(RecordedFrame(vsync: .ms(at(2)), verdict: .dropped))
      frames.append(
        RecordedFrame(vsync: .ms(at(7)), presented: picture(first + 7), verdict: .partial))
    }
    slices.sort { ($0.begin, $0.depth) < ($1.begin, $1.depth) }
    return .slices(slices, frames: frames.sorted { $0.vsync < $1.vsync })
  }
}
