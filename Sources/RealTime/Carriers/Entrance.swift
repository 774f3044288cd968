internal import Concurrency
package import FrameBudget

/// Lets events in to a lane until it stops, and counts those that come later.
///
/// For mechanisms that drop them without a word. Nothing slips in between the end mark and the closing, because a lock
/// is held for as long as an event is handed over.
package final class Entrance: Sendable {
  private let state = Locked((isOpen: true, late: 0))

  package init() {}

  package func enter(_ post: () -> Void) {
    state.withLock { state in
      if state.isOpen { post() } else { state.late += 1 }
    }
  }

  /// Hands over the last one.
  package func close(_ post: () -> Void) {
    state.withLock { state in
      if state.isOpen { post() }
      state.isOpen = false
    }
  }

  /// How many came too late.
  package var late: Int { state.withLock { $0.late } }
}

extension Lane {
  /// So many events that came too late to run, as a sentence; nil if there are none.
  package static func loss(ofLate events: Int, on lane: String) -> String? {
    events > 0 ? "lane '\(lane)': \(events) events that were sent while it stopped are lost" : nil
  }
}
