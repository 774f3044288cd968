internal import Foundation
internal import SchedulableJobs

/// A program that its test kills: it adds jobs without end, runs them, and records added and started ones.
///
///     JobsVictim file|sqlite FOLDER FIRST     works from job number FIRST on until it is killed; waits for the store
///     JobsVictim file|sqlite FOLDER crash     adds job 666, which crashes the process
///     JobsVictim file|sqlite FOLDER finish    runs the remaining jobs, and ends
@main
struct JobsVictim {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 4 else { exit(64) }
    let victim = try JobsVictim(kind: arguments[1], folder: arguments[2])
    switch arguments[3] {
    case "crash": try victim.crash()
    case "finish": try victim.finish()
    case let first: try victim.work(from: Int(first) ?? 0)
    }
  }

  static let crashing = 666
  private let kind: String
  private let folder: String
  private let ran: Notes

  private init(kind: String, folder: String) throws {
    (self.kind, self.folder) = (kind, folder)
    ran = try Notes(folder + "/ran")
  }

  private func openQueue(isCharging: Bool, restoring: JobQueueOptions.Restoring) throws -> JobQueue
  {
    var types = JobTypes()
    types.register("number") { [ran] (number: Int, run) in
      ran.add(number)
      if number == Self.crashing { abort() }
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
    let queue = try openFreeQueue(
      adding: first, restoring: first % 2_000_000 == 0 ? .onCreatingThread : .inBackground)
    accepted.add(first)
    Self.say("ready")
    for number in (first + 1)... {
      try queue.add(job(number))
      accepted.add(number)
      if queue.waitingCount > 20 { usleep(1000) }
    }
  }

  /// The queue that has accepted the first job, once no other process has the store.
  private func openFreeQueue(
    adding first: Int, restoring: JobQueueOptions.Restoring
  ) throws -> JobQueue {
    while true {
      let queue = try openQueue(isCharging: false, restoring: restoring)
      do {
        try queue.add(try job(first))
        return queue
      } catch {
        guard "\(error)".contains("belongs to a queue of") else { throw error }
        queue.shutdownBlocking()
        usleep(2000)
      }
    }
  }

  private func job(_ number: Int) throws(JobError) -> Job {
    var job = try Job("number", number)
    job.retry = Retry(limit: 3, first: .zero)
    // So many that no series of kills reaches them.
    job.maximumStarts = 20
    // Some stay, for this process and those after it.
    if number % 200 == 0 { job.constraints = [.charging] }
    return job
  }

  private func crash() throws {
    let queue = try openQueue(isCharging: false, restoring: .onCreatingThread)
    var job = try Job("number", Self.crashing)
    job.maximumStarts = 3
    try queue.add(job)
    while queue.unfinishedCount > 0 { usleep(1000) }
  }

  private func finish() throws {
    let queue = try openQueue(isCharging: true, restoring: .onCreatingThread)
    while queue.unfinishedCount > 0 { usleep(1000) }
    queue.shutdownBlocking()
    Self.say("left \(queue.unfinishedCount)")
  }

  private struct FirstTry: Error {}

  @Sendable private static func report(_ event: JobEvent) {
    switch event {
    case .restoredAll(let count): say("restored \(count)")
    case .unusable(let reason) where reason.contains("belongs to a queue of"): break
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
