/// Items that wait at the end of a step and occupy no thread.
extension ScreenOracle {
  /// The poster of events that no thread posts.
  static var timer: Int { -2 }

  /// Suspends `item` at the end of `step`, if that says so; a step that nobody awaits is a part, while the item goes on.
  /// Returns whether it did.
  mutating func suspend(_ item: Int, _ step: Int, isFork: Bool, on thread: Int) -> Bool {
    let drawn = workload(of: item).steps[step]
    guard let wait = drawn.suspension, fault != .suspensionHoldsThread else { return false }
    if fault == .suspensionNotWaitedFor { return false }
    let isPart = isFork || (drawn.isFork && fault != .suspendedForkAwaited)
    noteBegin(by: thread)
    begin(Suspended(item: item, step: step, isFork: isPart), wait)
    if !isFork && isPart {
      items[item].openForks += 1
      proceed(item, from: step + 1, on: thread)
    } else {
      release(thread)
    }
    return true
  }

  /// The order of waits that two threads begin at one instant is open.
  private mutating func noteBegin(by thread: Int) {
    if suspender.time == now && suspender.thread != thread { outcome.isAmbiguous = true }
    suspender = (thread, now)
  }

  private mutating func begin(_ waiting: Suspended, _ wait: ScreenCase.Suspension) {
    var waiting = waiting
    if let resource = wait.resource, fault != .resourceUnlimited,
      suspended.count(where: { self.wait(of: $0).resource == resource })
        >= drawn.resources[resource]
    {
      return waitingForPlace[resource].append(waiting)
    }
    waiting.until = now + wait.span
    suspended.append(waiting)
  }

  private func wait(of waiting: Suspended) -> ScreenCase.Suspension {
    let step = workload(of: waiting.item).steps[waiting.step]
    return step.suspension ?? ScreenCase.Suspension(span: 0)
  }

  /// Ends the first wait that is over now: its item goes on with an event on the lane of its step. Returns whether there is one.
  mutating func endSuspension() -> Bool {
    guard let place = suspended.firstIndex(where: { $0.until == now }) else { return false }
    let ended = suspended.remove(at: place)
    if let resource = wait(of: ended).resource, !waitingForPlace[resource].isEmpty {
      let isLast = fault == .resourceLastInFirstOut
      let next = isLast ? waitingForPlace[resource].count - 1 : 0
      let waiting = waitingForPlace[resource].remove(at: next)
      noteBegin(by: Self.timer)
      begin(waiting, wait(of: waiting))
    }
    let steps = workload(of: ended.item).steps
    var lane = steps[ended.step].lane
    if fault == .suspensionEndsElsewhere, ended.step + 1 < steps.count {
      lane = steps[ended.step + 1].lane
    }
    post(
      .resumed(item: ended.item, step: ended.step, isFork: ended.isFork), to: lane,
      from: Self.timer)
    return true
  }
}
