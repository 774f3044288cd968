internal import FrameBudget

extension Arrangement {
  /// How many threads and processes its lanes may need at once beside the main thread.
  func mostThreads(cores: Int) -> Int {
    let lanes = lanes.dropFirst()
    let pools = Set(lanes.filter(\.usesPool).map(\.nice)).count
    let own = lanes.reduce(0) { $0 + $1.ownThreads }
    let isDispatched = pools > 0 || lanes.contains(where: \.isSerialQueue)
    // Dispatch has a pool of as many threads as cores for each class of service, and a thread of its own.
    return own + pools * cores + (isDispatched ? 1 : 0)
  }
}

extension Lane {
  /// Threads and processes that are nobody else's. A serial queue gets one whatever the pool has.
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

  /// Whether its events run on Dispatch's pool, as those of tasks do; an event loop ends there.
  fileprivate var usesPool: Bool {
    switch carrier {
    case .actor, .actorOnScheduler, .ordered, .nio: true
    case .dispatch, .operationQueue: width > 1
    case .main, .thread, .scheduler, .naive, .runLoop, .bridge, .process, .jobQueue: false
    }
  }
}
