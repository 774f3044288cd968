internal import CLinux
internal import Foundation
public import FrameBudget
internal import Jobs
internal import SchedulableObjects

/// A lane on the library `Jobs`: each event is a job, stored as the lane's persister stores it.
///
/// A closure cannot be stored. The job's parameters are the number of its event, under which its closure is found.
public final class JobQueueCarrier: Carrier {
  private let lane: Lane
  private let folder: URL
  /// A signal that ends the process removes the folder too.
  private let place: Int32
  private let events = Locked<[Int: PostedEvent]>([:])
  private let state = Locked(State())

  private struct State {
    var queue: JobQueue?
    var posted = 0
    var failure: String?
  }

  /// Prepares a store with the jobs that earlier runs have left; `launch` restores them.
  public init(_ lane: Lane) throws(CarrierError) {
    self.lane = lane
    folder = FileManager.default.temporaryDirectory
      .appending(component: "framebudget-jobs-\(UUID().uuidString)")
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      place = unsafe clinux_unfinished(folder.path(percentEncoded: false))
      try fillStore()
    } catch {
      throw CarrierError("\(error)")
    }
    // Without anything to restore it starts as any lane does, before time 0; a refused thread is told at once.
    if lane.keptJobs == 0, queue() == nil { throw CarrierError(loss ?? "no queue") }
  }

  deinit {
    try? FileManager.default.removeItem(at: folder)
    clinux_finished(place)
  }

  public func launch() { _ = queue() }

  public func post(_ event: sending @escaping () -> Void, hasPriority: Bool) {
    let posted = PostedEvent(event)
    let number = state.withLock { state in
      state.posted += 1
      return state.posted
    }
    events.withLock { $0[number] = posted }
    do {
      guard let queue = queue() else { return }
      try queue.add(try Job("event", number))
    } catch {
      events.withLock { $0[number] = nil }
      state.withLock { $0.failure = "\(error)" }
    }
  }

  public var loss: String? { state.withLock { $0.failure } }

  public func stop() {
    let reached = EndMark()
    post({ reached.set() }, hasPriority: false)
    if loss == nil { reached.wait() }
    state.withLock { $0.queue }?.stop()
  }

  // MARK: The queue

  /// The queue, which whoever comes first creates.
  private func queue() -> JobQueue? {
    state.withLock { state in
      if state.queue == nil && state.failure == nil {
        do throws(JobError) {
          state.queue = try makeQueue()
        } catch {
          state.failure = "\(error)"
        }
      }
      return state.queue
    }
  }

  private func makeQueue() throws(JobError) -> JobQueue {
    var options = JobQueueOptions()
    options.width = lane.width
    options.nice = lane.nice
    options.restoring = lane.restoresInBackground ? .inBackground : .onCreatingThread
    var types = JobTypes()
    types.register("event") { [events] (number: Int, _) in
      events.withLock { $0.removeValue(forKey: number) }?.run()
    }
    return try JobQueue(lane.name, types: types, keptBy: persister(), options: options)
  }

  private func persister() -> (any JobPersister)? {
    let path = folder.appending(component: "jobs").path(percentEncoded: false)
    let keeper: JobKeeper = lane.choice(.persister)
    return switch keeper {
    case .none: nil
    case .file: FilePersister(path: path)
    case .sqlite: SQLitePersister(path: path)
    }
  }

  /// Jobs like those of the run, which wait for something that does not come.
  private func fillStore() throws {
    guard lane.keptJobs > 0, let persister = persister() else { return }
    _ = try persister.load()
    let kept = try (1...lane.keptJobs).map { number in
      var job = try Job("event", -number)
      job.constraints = [.condition("never")]
      let record = JobRecord(job, sequence: Int64(number), addedAt: .now)
      return KeptJob(
        sequence: record.sequence, id: job.id, text: try JobSerializer.json.encode(record))
    }
    try persister.change(keeping: kept, removing: [])
  }
}
