internal import CFrameBudgetLinux
public import FrameBudget

/// Checks that the system allows enough threads.
///
/// Checked beforehand, because some mechanisms cannot report a missing thread: a dispatch queue, and Swift's tasks on it, block
/// the poster until there is one; NIO ends the process.
public enum ThreadSupply {
  /// Throws unless `count` more threads can exist at once. Creates them to find out, because limits of users, containers and
  /// memory all matter.
  public static func require(_ count: Int) throws(ThreadShortage) {
    guard count > 0 else { return }
    let possible = Int(clinux_possible_threads(Int32(clamping: count)))
    if possible < count { throw ThreadShortage(needed: count, possible: possible) }
  }

  /// How long a thread of Dispatch's pools stays after its last work (`_dispatch_worker_thread` of libdispatch).
  public static let poolIdle = TimeSpan.seconds(5)

  /// The number of threads of Dispatch's pools in this process.
  static var poolThreads: Int { Int(clinux_dispatch_workers()) }

  /// Waits until no thread of Dispatch's pools is left, at most a second longer than they stay idle, or until the first
  /// interruption.
  static func awaitEmptyPools() {
    let clock = RunClock()
    let end = clock.now + poolIdle + .seconds(1)
    while poolThreads > 0, clock.now < end, Interruption.signal == nil {
      clock.sleep(for: .milliseconds(20))
    }
  }
}

/// The system allows fewer threads than needed.
public struct ThreadShortage: Error, Hashable, Sendable, CustomStringConvertible {
  public let needed: Int
  public let possible: Int

  public var description: String {
    "\(needed) more threads are needed at once, but only \(possible) can be created; raise the limit of tasks "
      + "(ulimit -u, pids.max of the container)"
  }
}

extension Arrangement {
  /// Whether a lane runs on Dispatch's pools.
  public var usesPools: Bool { lanes.contains(where: \.usesPool) }

  /// The most threads and processes that its lanes need at once besides the main thread.
  func maxThreads(cores: Int) -> Int {
    let lanes = lanes.dropFirst()
    let pools = Set(lanes.filter(\.usesPool).map(\.nice)).count
    let own = lanes.reduce(0) { $0 + $1.ownThreads }
    let isDispatched = pools > 0 || lanes.contains(where: \.isSerialQueue)
    // Dispatch has a pool with a thread per core for each quality of service, and one manager thread.
    return own + pools * cores + (isDispatched ? 1 : 0)
  }
}

extension Lane {
  /// Threads and processes of this lane alone. A serial queue always gets one.
  fileprivate var ownThreads: Int {
    switch carrier {
    case .main, .actor, .ordered: 0
    case .thread, .scheduler, .naive, .actorOnScheduler, .runLoop, .nio, .bridge: 1
    case .process: 2
    case .jobQueue: width
    case .dispatch, .operationQueue: width == 1 ? 1 : 0
    }
  }

  fileprivate var isSerialQueue: Bool {
    [.dispatch, .operationQueue].contains(carrier) && width == 1
  }

  /// Whether it uses Dispatch's pool, like tasks; an event loop uses it to shut down.
  fileprivate var usesPool: Bool {
    switch carrier {
    case .actor, .actorOnScheduler, .ordered, .nio: true
    case .dispatch, .operationQueue: width > 1
    case .main, .thread, .scheduler, .naive, .runLoop, .bridge, .process, .jobQueue: false
    }
  }
}
