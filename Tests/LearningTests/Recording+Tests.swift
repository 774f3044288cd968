import FrameBudget
import Recordings

extension TimeSpan {
  static func ms(_ value: Double) -> TimeSpan { .nanoseconds(Int64((value * 1e6).rounded())) }
}

extension Recording {
  /// One whose frames have these vsyncs, in milliseconds, and nothing else.
  static func frames(at vsyncs: [Double]) -> Recording {
    Recording(
      format: .chrome, process: RecordedProcess(number: 1, name: "app"),
      frames: vsyncs.map { RecordedFrame(vsync: .ms($0)) })
  }

  /// One with a UI thread of these slices: name, begin and end in milliseconds, and how deep.
  static func slices(
    _ slices: [(name: String, begin: Double, end: Double, depth: Int32)],
    frames: [RecordedFrame] = [], format: RecordingFormat = .chrome,
    posts: [RecordedPost] = [], cpu: [Double?] = []
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
    return Recording(
      format: format, process: RecordedProcess(number: 7, name: "app"), length: .ms(length),
      names: names, threads: [RecordedThread(number: 7, name: "main", slices: all, posts: posts)],
      frames: frames)
  }

  /// 2 s at 60 Hz, ten times 7 frames that paint for 4 ms and are on the screen 2 ms later. With the first of them, 5 ms
  /// behind its vsync, comes a task of 3 calls of `hash`, 10 ms each; the frame of the next vsync waits for it and is
  /// dropped, in the platform's words, and the one behind that catches up.
  static var hashing: Recording {
    let period = 50.0 / 3
    var slices: [(name: String, begin: Double, end: Double, depth: Int32)] = []
    var frames: [RecordedFrame] = []
    var free = 0.0
    for vsync in 0..<120 where vsync % 12 < 7 {
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
}
