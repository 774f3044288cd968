internal import SchedulableThreads

/// The schedulers of an app's services, as an ``AppArrangement`` places them.
///
/// ```swift
/// let homes = try ServiceHomes(.fromEnvironment(or: "background nice=10 overtaking: thumbnail"))
/// let album = try await homes.service("thumbnail") { _ in Album() }
/// album.schedule { $0.add(photo) }
/// ```
///
/// The app is written once. Under this arrangement the album lives on the thread *background*; with
/// `FRAMEBUDGET_ARRANGEMENT=` in the environment it lives on the main thread, and calls from there run at once.
public final class ServiceHomes: Sendable {
  /// Where the services live.
  public let arrangement: AppArrangement
  private let main: any Scheduler
  private let threads: [ThreadScheduler]
  /// The index of each named service's lane.
  private let lanes: [String: Int]
  private let made = Locked<Set<String>>([])

  /// Starts the threads of the lanes.
  ///
  /// - Parameters:
  ///   - arrangement: where the services live.
  ///   - main: the scheduler of the main thread.
  ///   - options: the queues and checks of the lanes.
  /// - Throws: the refusal of the system to start a thread, or to give it its nice value.
  public init(
    _ arrangement: AppArrangement = AppArrangement(),
    main: any Scheduler = MainActorScheduler.shared,
    options: SchedulerOptions = SchedulerOptions()
  ) throws(ThreadError) {
    (self.arrangement, self.main) = (arrangement, main)
    var threads: [ThreadScheduler] = []
    var lanes: [String: Int] = [:]
    for (index, lane) in arrangement.lanes.enumerated() {
      threads.append(try ThreadScheduler(name: lane.name, nice: lane.nice, options: options))
      for service in lane.services { lanes[service] = index }
    }
    (self.threads, self.lanes) = (threads, lanes)
  }

  /// Creates the object of a service on its scheduler.
  ///
  /// - Parameters:
  ///   - name: the service's name in arrangements: for `framebudget`, that of the interval that `FrameRecorder` notes around
  ///     its work.
  ///   - build: creates the object, on the scheduler.
  /// - Returns: the handle of the object.
  /// - Throws: the error of `build`, a ``Refusal``, or `CancellationError`.
  public func service<Object>(
    _ name: String, _ build: sending @escaping (SchedulerContext) throws -> Object
  ) async throws -> ServiceObject<Object> {
    made.withLock { _ = $0.insert(name) }
    let lane = lanes[name]
    let object = try await scheduler(of: name).assemble { here in here.bind(try build(here)) }
    return ServiceObject(
      object, callsDirectly: !arrangement.yields,
      keepsOrder: lane.map { !arrangement.lanes[$0].isOvertaking } ?? false)
  }

  /// The scheduler that a service lives on.
  public func scheduler(of service: String) -> any Scheduler {
    lanes[service].map { threads[$0] } ?? main
  }

  /// The services that the arrangement places and the app has not created so far: their names may be misspelled.
  public var missingServices: [String] {
    let made = made.withLock { $0 }
    return arrangement.lanes.flatMap(\.services).filter { !made.contains($0) }
  }

  /// Stops accepting events on all lanes, and returns when their threads have ended. The main thread's scheduler goes on.
  public func shutdown(_ mode: ShutdownMode = .drain) async {
    for thread in threads { await thread.shutdown(mode) }
  }
}

/// A handle for the object of a service, wherever that lives. Create it by ``ServiceHomes``.
///
/// A caller on the service's own thread reaches it directly, any other one by an event, as in `framebudget`'s arrangements. So
/// do not rely on either: when `schedule` returns, the closure may or may not have run.
public struct ServiceObject<Object>: Sendable {
  /// The handle of the object; its events always queue.
  public let object: SchedulableObject<Object>
  private let callsDirectly: Bool
  private let keepsOrder: Bool

  init(_ object: SchedulableObject<Object>, callsDirectly: Bool, keepsOrder: Bool) {
    self.object = object
    (self.callsDirectly, self.keepsOrder) = (callsDirectly, keepsOrder)
  }

  /// Runs a closure with the object: at once if the caller is on its thread, else as an event.
  ///
  /// - Parameters:
  ///   - priority: the priority of the event; it counts where the arrangement says `overtaking`, and on the main thread.
  ///   - body: the closure to run.
  public func schedule(
    priority: EventPriority = .normal, _ body: consuming sending @escaping (Object) -> Void
  ) {
    if callsDirectly, object.isHere {
      object.direct(body)
    } else {
      object.schedule(priority: keepsOrder ? .normal : priority, body)
    }
  }

  /// The same, and waits for the result.
  ///
  /// - Parameters:
  ///   - priority: as for `schedule`; nil for the one that corresponds to the task's.
  ///   - body: the closure to run.
  /// - Returns: the result of `body`.
  /// - Throws: the error of `body`, a ``Refusal``, or `CancellationError`.
  public func call<Result: Sendable>(
    priority: EventPriority? = nil, _ body: sending @escaping (Object) throws -> Result
  ) async throws -> Result {
    if callsDirectly, object.isHere { return try object.direct(body) }
    return try await object.call(priority: keepsOrder ? .normal : priority, body)
  }
}
