internal import FrameBudget
internal import FrameBudgetCaptures
internal import FrameBudgetParsing
internal import FrameBudgetRealTime
internal import Glibc

/// Records a Wayland client that runs already, as text of ftrace.
struct WindowRecording {
  private let probes: WindowProbes
  private let length: TimeSpan

  /// In bytes: far more than a client writes in ten minutes.
  private static let largest = 1 << 30
  /// In microseconds, between two looks.
  private static let pause: UInt32 = 20_000

  /// The name of the process.
  var app: String { probes.process.name.printable }

  /// Begins the trace now, so that an error leaves no folder.
  init(
    of process: pid_t, work: [String], for length: TimeSpan, on console: Console
  ) throws(ToolError) {
    probes = try WindowProbes(on: process, work: work, isRecorded: true, console: console)
    self.length = length
  }

  /// Writes to the open `file`. The recording ends with the process, after the length, or with the first signal, and the probes are
  /// removed.
  func write(
    to file: Int32, showing bar: ProgressLine?, on console: Console
  ) throws(ToolError) {
    defer {
      probes.close()
      bar?.wipe()
      if let remains = probes.remains { console.note(remains) }
    }
    // What came before the recording.
    _ = probes.read()
    var text = TracedText()
    var (size, commits) = (0, 0)
    func take(_ piece: [UInt8]) throws(ToolError) {
      size += piece.count
      try Self.append(piece, to: file)
      text.add(piece) { event in
        if case .requested(6, _) = event.kind { commits += 1 }
      }
    }
    try Self.append(Array("# tracer: nop\n#\n".utf8), to: file)
    let start = ContinuousClock.now
    let end = start + .nanoseconds(length.nanoseconds)
    while ContinuousClock.now < end, Interruption.signal == nil, size < Self.largest {
      let seconds = Int((ContinuousClock.now - start) / .seconds(1))
      bar?.draw("recording: \(seconds) s of \(length)")
      usleep(Self.pause)
      try? probes.follow()
      let ending = probes.process.ending
      try take(probes.read())
      if let ending {
        bar?.wipe()
        console.note(
          "\(probes.process.name.printable) \(ending); the recording ends there, after \(seconds) s"
        )
        break
      }
    }
    if probes.process.ending == nil { probes.mark("framebudget: end") }
    try take(probes.read())
    if size >= Self.largest {
      bar?.wipe()
      console.note("the recording ends after 1 GiB")
    }
    if text.lost > 0 {
      bar?.wipe()
      console.note(
        "the kernel has dropped \(English.count(text.lost, "event")); some frames are wrong")
    }
    guard commits > 0 else {
      throw ToolError(
        .unavailable,
        "\(probes.process.name.printable) has drawn nothing in a window; use it while it is recorded"
      )
    }
  }

  private static func append(_ bytes: [UInt8], to file: Int32) throws(ToolError) {
    if let error = FileWriting.write(bytes, to: file) {
      throw ToolError(.cannotWrite, "cannot write the recording: \(error)")
    }
  }
}
