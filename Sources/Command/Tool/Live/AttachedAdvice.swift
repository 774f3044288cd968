internal import FrameBudget
internal import FrameBudgetParsing
internal import FrameBudgetRealTime
internal import FrameBudgetTerminal
internal import Glibc

/// A recording of an attached page or window, and what `record` says of it, while the view continues.
///
/// It is a process of its own, because signals, streams and priority belong to a whole process. `stop` ends it.
struct AttachedAdvice {
  private let socket: SocketEnd
  private let guardian: Int32
  private var messages = MessageBuffer(end: 0)
  /// Where the output of the process goes.
  private let temporary: LockedFolder
  /// The folder of the recording and its results.
  let folder: String
  private let start = ContinuousClock.now

  /// The length of the recording in seconds.
  private static let length = 10
  private static let nice: Int32 = 19

  /// Records into the first free folder that begins with `name`; `subject` are the words of `record` that say what.
  init(of subject: [String], into name: String) throws(ToolError) {
    _ = LockedFolder.removeLeftovers()
    temporary = LockedFolder.new()
    if let error = temporary.create() {
      throw ToolError(.cannotCreate, "cannot create \(temporary.path): \(error)")
    }
    folder = RecordedFolder.free(name)
    let words = ["record"] + subject + ["--for", "\(Self.length) s", "-o", folder]
    do throws(ToolError) {
      (socket, guardian) = try GuardProcess.start(
        GuardProgramCommand.name, of: words[0],
        [temporary.path + Self.output, ProgramGuard.end, ServiceProcess.program] + words)
    } catch {
      temporary.remove()
      throw error
    }
    setpriority(__priority_which_t(PRIO_PROCESS.rawValue), id_t(bitPattern: guardian), Self.nice)
    socket.setTimeout(.milliseconds(1))
  }

  private static let output = "/output.txt"

  /// What it does now.
  var progress: String {
    let seconds = Int((ContinuousClock.now - start) / .seconds(1))
    return seconds < Self.length
      ? "recording: \(seconds) s of \(Self.length) s"
      : "learning from \(folder), and searching for advice"
  }

  /// What `record` says, once it has ended.
  mutating func lines() -> [String]? {
    guard let piece = socket.receive() else { return nil }
    if !piece.isEmpty, messages.add(piece) {
      while let text = messages.take() {
        guard let event = try? JSON(parsing: Array(text)),
          event["method"].text == GuardProcess.ended
        else { continue }
        return said
      }
      return nil
    }
    return said
  }

  private var said: [String] {
    let bytes = (try? InputBytes.read(temporary.path + Self.output)) ?? []
    guard !bytes.isEmpty else { return ["record said nothing"] }
    return String(decoding: bytes, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// Ends the process; the folder keeps what it has recorded.
  func stop() {
    socket.close()
    GuardProcess.reap(guardian)
    temporary.remove()
  }
}

/// The recording that the view makes of what it shows, one at a time.
struct AttachedRecording {
  private var advice: AttachedAdvice?

  /// Begins one, or says how far it is; `subject` are the words of `record` that say what is recorded.
  mutating func begin(_ subject: [String], into name: String, on model: inout LiveModel) {
    if let advice { return model.note(advice.progress) }
    do throws(ToolError) {
      advice = try AttachedAdvice(of: subject, into: name)
      model.mark("record")
      model.note(advice?.progress ?? "")
    } catch {
      model.note(error.message.printable)
    }
  }

  /// Shows what was learned, once it is there.
  mutating func show(on model: inout LiveModel) {
    guard let lines = advice?.lines() else { return }
    stop()
    model.show(lines.map(\.printable))
  }

  mutating func stop() {
    advice?.stop()
    advice = nil
  }
}
