internal import FrameBudget

// The letter and the ink of what a frame spends its time on; the same wherever it is shown.

extension Cause {
  var letter: Unicode.Scalar {
    switch self {
    case .wakeup: "W"
    case .lock: "K"
    case .logic: "L"
    case .drain: "D"
    case .post: "P"
    case .reads: "U"
    case .render: "R"
    case .preempted: "O"
    case .machine: "M"
    case .compositor: "C"
    case .stuffed: "S"
    }
  }

  var smallLetter: Unicode.Scalar { Unicode.Scalar(UInt8(letter.value) + 0x20) }

  var ink: Ink {
    switch self {
    case .wakeup: .wakeup
    case .lock: .lock
    case .logic: .logic
    case .drain: .drain
    case .post: .post
    case .reads: .reads
    case .render: .render
    case .preempted: .preempted
    case .machine: .machine
    case .compositor: .compositor
    case .stuffed: .stuffed
    }
  }
}

extension Phase {
  /// The cause that this phase would be.
  var cause: Cause {
    switch self {
    case .post: .post
    case .logic: .logic
    case .drain, .release: .drain
    case .reads: .reads
    case .render: .render
    case .lockWait: .lock
    case .wakeup: .wakeup
    case .preempted: .preempted
    case .machine: .machine
    case .compositor: .compositor
    }
  }
}
