import TestSupport

@testable import SchedulableObjects

/// Every kind of queue with the same guarantees.
enum QueueVariant: CaseIterable {
  case stack, swap, bounded

  var options: SchedulerOptions {
    SchedulerOptions().with { options in
      switch self {
      case .stack: options.queue = .stack
      case .swap: options.queue = .swap
      case .bounded: options.capacity = .bounded(2_000_000, whenFull: .dropNewest)
      }
    }
  }
}

extension ThreadScheduler {
  /// Keeps the thread busy until the gate is opened, so that what is sent meanwhile waits.
  func holdAtGate() -> Gate {
    let (running, gate) = (Gate(), Gate())
    schedule(priority: .user) {
      running.open()
      gate.wait()
    }
    running.wait()
    return gate
  }

  /// Waits until everything of the lowest priority that was sent so far has run.
  func waitUntilIdle() {
    let done = Gate()
    schedule(priority: .background) { done.open() }
    done.wait()
  }
}
