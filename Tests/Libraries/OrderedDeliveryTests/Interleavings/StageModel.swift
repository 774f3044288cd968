import TestSupport

/// `OrderedStage` on a concurrent scheduler, as a state machine that is small enough for a check of every interleaving.
///
/// Each step is one hold of the stage's locks, one element's delivery from its start to its end, or one call of the
/// scheduler; `successors` gives the states that any thread's next step leads to. The two locks of the queue make no difference:
/// a holder of the front's lock only takes elements that no sender can see, and a runner that ends holds both.
struct StageModel: StateModel {
  enum SenderStep: Hashable {
    case queue
    /// Faulty protocols check for a runner first, and queue while they hold the lock again.
    case queueLate(needsRunner: Bool)
    case schedule
  }

  struct Sender: Hashable {
    var step = SenderStep.queue
    var toSend: [UInt8]
  }

  enum RunnerStep: Hashable {
    case take
    case begin(UInt8)
    case end(UInt8)
    case look
    /// Faulty protocols look and mark in two steps.
    case mark(goesOn: Bool)
    case reschedule
  }

  let drain: Drain
  let fault: Fault?
  let total: Int
  var senders: [Sender]
  var hasDisposed: Bool
  /// The stage's state under its lock.
  var waiting: [UInt8] = []
  var hasRunner = false
  var isDisposed = false
  /// Actions that the scheduler has not begun, and those that run.
  var scheduled = 0
  var runners: [Runner] = []
  var inDelivery: [UInt8] = []
  var delivered: [UInt8] = []
  var dropped = 0
  /// Elements whose delivery began after the disposal.
  var late = 0

  enum Drain: CaseIterable { case item, batch }

  struct Runner: Hashable {
    var step = RunnerStep.take
    /// The rest of the batch; nil before its size is known.
    var left: Int?
  }

  /// Two senders; element `10 * sender + number`, so that the number shows the order.
  init(elementsPerSender: Int, drain: Drain, disposes: Bool, fault: Fault? = nil) {
    self.drain = drain
    self.fault = fault
    total = 2 * elementsPerSender
    senders = [1, 2].map { sender in
      Sender(toSend: (0..<elementsPerSender).map { UInt8(10 * sender + $0) })
    }
    hasDisposed = !disposes
  }

  var successors: [StageModel] {
    var next = senders.indices.filter { !senders[$0].toSend.isEmpty }.map { afterSender($0) }
    if scheduled > 0 { next.append(afterStart()) }
    next += runners.indices.map { afterRunner($0) }
    if !hasDisposed { next.append(afterDisposal()) }
    return next
  }

  func violation(isFinal: Bool) -> String? {
    if inDelivery.count > 1 { return "delivered at once: \(inDelivery)" }
    if late > 1 { return "\(late) elements begun after the disposal" }
    for sender in [UInt8(1), 2] {
      let mine = delivered.filter { $0 / 10 == sender }
      if mine != mine.sorted() { return "reordered: \(delivered)" }
    }
    guard isFinal else { return nil }
    if !waiting.isEmpty { return "no thread delivers \(waiting)" }
    if hasRunner { return "a runner is expected and there is none" }
    return delivered.count + dropped == total
      ? nil : "\(total - delivered.count - dropped) elements lost"
  }
}

extension StageModel {
  /// A mistake built into the protocol on purpose; the checker must find each of them.
  enum Fault: CaseIterable {
    /// A sender checks for a runner, and queues while it holds the lock again.
    case looksEarlier
    /// A sender checks whether elements wait, instead of whether there is a runner.
    case looksAtTheQueue
    /// A sender schedules a runner for every element.
    case schedulesAlways
    /// A runner that finds nothing waiting records this in a later hold of the lock.
    case endsLater
    /// A runner gives up its place before it delivers.
    case endsBeforeDelivery
    /// A runner delivers one element and leaves the rest.
    case forgetsToReschedule
    /// The newest element is taken first.
    case takesTheNewest
    /// Disposal does not drop waiting elements.
    case keepsWhatWaits
    /// A disposed stage still queues.
    case queuesAfterDisposal
  }
}
