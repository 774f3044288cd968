extension StageModel {
  func afterSender(_ index: Int) -> StageModel {
    var next = self
    switch senders[index].step {
    case .queue:
      next.queue(index)
    case .queueLate(let needsRunner):
      next.waiting.append(senders[index].toSend[0])
      next.queued(index, needsRunner: needsRunner)
    case .schedule:
      next.scheduled += 1
      next.sent(index)
    }
    return next
  }

  private mutating func queue(_ index: Int) {
    let element = senders[index].toSend[0]
    if isDisposed, fault != .queuesAfterDisposal {
      dropped += 1
      return sent(index)
    }
    let needsRunner =
      switch fault {
      case .schedulesAlways: true
      case .looksAtTheQueue: waiting.isEmpty
      default: !hasRunner
      }
    if needsRunner { hasRunner = true }
    if fault == .looksEarlier {
      senders[index].step = .queueLate(needsRunner: needsRunner)
    } else {
      waiting.append(element)
      queued(index, needsRunner: needsRunner)
    }
  }

  private mutating func queued(_ index: Int, needsRunner: Bool) {
    if needsRunner { senders[index].step = .schedule } else { sent(index) }
  }

  private mutating func sent(_ index: Int) {
    senders[index].toSend.removeFirst()
    senders[index].step = .queue
  }

  /// A thread of the scheduler begins an action.
  func afterStart() -> StageModel {
    var next = self
    next.scheduled -= 1
    next.runners.append(Runner())
    return next
  }

  func afterRunner(_ index: Int) -> StageModel {
    var next = self
    switch runners[index].step {
    case .take: next.take(index)
    case .begin(let element):
      next.inDelivery.append(element)
      if isDisposed { next.late += 1 }
      next.runners[index].step = .end(element)
    case .end(let element):
      next.inDelivery.removeAll { $0 == element }
      next.delivered.append(element)
      next.runners[index].step = runners[index].left == 0 ? .look : .take
    case .look: next.look(index)
    case .mark(let goesOn):
      next.hasRunner = goesOn
      next.runners.remove(at: index)
    case .reschedule:
      next.scheduled += 1
      next.runners.remove(at: index)
    }
    return next
  }

  /// In the stage the size of a batch is read in a hold of the lock of its own; here within the first take, which only
  /// makes batches smaller where a sender comes in between.
  private mutating func take(_ index: Int) {
    let left = runners[index].left ?? (drain == .item ? 1 : waiting.count)
    guard left > 0, !waiting.isEmpty else {
      runners[index].step = .look
      return
    }
    let element = fault == .takesTheNewest ? waiting.removeLast() : waiting.removeFirst()
    if fault == .endsBeforeDelivery, waiting.isEmpty { hasRunner = false }
    runners[index].left = left - 1
    runners[index].step = .begin(element)
  }

  private mutating func look(_ index: Int) {
    let goesOn = !waiting.isEmpty
    if goesOn, fault != .forgetsToReschedule {
      runners[index].step = .reschedule
    } else if fault == .endsLater {
      runners[index].step = .mark(goesOn: goesOn)
    } else {
      hasRunner = false
      runners.remove(at: index)
    }
  }

  func afterDisposal() -> StageModel {
    var next = self
    next.hasDisposed = true
    next.isDisposed = true
    if fault == .keepsWhatWaits { return next }
    next.dropped += waiting.count
    next.waiting = []
    return next
  }
}
