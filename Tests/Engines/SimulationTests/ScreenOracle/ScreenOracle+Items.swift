/// Items: their steps, on the main thread and on lanes.
extension ScreenOracle {
  func workload(of item: Int) -> ScreenCase.Workload {
    drawn.workloads[outcome.items[item].workload]
  }

  mutating func post(_ task: Task, to thread: Int, from poster: Int) {
    if threads[thread].poster.time == now && threads[thread].poster.thread != poster {
      outcome.isAmbiguous = true
    }
    threads[thread].poster = (poster, now)
    if thread == 0 && (poster > 0 || poster == Self.timer) { handedToMainAt = now }
    threads[thread].queue.append((task, now))
    if thread == 0 && leftInTurn > 0 && fault == .turnGrows { leftInTurn += 1 }
  }

  mutating func performNext(on thread: Int) {
    let next = threads[laneOf[thread]].queue.removeFirst()
    threads[thread].posted = next.postedAt
    perform(next.task, on: thread)
    threads[thread].posted = nil
  }

  /// Starts `task` on a thread that is free.
  mutating func perform(_ task: Task, on thread: Int) {
    if thread == 0 {
      taskBegan = now
      if fault == .tasksHoldAlone { turns += 1 }
      taskSteps = 0
    }
    switch task {
    case .chain(let item, let step): proceed(item, from: step, on: thread)
    case .fork(let item, let step): begin(item, step, on: thread, isFork: true)
    case .endOfFork(let item): endFork(of: item, on: thread)
    case .result(let item): beginResult(of: item)
    }
  }

  /// Continues `item` on `thread`, when its steps up to `step` are over or forked.
  mutating func proceed(_ item: Int, from step: Int, on thread: Int) {
    let steps = workload(of: item).steps
    for place in step..<max(step, steps.count) {
      let next = steps[place]
      if next.joins { noteJoin(of: item, at: place, on: thread) }
      if next.joins && items[item].openForks > 0 && fault != .joinDoesNotWait {
        items[item].waitingStep = place
        return release(thread)
      }
      if next.lane == laneOf[thread] {
        if thread == 0 && yields { return yield(.chain(item: item, step: place)) }
        return begin(item, place, on: thread, isFork: false)
      }
      guard next.isFork && fault != .forkAwaited else {
        post(.chain(item: item, step: place), to: next.lane, from: thread)
        return release(thread)
      }
      items[item].openForks += 1
      post(.fork(item: item, step: place), to: next.lane, from: thread)
    }
    items[item].isChainOver = true
    finishIfOver(item, on: thread)
  }

  private mutating func begin(_ item: Int, _ step: Int, on thread: Int, isFork: Bool) {
    if thread == 0 { taskSteps += 1 }
    let run = outcome.runs.count
    outcome.runs.append(
      .init(
        item: item, step: step, lane: laneOf[thread], posted: threads[thread].posted, begin: now))
    threads[thread].posted = nil
    let drawn = workload(of: item).steps[step]
    let held = fault == .suspensionHoldsThread ? drawn.suspension?.span ?? 0 : 0
    begin(
      .step(item: item, step: step, run: run, isFork: isFork), on: thread, for: drawn.cost + held)
  }

  mutating func begin(_ work: Work, on thread: Int, for span: Int64) {
    threads[thread].work = work
    threads[thread].began = now
    threads[thread].until = now + span
  }

  mutating func endWork(of thread: Int) {
    guard let work = threads[thread].work else { return }
    if thread == 0 {
      mainEndedAt = now
      noteHold(work)
    }
    threads[thread].work = nil
    switch work {
    case .step(let item, let step, let run, let isFork):
      outcome.runs[run].end = now
      noteEnd(of: item, on: thread)
      if suspend(item, step, isFork: isFork, on: thread) { return }
      if isFork { endFork(of: item, on: thread) } else { proceed(item, from: step + 1, on: thread) }
    case .result(let item): endResult(of: item)
    case .reads, .render: continueFrame()
    }
  }

  private mutating func noteEnd(of item: Int, on thread: Int) {
    let before = items[item].endedOn
    if before.time == now && before.thread != thread { outcome.isAmbiguous = true }
    items[item].endedOn = (thread, now)
    if drawn.publishes(laneOf[thread]) {
      handedToMainAt = now
      request()
    }
  }

  /// No rule states whether a fork that ends at this instant has ended for another thread that checks now.
  private mutating func noteJoin(of item: Int, at step: Int, on thread: Int) {
    let ended = items[item].forkEndedOn
    let asksFirst = items[item].joined != step
    if asksFirst && ended.time == now && ended.thread != thread { outcome.isAmbiguous = true }
    if items[item].openForks == 0 { items[item].joined = step }
  }

  mutating func endFork(of item: Int, on thread: Int) {
    items[item].forkEndedOn = (thread, now)
    items[item].openForks -= 1
    if items[item].openForks == 0, let step = items[item].waitingStep {
      items[item].waitingStep = nil
      proceed(item, from: step, on: thread)
    } else {
      finishIfOver(item, on: thread)
    }
  }

  private mutating func finishIfOver(_ item: Int, on thread: Int) {
    let isOver = items[item].openForks == 0 || fault == .doneWithForksOpen
    guard items[item].isChainOver, isOver, outcome.items[item].done == nil else {
      return release(thread)
    }
    outcome.items[item].done = now
    if thread == 0 {
      request()
      return beginResult(of: item)
    }
    handedToMainAt = now
    if drawn.loop != .frame && readings.results == .asEvents {
      post(.result(item: item), to: 0, from: thread)
    } else {
      if threads[0].poster.time == now && threads[0].poster.thread != thread {
        outcome.isAmbiguous = true
      }
      threads[0].poster = (thread, now)
      results.append(item)
      request()
    }
    release(thread)
  }

  mutating func beginResult(of item: Int) {
    begin(.result(item: item), on: 0, for: workload(of: item).result)
  }

  private mutating func endResult(of item: Int) {
    if let frame {
      items[item].frame = frame
    } else if fault == .contentTooEarly, !outcome.frames.isEmpty {
      items[item].frame = outcome.frames.count - 1
    } else {
      unshown.append(item)
    }
    if readings.results == .asEvents && items[item].endedOn.thread > 0 { request() }
    release(0)
  }

  /// After its task, a thread is free, or continues with the frame of which the task was a part.
  mutating func release(_ thread: Int) {
    if thread == 0 && frame != nil { continueFrame() }
  }
}

/// Yielding.
extension ScreenOracle {
  private var yields: Bool {
    guard drawn.loop != .frame, taskSteps > 0, fault != .neverYields else { return false }
    if fault == .stepsAreTasks { return true }
    guard let yield = drawn.yield else { return false }
    return yield.every.map { now - taskBegan >= $0 } ?? true
  }

  private mutating func yield(_ task: Task) {
    if drawn.yield?.resumesFirst == true || fault == .restResumesFirst {
      rest = task
    } else {
      post(task, to: 0, from: 0)
    }
  }
}
