/// Workloads of which only the newest item matters.
extension ScreenOracle {
  private func rule(of item: Int) -> ScreenCase.Newest? { workload(of: item).newest }

  /// The main thread of an event loop looks: what has arrived is received, and does not stay in its queue if it has to wait.
  mutating func receive() {
    guard !unreceived.isEmpty || drawn.workloads.indices.contains(where: isDue) else { return }
    let fresh = unreceived
    unreceived = []
    var kept: [(task: Task, postedAt: Int64)] = []
    for entry in threads[0].queue {
      guard case .chain(let item, 0) = entry.task, fresh.contains(item) else {
        kept.append(entry)
        continue
      }
      if receives(item, since: entry.postedAt) { kept.append(entry) }
    }
    threads[0].queue = kept
    for item in startWaiting() {
      if handedToMainAt == now { outcome.isAmbiguous = true }
      threads[0].poster = (-2, now)
      threads[0].queue.append((.chain(item: item, step: 0), now))
    }
  }

  private func isDue(_ workload: Int) -> Bool {
    startOfWaiting(workload).map { $0 <= now } ?? false
  }

  /// Receives an item; returns whether it starts.
  mutating func receives(_ item: Int, since: Int64) -> Bool {
    let place = outcome.items[item].workload
    if newest[place].askedAt == now { outcome.isAmbiguous = true }
    newest[place].item = item
    newest[place].receivedAt = now
    let waiting = newest[place].waiting
    switch rule(of: item) {
    case nil, .latest: return true
    case .debounce:
      replace(waiting?.item)
      let age = fault == .debounceFromTurn ? since : outcome.items[item].arrival
      newest[place].waiting = (item, fault == .debounceFromFirst ? waiting?.since ?? age : age)
      return false
    case .throttle(let span):
      let mayStart = newest[place].startedAt.map { now - $0 >= span } ?? true
      if waiting == nil, mayStart, fault != .throttleWithoutLeading {
        newest[place].startedAt = now
        return true
      }
      if fault == .throttleWithoutTrailing {
        replace(item)
      } else if let waiting, fault == .throttleOfOldest {
        newest[place].waiting = waiting
        replace(item)
      } else {
        replace(waiting?.item)
        newest[place].waiting = (item, since)
      }
      return false
    }
  }

  private mutating func replace(_ item: Int?) {
    if let item { outcome.items[item].isReplaced = true }
  }

  /// When the waiting item of a workload may start.
  func startOfWaiting(_ place: Int) -> Int64? {
    guard let waiting = newest[place].waiting else { return nil }
    switch drawn.workloads[place].newest {
    case .debounce(let span): return waiting.since + span
    case .throttle(let span): return newest[place].startedAt.map { $0 + span } ?? waiting.since
    case nil, .latest: return nil
    }
  }

  /// The items whose wait is over.
  mutating func startWaiting() -> [Int] {
    drawn.workloads.indices.filter(isDue).compactMap { place in
      defer { newest[place].waiting = nil }
      newest[place].startedAt = now
      return newest[place].waiting?.item
    }
  }

  // MARK: Items that a newer one ends

  /// Whether `item`, whose next step would begin, has been replaced.
  mutating func isReplaced(_ item: Int, on thread: Int) -> Bool {
    guard rule(of: item) == .latest else { return false }
    let place = outcome.items[item].workload
    if thread > 0 {
      newest[place].askedAt = now
      if newest[place].receivedAt == now { outcome.isAmbiguous = true }
    }
    let hasBegun = !items[item].runs.isEmpty
    if fault == (hasBegun ? .latestRunsOn : .latestWaitsOn) { return false }
    if fault == .latestBeforeReceipt {
      return (item + 1..<nextItem).contains { outcome.items[$0].workload == place }
    }
    return newest[place].item > item
  }

  /// Ends the chain or a fork of `item` before its next step.
  mutating func cut(_ item: Int, on thread: Int, isFork: Bool) {
    items[item].isCut = true
    if isFork { return endFork(of: item, on: thread) }
    items[item].isChainOver = true
    finishIfOver(item, on: thread)
  }

  /// Ends an item that has been replaced before it has started.
  mutating func dropIfReplaced(_ item: Int) -> Bool {
    guard isReplaced(item, on: 0) else { return false }
    outcome.items[item].isReplaced = true
    return true
  }

  /// Whether `item` has a step, or a run of one, that has not begun.
  private func hasStepLeft(_ item: Int) -> Bool {
    workload(of: item).steps.indices.contains { items[item].runs[$0] != [] }
  }

  /// The items at the end: those that were not done and would be ended are replaced, and have the answer of their successor.
  mutating func judgeItems() {
    var newer: [Int: Int] = [:]
    for item in items.indices.reversed() {
      let place = outcome.items[item].workload
      outcome.items[item].shown = items[item].frame.flatMap { outcome.frames[$0].shown }
      let arrives = outcome.items[item].arrival < drawn.duration
      if rule(of: item) == .latest, newer[place] != nil, outcome.items[item].done == nil,
        items[item].isCut || hasStepLeft(item) || fault == .lastStepReplaced
      {
        outcome.items[item].isReplaced = true
      }
      if outcome.items[item].isReplaced, items[item].frame == nil, fault != .replacedUnanswered,
        let newer = newer[place]
      {
        outcome.items[item].shown = outcome.items[newer].shown
        items[item].frame = items[newer].frame
      }
      if arrives { newer[place] = item }
    }
  }
}
