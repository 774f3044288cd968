/// What an event does when its turn comes. Not copyable, so that it runs or is refused exactly once.
enum EventPayload: ~Copyable {
  /// The plain event.
  case run(() -> Void)
  /// An event for a scheduler's object.
  case send(SentEvent)
  /// A turn of the end of a scheduler's object, which must come even while the scheduler shuts down.
  case bury(Burial)
  /// A step of a task whose actor lives on the scheduler; dropping it would hang that task for ever.
  case job(UnownedJob)
  /// An event that may be withdrawn, or comes later, or must be answered.
  case ticket(ScheduledEvent)
  /// An event with a key, of which the newest is looked up when its turn comes.
  case keyed(KeyedTurn)
  /// Work of the scheduler's own: nobody counts it, and nobody misses it if it is refused.
  case chore(ScheduledEvent)
  /// Nothing by itself: it brings the consumer to free the delayed events that have been withdrawn.
  case sweep
}
