/// How a queue works; the parts that can be replaced.
public struct JobQueueOptions: Sendable {
  /// How many jobs run at once.
  public var width = 1
  /// The nice value of its threads: 0 competes like any thread, up to 19 gives way.
  public var nice = 0
  /// How many bytes of JSON the parameters of a job may take.
  public var parameterLimit = 10_240
  /// Which thread reads the store.
  public var restoring = Restoring.onCreatingThread
  /// What the machine offers when the queue is created.
  public var machine = MachineState()
  /// How records become text in the store.
  public var serializer = JobSerializer.json
  /// Told everything that happens, one event after another, on whichever thread caused it.
  public var listeners: [@Sendable (JobEvent) -> Void] = []
  /// The clock of delays and deadlines.
  public var clock: @Sendable () -> JobTime = { .now }

  /// One thread of the usual priority, restored by the thread that creates the queue.
  public init() {}

  /// Who reads the kept jobs when a queue is created.
  public enum Restoring: String, CaseIterable, Sendable {
    /// The initialiser, which returns when all are there.
    case onCreatingThread
    /// The queue's own thread, before it runs anything. Who adds a job meanwhile waits at most until the store is open,
    /// or opens it.
    case inBackground
  }
}
