internal import Foundation
internal import FrameBudget
internal import Glibc
internal import FrameBudgetParsing
internal import FrameBudgetRealTime
internal import SchedulableObjects

/// Records a program that records itself by `FrameRecorder`: starts it, and ends it after a while.
struct ProgramRecording {
  /// The program's name as given.
  let name: String
  private let path: String
  private let arguments: [String]
  private let length: TimeSpan

  /// The file for the program's output.
  static let output = "output.txt"

  /// Gives `FrameRecorder` in the program the path of the file.
  private static let variable = "FRAMEBUDGET_RECORDING"

  /// The time that the guard has to end the program.
  private static let patience = TimeSpan.seconds(10)

  /// The program of that name or path, with its arguments; a name is searched in `folders`, as in PATH.
  init(
    _ name: String, _ arguments: [String], length: TimeSpan, searching folders: String
  ) throws(ToolError) {
    guard let path = ProgramPath.find(name, in: folders) else {
      throw ToolError(.noInput, "cannot start \(name): no such program exists")
    }
    (self.name, self.path, self.arguments, self.length) = (name, path, arguments, length)
  }

  /// Records into that file in `folder`, under the program's own arrangement or another one. The recording ends with the
  /// program, after the length, or with the first signal. Returns how the program has failed, as a predicate of it, if it ended
  /// before.
  func write(
    to file: String, in folder: String, under arrangement: AppArrangement? = nil,
    showing bar: ProgressLine?
  ) throws(ToolError) -> String? {
    defer { bar?.wipe() }
    let start = ContinuousClock.now
    let place = URL(filePath: folder).path(percentEncoded: false)
    let (socket, guardian) = try GuardProcess.start(
      GuardProgramCommand.name, of: name,
      ["\(place)/\(Self.output)", "\(Self.variable)=\(place)/\(file)"]
        + (arrangement.map { ["\(AppArrangement.variable)=\($0)"] } ?? [])
        + [ProgramGuard.end, path] + arguments)
    var messages = MessageBuffer(end: 0)
    var end = pass(socket, &messages, for: length, showing: bar)
    let ended = end?["status"].whole
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    // Asks the guard to end the program.
    socket.endSending()
    if end == nil { end = pass(socket, &messages, for: Self.patience, isRecorded: false) }
    socket.close()
    GuardProcess.reap(guardian)
    guard unsafe access("\(place)/\(file)", R_OK) == 0 else {
      let last = end?["output"].text.map { "; its last output: \($0.printable)" } ?? ""
      let how = ended.map { ", and has ended with status \($0)" } ?? ""
      throw ToolError(
        .unavailable,
        "\(name) recorded nothing\(how)\(last); it has to call FrameRecorder.start(to:)")
    }
    guard let ended, ended != 0 else { return nil }
    let last = end?["output"].text.map { "; its last output: \($0.printable)" } ?? ""
    return
      "has ended with status \(ended) after \(Decimal.text(seconds, places: 1)) s of \(length)\(last)"
  }

  /// Waits for the end of the program, and returns the event about it; nil after the length or, while it is recorded, after a
  /// signal.
  private func pass(
    _ socket: SocketEnd, _ messages: inout MessageBuffer, for length: TimeSpan,
    isRecorded: Bool = true, showing bar: ProgressLine? = nil
  ) -> JSON? {
    let start = ContinuousClock.now
    let end = start + .nanoseconds(length.nanoseconds)
    while ContinuousClock.now < end, !isRecorded || Interruption.signal == nil {
      let seconds = Int((ContinuousClock.now - start) / .seconds(1))
      bar?.draw("recording: \(seconds) s of \(length)")
      guard let piece = socket.receive() else { continue }
      if piece.isEmpty || !messages.add(piece) { break }
      while let text = messages.take() {
        guard let event = try? JSON(parsing: Array(text)) else { continue }
        if event["method"].text == GuardProcess.ended { return event["params"] }
      }
    }
    return nil
  }
}
