/// The options of a queue.
public struct JobQueueOptions: Sendable {
  /// The maximum number of jobs that run at once.
  public var width = 1
  /// The nice value of the queue's threads: 0 is the usual priority, 19 the lowest.
  public var nice = 0
  /// The maximum size of a job's parameters, in bytes of JSON.
  public var parameterLimit = 10_240
  /// The thread that reads the store.
  public var restoring = Restoring.onCreatingThread
  /// The state of the machine when the queue is created.
  public var machine = MachineState()
  /// The text format of records in the store.
  public var serializer = JobSerializer.json
  /// Called for each event, one after another, on any thread that changes the queue.
  public var listeners: [@Sendable (JobEvent) -> Void] = []
  /// The clock of delays and deadlines.
  public var clock: @Sendable () -> JobTime = { .now }

  /// The defaults: one thread of the usual priority; the thread that creates the queue restores the jobs.
  public init() {}

  /// The thread that reads the kept jobs when a queue is created.
  public enum Restoring: String, CaseIterable, Sendable {
    /// The thread that creates the queue: the initialiser returns when all jobs are restored.
    case onCreatingThread
    /// The queue's own thread, before it runs a job. A caller that adds a job meanwhile waits at most until the store is
    /// open, or opens it.
    case inBackground
  }
}
