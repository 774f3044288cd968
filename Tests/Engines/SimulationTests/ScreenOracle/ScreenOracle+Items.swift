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
    case .fork(let item, _) where isReplaced(item, on: thread):
      cut(item, on: thread, isFork: true)
    case .fork(let item, let step): begin(item, step, on: thread, isFork: true)
    case .resumed(let item, let step, let isFork):
      endRun(of: item, step, on: thread, isFork: isFork)
    case .result(let item): beginResult(of: item)
    case .part(let part, let vsync):
      begin(.prepare(part: part, vsync: vsync), on: thread, for: drawn.parts[part].cost(vsync))
    }
  }

  /// Continues `item` on `thread`, when its steps up to `step` are over or forked.
  mutating func proceed(_ item: Int, from step: Int, on thread: Int) {
    let steps = workload(of: item).steps
    for place in step..<max(step, steps.count) {
      let next = steps[place]
      if isReplaced(item, on: thread) { return cut(item, on: thread, isFork: false) }
      if thread == 0, place == 0, isNewInput(.chain(item: item, step: 0)) { handlesInput = true }
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
    var runs = items[item].runs[step] ?? self.runs(of: item, step, on: thread)
    let span = runs.removeFirst()
    items[item].runs[step] = runs
    let wait = workload(of: item).steps[step].suspension?.span ?? 0
    begin(
      .step(item: item, step: step, run: run, isFork: isFork), on: thread,
      for: span + (fault == .suspensionHoldsThread ? wait : 0))
  }

  /// The lengths of all runs of a step: repeats, or slices where tasks yield.
  private func runs(of item: Int, _ place: Int, on thread: Int) -> [Int64] {
    let step = workload(of: item).steps[place]
    if step.repeats > 1, fault != .repeatsForgotten {
      return Array(repeating: step.cost, count: step.repeats)
    }
    guard let slice = step.slice, thread == 0, drawn.yieldsOnMain, fault != .slicesForgotten else {
      return [step.cost]
    }
    var spans: [Int64] = []
    var left = step.cost
    while left > slice {
      spans.append(slice)
      left -= slice
    }
    if fault == .sliceTooLong, !spans.isEmpty, left > 1 {
      spans[0] += 1
      left -= 1
    }
    return spans + [left]
  }

  /// Continues with the next run of a step, unless its task yields.
  private mutating func runAgain(_ item: Int, _ step: Int, on thread: Int, isFork: Bool) {
    if isReplaced(item, on: thread) { return cut(item, on: thread, isFork: isFork) }
    guard thread == 0, yields else { return begin(item, step, on: thread, isFork: isFork) }
    yield(isFork ? .fork(item: item, step: step) : .chain(item: item, step: step))
  }

  /// Answers with the result of an item that goes on; on the main thread, behind the result.
  private mutating func answer(_ item: Int, _ step: Int, on thread: Int, isFork: Bool) {
    request()
    if thread == 0, !drawn.coalesces || fault == .coalescedAtOnce {
      return begin(
        .answer(item: item, step: step, isFork: isFork), on: 0, for: workload(of: item).result)
    }
    handBack(item, from: thread)
    goOn(item, behind: step, on: thread, isFork: isFork)
  }

  /// Hands a result to a later frame.
  private mutating func handBack(_ item: Int, from thread: Int) {
    if thread > 0 {
      handedToMainAt = now
      if threads[0].poster.time == now && threads[0].poster.thread != thread {
        outcome.isAmbiguous = true
      }
      threads[0].poster = (thread, now)
    }
    results.append(item)
    request()
  }

  /// Continues behind a run of a step: with its next run, or behind the step, which may answer.
  mutating func endRun(of item: Int, _ step: Int, on thread: Int, isFork: Bool) {
    if items[item].runs[step] != [] {
      runAgain(item, step, on: thread, isFork: isFork)
    } else if workload(of: item).answer == step, fault != .answersAtEnd {
      answer(item, step, on: thread, isFork: isFork)
    } else {
      goOn(item, behind: step, on: thread, isFork: isFork)
    }
  }

  private mutating func goOn(_ item: Int, behind step: Int, on thread: Int, isFork: Bool) {
    if isFork { endFork(of: item, on: thread) } else { proceed(item, from: step + 1, on: thread) }
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
      endRun(of: item, step, on: thread, isFork: isFork)
    case .result(let item): endResult(of: item)
    case .answer(let item, let step, let isFork):
      show(item)
      goOn(item, behind: step, on: 0, isFork: isFork)
    case .reads, .render, .awaitParts: continueFrame()
    case .prepare(let part, let vsync): endPreparation(of: part, vsync)
    case .ahead(let part, let vsync, let cost): endAhead(part, vsync, cost)
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

  mutating func finishIfOver(_ item: Int, on thread: Int) {
    let isOver = items[item].openForks == 0 || fault == .doneWithForksOpen
    guard items[item].isChainOver, isOver, outcome.items[item].done == nil else {
      return release(thread)
    }
    if items[item].isCut {
      outcome.items[item].isReplaced = true
      return release(thread)
    }
    outcome.items[item].done = now
    if workload(of: item).answer != nil, fault != .answersAtEnd, fault != .answersTwice {
      return release(thread)
    }
    if thread == 0, !drawn.coalesces || fault == .coalescedAtOnce {
      request()
      return beginResult(of: item)
    }
    if thread > 0, drawn.loop != .frame && readings.results == .asEvents {
      handedToMainAt = now
      post(.result(item: item), to: 0, from: thread)
    } else {
      handBack(item, from: thread)
    }
    release(thread)
  }

  mutating func beginResult(of item: Int) {
    begin(.result(item: item), on: 0, for: workload(of: item).result)
  }

  private mutating func endResult(of item: Int) {
    show(item)
    if readings.results == .asEvents && items[item].endedOn.thread > 0 { request() }
    release(0)
  }

  /// The frame that shows a result that has run.
  mutating func show(_ item: Int) {
    if let frame {
      items[item].frame = frame
    } else if fault == .contentTooEarly, !outcome.frames.isEmpty {
      items[item].frame = outcome.frames.count - 1
    } else {
      unshown.append(item)
    }
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
      rests.append(task)
    } else {
      post(task, to: 0, from: 0)
    }
  }
}
