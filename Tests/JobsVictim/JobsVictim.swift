internal import Foundation
internal import Jobs

/// A program that its test kills: it adds jobs without end, runs them, and records added and finished ones.
///
///     JobsVictim file|sqlite FOLDER FIRST     works from job number FIRST on until it is killed
///     JobsVictim file|sqlite FOLDER finish    runs the remaining jobs, and ends
@main
struct JobsVictim {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 4 else { exit(64) }
    let victim = JobsVictim(kind: arguments[1], folder: arguments[2])
    if let first = Int(arguments[3]) { try victim.work(from: first) } else { try victim.finish() }
  }

  let kind: String
  let folder: String

  private func openQueue(isCharging: Bool, restoring: JobQueueOptions.Restoring) throws -> JobQueue
  {
    let ran = try Notes(folder + "/ran")
    var types = JobTypes()
    types.register("number") { (number: Int, run) in
      ran.add(number)
      // Every tenth fails at first, so that records are rewritten, too.
      if number % 10 == 0 && run.record.failures == 0 { throw FirstTry() }
    }
    var options = JobQueueOptions()
    options.width = 2
    options.machine.isCharging = isCharging
    options.restoring = restoring
    options.listeners = [Self.report]
    let path = "\(folder)/store"
    let persister: any JobPersister =
      kind == "file" ? FilePersister(path: path) : SQLitePersister(path: path)
    return try JobQueue("victim", types: types, keptBy: persister, options: options)
  }

  private func work(from first: Int) throws {
    let accepted = try Notes(folder + "/accepted")
    let queue = try openQueue(
      isCharging: false, restoring: first % 2_000_000 == 0 ? .onCreatingThread : .inBackground)
    Self.say("ready")
    for number in first... {
      var job = try Job("number", number)
      job.retry = Retry(limit: 3, first: .zero)
      // Some stay, for this process and those after it.
      if number % 200 == 0 { job.constraints = [.charging] }
      try queue.add(job)
      accepted.add(number)
      if queue.waitingCount > 20 { usleep(1000) }
    }
  }

  private func finish() throws {
    let queue = try openQueue(isCharging: true, restoring: .onCreatingThread)
    while queue.unfinishedCount > 0 { usleep(1000) }
    queue.stop()
    Self.say("left \(queue.unfinishedCount)")
  }

  private struct FirstTry: Error {}

  @Sendable private static func report(_ event: JobEvent) {
    switch event {
    case .restoredAll(let count): say("restored \(count)")
    case .setAside, .unusable, .notStored, .unreadable, .failed, .expired, .cancelled:
      say("wrong: \(event)")
    default: break
    }
  }

  private static func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
  }
}

/// A file of numbers, each added by one system call, so that it is written entirely or not at all.
private final class Notes: Sendable {
  private let file: Int32

  init(_ path: String) throws {
    file = unsafe open(path, O_WRONLY | O_CREAT | O_APPEND, 0o644)
    guard file >= 0 else { throw POSIXError(.EIO) }
  }

  func add(_ number: Int) {
    let line = Array("\(number)\n".utf8)
    let written = unsafe write(file, line, line.count)
    precondition(written == line.count, "a line is written whole")
  }
}
