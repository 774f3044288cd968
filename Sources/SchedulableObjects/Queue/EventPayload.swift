/// What an event does when its turn comes.
enum EventPayload {
  /// The plain event.
  case run(() -> Void)
  /// A closure that must run even while its scheduler shuts down: the end of a scheduler's object.
  case bury(() -> Void)
  /// A step of a task whose actor lives on the scheduler; dropping it would hang that task for ever.
  case job(UnownedJob)
  /// An event that may be withdrawn, or comes later, or must be answered.
  case ticket(ScheduledEvent)

  /// Whether a shutdown or a full queue may refuse it.
  var isRefusable: Bool {
    switch self {
    case .run, .ticket: true
    case .bury, .job: false
    }
  }

  /// A bit beside those of the priorities, set if the event may not be due yet.
  var delayBit: UInt8 {
    if case .ticket(let ticket) = self, ticket.due != nil { 0b1000 } else { 0 }
  }
}
