/// The content of an event. Not copyable, so that it runs or is refused exactly once.
enum EventPayload: ~Copyable {
  /// A plain closure.
  case run(() -> Void)
  /// An event for a scheduler's object.
  case send(SentEvent)
  /// A turn of the release of a scheduler's object, which must run even while the scheduler shuts down.
  case bury(Burial)
  /// A job of a task whose actor lives on the scheduler; dropping it would hang that task for ever.
  case job(UnownedJob)
  /// An event that can be withdrawn, is delayed, or must be answered.
  case ticket(ScheduledEvent)
  /// A turn of a key; the newest event of the key is looked up when the turn comes.
  case keyed(KeyedTurn)
  /// The scheduler's own work: not counted, and not reported if it is refused.
  case chore(ScheduledEvent)
  /// Makes the consumer free the withdrawn delayed events.
  case sweep
}
