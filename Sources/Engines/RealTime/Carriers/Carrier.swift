internal import CFrameBudgetLinux
internal import SchedulableThreads
internal import Dispatch
public import FrameBudget
internal import Glibc

/// A mechanism that delivers events to a lane.
///
/// Each event runs exactly once, on a thread of the lane, in the order its description promises. `stop` runs everything that
/// was posted before it, then joins.
public protocol Carrier: Sendable {
  init(_ lane: Lane) throws(CarrierError)
  /// Posts an event, from any thread. One with a priority overtakes others if the lane allows it.
  func post(_ event: sending @escaping () -> Void, hasPriority: Bool)
  /// The same for an event of the workload `source`, for carriers that order events per workload.
  func post(_ event: sending @escaping () -> Void, hasPriority: Bool, source: WorkloadIndex)
  /// Posts events, each of which starts after the one before has ended.
  func post(chain: [@Sendable () -> Void])
  /// Posts an event of `bench`, with the single closure that a user of the mechanism would write, if `post` adds to that.
  func send(_ number: Int, to tally: EventTally)
  /// Changes the nice value of the lane's thread, if the carrier's description says that this is possible.
  func setNice(_ nice: Int) throws(CarrierError)
  /// The number of wake-ups of the lane's thread, if the mechanism counts them.
  var wakeUps: Int? { get }
  /// Does the work of an app's start, such as restoring stored jobs. On the main thread, in the first measured frame.
  func launch()
  /// The events that will never run, as a sentence; nil if none is lost.
  var loss: String? { get }
  /// Ends the lane. Called from another thread; nothing is posted afterwards.
  func stop()
}

extension Carrier {
  public func post(_ event: sending @escaping () -> Void, hasPriority: Bool, source: WorkloadIndex)
  {
    post(event, hasPriority: hasPriority)
  }

  /// The default for serial carriers.
  public func post(chain: [@Sendable () -> Void]) {
    for event in chain { post(event, hasPriority: false) }
  }

  public func send(_ number: Int, to tally: EventTally) {
    post({ tally.ran(number) }, hasPriority: false)
  }

  public func setNice(_ nice: Int) throws(CarrierError) {
    throw CarrierError("a thread of this carrier keeps its nice value")
  }

  public var wakeUps: Int? { nil }

  public func launch() {}

  public var loss: String? { nil }
}

extension CarrierKind {
  /// The carrier of this mechanism; nil for the frame loop, and for a carrier of another module.
  var carrier: (any Carrier.Type)? {
    switch self {
    case .main, .nio: nil
    case .thread: ThreadCarrier.self
    case .scheduler: SchedulerCarrier.self
    case .naive: NaiveCarrier.self
    case .dispatch: DispatchCarrier.self
    case .operationQueue: OperationQueueCarrier.self
    case .actor: ActorCarrier.self
    case .actorOnScheduler: ActorOnSchedulerCarrier.self
    case .runLoop: RunLoopCarrier.self
    case .ordered: OrderedCarrier.self
    case .bridge: BridgeCarrier.self
    case .process: ProcessCarrier.self
    case .jobQueue: JobQueueCarrier.self
    }
  }
}

/// The carriers of a real engine: those of this module, and those added by other modules.
public struct CarrierSupply: Sendable {
  private var added: [CarrierKind: any Carrier.Type] = [:]

  /// The carriers of this module that need no other package.
  public init() {}

  /// The carriers of this build; SwiftNIO's only with the trait `NIO`.
  public static var ofThisBuild: CarrierSupply {
    #if NIO
      CarrierSupply().adding(.nio, NIOCarrier.self)
    #else
      CarrierSupply()
    #endif
  }

  /// Adds a carrier of another module.
  public func adding(_ kind: CarrierKind, _ carrier: any Carrier.Type) -> CarrierSupply {
    var all = self
    all.added[kind] = carrier
    return all
  }

  /// The available kinds, in the order of the catalogue.
  public var kinds: [CarrierKind] { CarrierKind.allCases.filter { carrier(of: $0) != nil } }

  /// The first missing carrier of `arrangement`; nil if it can run.
  public func lack(for arrangement: Arrangement) -> CarrierError? {
    arrangement.lanes.dropFirst().lazy.compactMap { lack(of: $0.carrier) }.first
  }

  /// The error for `kind`; nil if it is available.
  public func lack(of kind: CarrierKind) -> CarrierError? {
    carrier(of: kind) == nil ? .no(kind) : nil
  }

  func start(_ lane: Lane) throws(CarrierError) -> any Carrier {
    precondition(lane.carrier != .main, "the frame loop is the main lane's carrier")
    guard let carrier = carrier(of: lane.carrier) else { throw .no(lane.carrier) }
    return try carrier.init(lane)
  }

  private func carrier(of kind: CarrierKind) -> (any Carrier.Type)? { added[kind] ?? kind.carrier }
}

extension CarrierError {
  /// A carrier that is missing in this build; only SwiftNIO's can be.
  fileprivate static func no(_ kind: CarrierKind) -> CarrierError {
    CarrierError(
      "this build has no carrier '\(kind.rawValue)'; to build one that has it: "
        + "make install TRAITS=NIO, or swift build --traits NIO")
  }
}

/// A closure that moves to another thread.
///
/// `@unchecked`: the closure was sent here, so no other code has it; the thread that takes it runs it once.
package struct PostedEvent: @unchecked Sendable {
  private let body: () -> Void

  package init(_ body: sending @escaping () -> Void) { self.body = body }

  package func run() { body() }
}

/// Lets one thread wait until another reaches a point.
package struct OneShotSignal: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  package init() {}

  package func set() { semaphore.signal() }
  package func wait() { semaphore.wait() }
}

/// Passes events to a lane until it stops, and counts later ones, for mechanisms that drop them silently.
///
/// Holds a lock while an event is handed over, so that none arrives between the end mark and the closing.
package final class PostGate: Sendable {
  private let state = Locked((isOpen: true, late: 0))

  package init() {}

  package func enter(_ post: () -> Void) {
    state.withLock { state in
      if state.isOpen { post() } else { state.late += 1 }
    }
  }

  /// Passes the last event.
  package func close(_ post: () -> Void) {
    state.withLock { state in
      if state.isOpen { post() }
      state.isOpen = false
    }
  }

  /// The number of late events.
  package var late: Int { state.withLock { $0.late } }
}

extension Lane {
  /// A sentence about late events; nil if there are none.
  package static func loss(ofLate events: Int, on lane: String) -> String? {
    events > 0 ? "lane '\(lane)': \(events) events that were sent while it stopped are lost" : nil
  }
}

/// Sets a lane's nice value from its own thread, if the mechanism starts the thread.
package final class NiceRequest: Sendable {
  private let lane: Lane
  private let error = Locked<Int32>(0)
  private let applied = OneShotSignal()

  package init(_ lane: Lane) { self.lane = lane }

  /// On the lane's thread.
  package func apply() {
    let which = __priority_which_t(PRIO_PROCESS.rawValue)
    let outcome = setpriority(which, id_t(bitPattern: clinux_thread_id()), Int32(lane.nice))
    if outcome != 0 { error.withLock { $0 = errno } }
    applied.set()
  }

  /// Waits until it is applied; throws if the system refuses.
  package func wait() throws(CarrierError) {
    applied.wait()
    let error = error.withLock { $0 }
    if error != 0 {
      throw CarrierError("lane '\(lane.name)' cannot have nice \(lane.nice): error \(error)")
    }
  }
}
