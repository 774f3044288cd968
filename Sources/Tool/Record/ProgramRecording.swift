internal import CLinux
internal import Foundation
internal import FrameBudget
internal import Glibc
internal import Parsing
internal import RealTime

/// Records a program that records itself by `FrameRecorder`: starts it, and ends it after a while.
struct ProgramRecording {
  /// The program's name as given.
  let name: String
  private let path: String
  private let arguments: [String]
  private let length: TimeSpan

  /// The file for the program's output.
  static let output = "output.txt"

  /// The program of that name or path, with its arguments; a name is searched in `folders`, as in PATH.
  init(
    _ name: String, _ arguments: [String], length: TimeSpan, searching folders: String
  ) throws(ToolError) {
    guard let path = ProgramPath.find(name, in: folders) else {
      throw ToolError(.noInput, "cannot start \(name): no such program exists")
    }
    (self.name, self.path, self.arguments, self.length) = (name, path, arguments, length)
  }

  /// Records into that file in `folder`. The recording ends with the program, after the length, or with the first signal.
  func write(to file: String, in folder: String, showing bar: ProgressLine?) throws(ToolError) {
    defer { bar?.wipe() }
    let place = URL(filePath: folder).path(percentEncoded: false)
    let (socket, guardian) = try GuardProcess.start(
      GuardProgramCommand.name, of: name,
      ["\(place)/\(file)", "\(place)/\(Self.output)", path] + arguments)
    let status = pass(socket, showing: bar)
    socket.close()
    // When the guard ends, the program has ended.
    _ = clinux_reap(guardian)
    guard unsafe access("\(place)/\(file)", R_OK) == 0 else {
      let said = (try? String(contentsOfFile: "\(place)/\(Self.output)", encoding: .utf8)) ?? ""
      let last =
        said.split(separator: "\n").last.map { "; its last output: \(String($0).printable)" } ?? ""
      let how = status.map { ", and has ended with status \($0)" } ?? ""
      throw ToolError(
        .unavailable,
        "\(name) recorded nothing\(how)\(last); it has to call FrameRecorder.start(to:)")
    }
  }

  /// Waits for the end of the recording. Returns the program's status if it ended by itself.
  private func pass(_ socket: SocketEnd, showing bar: ProgressLine?) -> Int? {
    var messages = MessageBuffer(end: 0)
    let start = ContinuousClock.now
    let end = start + .nanoseconds(length.nanoseconds)
    while ContinuousClock.now < end, Interruption.signal == nil {
      let seconds = Int((ContinuousClock.now - start) / .seconds(1))
      bar?.draw("recording: \(seconds) s of \(length)")
      guard let piece = socket.receive() else { continue }
      if piece.isEmpty { break }
      messages.add(piece)
      while let text = messages.take() {
        guard let event = try? JSON(parsing: Array(text)) else { continue }
        if event["method"].text == GuardProcess.ended { return event["params"]["status"].whole }
      }
    }
    return nil
  }
}
