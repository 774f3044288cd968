internal import FrameBudget

/// What a thread spends time on, as the page tells it apart: by a colour, a pattern and a word.
enum Activity: Int, CaseIterable, Sendable {
  case logic, drawing, reading, moving, waiting, holding

  /// Its class in the style sheet.
  var mark: String { "k-\(self)" }

  var words: String {
    switch self {
    case .logic: "business logic"
    case .drawing: "drawing"
    case .reading: "reading state"
    case .moving: "handing over work and results"
    case .waiting: "waiting"
    case .holding: "lock held"
    }
  }
}

extension TracedRun.Kind {
  var activity: Activity {
    switch self {
    case .logic: .logic
    case .render: .drawing
    case .reads: .reading
    case .post, .drain, .release: .moving
    case .wakeup, .preempted, .lockWait: .waiting
    case .lockHold: .holding
    }
  }

  var words: String {
    switch self {
    case .wakeup: "late wake-up"
    case .logic: "business logic"
    case .drain: "results"
    case .lockWait: "waiting for a lock"
    case .lockHold: "lock held"
    case .release: "releasing snapshots"
    case .preempted: "ready, but without a core"
    case .post: "handing over"
    case .reads: "reading state"
    case .render: "drawing"
    }
  }
}

extension Phase {
  /// As a trace has it; nil for what lies before the frame or within its other phases.
  var kind: TracedRun.Kind? {
    switch self {
    case .post: .post
    case .logic: .logic
    case .drain: .drain
    case .release: .release
    case .reads: .reads
    case .render: .render
    case .lockWait: .lockWait
    case .wakeup, .preempted, .machine, .compositor: nil
    }
  }
}
