internal import Concurrency
internal import FrameBudget

// Items that leave steps to other lanes and go on meanwhile: `ItemParts` knows how far their parts have come.
extension LiveApp {
  /// Posts what `item` does not await from its next step on; returns it with the step behind that.
  func forkOff(
    _ item: LiveItem, on lane: LaneIndex, _ trace: inout ThreadTrace
  ) -> LiveItem {
    var item = item
    while let step = item.nextStep(in: plan), step.isFork, step.lane != lane, !item.isFork,
      !hasToWait(item)
    {
      parts.withLock { $0.forks(item.workload, item.number) }
      post(item.part, to: step.lane, &trace)
      item.step += 1
    }
    return item
  }

  /// Whether the next step of `item` is one that waits for what the item has left to others.
  func hasToWait(_ item: LiveItem) -> Bool {
    guard !item.isFork, let step = item.nextStep(in: plan), step.joins else { return false }
    return parts.withLock { $0.hasOpen(item.workload, item.number) }
  }

  /// What `item` does next that its thread holds no locks for any more: it is returned with the step that it goes on with,
  /// or behind the last one if it is done. Nil if others have what is left of it.
  func onward(
    _ item: LiveItem, from lane: LaneIndex, _ trace: inout ThreadTrace
  ) -> LiveItem? {
    let item = forkOff(item, on: lane, &trace)
    guard let step = item.nextStep(in: plan) else { return ended(item) == .isDone ? item : nil }
    guard step.joins else { return item }
    let waits = parts.withLock { $0.waits(item.workload, item.number, at: item.step) }
    return waits ? nil : item
  }

  /// What follows from the end of `item`, or of the part of it.
  func ended(_ item: LiveItem) -> ItemParts.End {
    guard hasParts(item) else { return .isDone }
    return parts.withLock {
      item.isFork
        ? $0.forkEnds(item.workload, item.number) : $0.chainEnds(item.workload, item.number)
    }
  }

  /// Whether no other lane is at the item that one begins with.
  func isFirst(at item: LiveItem) -> Bool {
    !hasParts(item) || parts.withLock { $0.begins(item.workload, item.number) }
  }

  /// Whether no lane is at the item any more that one lets go of.
  func isLast(at item: LiveItem) -> Bool {
    !hasParts(item) || parts.withLock { $0.letsGo(item.workload, item.number) }
  }

  /// Somebody held `item`, or a part of it, when the run stopped: whether that was the last part to be accounted for.
  func isLastPending(_ item: LiveItem) -> Bool {
    !hasParts(item)
      || parts.withLock { $0.givesUp(item.workload, item.number, isFork: item.isFork) }
  }

  private func hasParts(_ item: LiveItem) -> Bool { plan.workloads[item.workload].hasForks }
}
