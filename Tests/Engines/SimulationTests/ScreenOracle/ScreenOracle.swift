/// The screen and the main loop in the simplest possible implementation, from instant to instant.
///
/// Written from their description alone, without knowledge of the engines that implement it too, so that a mistake in one of
/// them is not made here again. Nothing competes for a core; handing over costs nothing. Where the description can be
/// read in more than one way, `ScreenReadings` says how it is read here.
struct ScreenOracle {
  typealias Cause = ScreenOutcome.Cause

  /// An entry of a thread's queue.
  enum Task: Equatable {
    case chain(item: Int, step: Int)
    case fork(item: Int, step: Int)
    /// The rest of a chain or of a fork behind a run of a step whose suspension is over.
    case resumed(item: Int, step: Int, isFork: Bool)
    case result(item: Int)
    /// A part of the drawing of the frame of `vsync`, which a lane prepares.
    case part(Int, vsync: Int)
  }

  /// The activity of a thread, which nothing interrupts.
  enum Work: Equatable {
    case step(item: Int, step: Int, run: Int, isFork: Bool)
    case result(item: Int)
    /// A result behind which its item goes on: with the rest of the fork or of the chain that has answered.
    case answer(item: Int, step: Int, isFork: Bool)
    case reads
    case render
    /// A piece of a part of the drawing of a later frame.
    case ahead(part: Int, vsync: Int, cost: Int64)
    /// On a lane, a part of the drawing of the frame of `vsync`; and on the main thread, the wait for some.
    case prepare(part: Int, vsync: Int)
    case awaitParts(vsync: Int)
  }

  struct Thread {
    var queue: [(task: Task, postedAt: Int64)] = []
    var work: Work?
    /// The time at which the task that it starts was posted, until its first step begins.
    var posted: Int64?
    var began: Int64 = 0
    var until: Int64 = 0
    /// The thread that posted last, and the time.
    var poster: (thread: Int, time: Int64) = (-1, -1)
  }

  struct ItemState {
    var openForks = 0
    /// The step that waits for them.
    var waitingStep: Int?
    var isChainOver = false
    /// The frame that shows its result.
    var frame: Int?
    var endedOn: (thread: Int, time: Int64) = (-1, -1)
    /// The thread and time at which a fork of it ended last.
    var forkEndedOn: (thread: Int, time: Int64) = (-1, -1)
    /// The last step that has found all forks before it at their end.
    var joined = -1
    /// By step that has begun: the lengths of its runs that have not.
    var runs: [Int: [Int64]] = [:]
    /// Whether a newer item has ended it before its last step.
    var isCut = false
  }

  /// What the main thread knows of the items of a workload of which only the newest matters.
  struct Newest {
    /// The newest item that it has received, and when; and when another thread last asked for it.
    var item = -1
    var receivedAt: Int64 = -1
    var askedAt: Int64 = -1
    /// The item that waits, and the time from which its wait counts.
    var waiting: (item: Int, since: Int64)?
    var startedAt: Int64?
  }

  struct Suspended {
    let item: Int
    let step: Int
    /// Whether the rest of the item does not await it.
    let isFork: Bool
    var until: Int64 = 0
  }

  enum Stage { case drain, logic, reads, parts, prepared, render, end }

  let drawn: ScreenCase
  let fault: ScreenFault?
  let readings: ScreenReadings
  /// Periods from a frame's vsync to the one that should show it, and how many frames may have begun without being shown.
  let deadline: Int
  let room: Int
  var outcome: ScreenOutcome
  var now: Int64 = 0

  /// The first is the main thread, then comes one for each lane, which has its queue; the last are the others of lanes.
  var threads: [Thread]
  /// By thread.
  let laneOf: [Int]
  /// The suspended items, in the order in which their waits began, and by resource those that wait for a place.
  var suspended: [Suspended] = []
  var waitingForPlace: [[Suspended]]
  /// The thread and time of the last begin of a wait.
  var suspender: (thread: Int, time: Int64) = (-1, -1)
  var items: [ItemState]
  var nextItem = 0
  /// `frame` loop: the arrivals since the last frame, and the work of this one.
  var arrived: [Int] = []
  var ready: [Task] = []
  /// An event loop: items of timers that the main thread has not noticed.
  var due: [Int] = []
  /// By workload; and items that have arrived and that the main thread of an event loop has not received.
  var newest: [Newest]
  var unreceived: Set<Int> = []
  /// Items whose results came back, those that this frame may drain, and those to be shown by the next one.
  var results: [Int] = []
  var taken: [Int] = []
  var unshown: [Int] = []
  /// The workloads whose results this frame has shown as one update.
  var updated: Set<Int> = []

  /// The frame on the main thread, and its progress.
  var frame: Int?
  var stage = Stage.end
  var drainBegan: Int64?
  /// The pieces of parts of its drawing that have not begun.
  var partsLeft: [(part: Int, cost: Int64)] = []
  /// By part of drawing: the number of its pieces that have run early, by the vsync of their frame, and what one is expected to take.
  var partsReady: [[Int: Int]]
  var expected: [Int64?]
  /// By part of drawing: the vsyncs of the frames for which it was handed to its lane, and of those for which it is prepared.
  var handedOver: [Set<Int>]
  var prepared: [Set<Int>]
  /// By part of drawing: what frames needed of it, in order, as far as it is spread; and what of it the frame on the main thread runs.
  var owed: [[ScreenOutcome.Owed]]
  var restRuns: [Int64]
  /// On demand: a request that only wants what frames put off.
  var pendingRest: Int64?
  var justEnded: Int?
  /// The frame event that waits, with the vsync that posted it.
  var event: (vsync: Int, postedAt: Int64)?
  /// The rests of tasks, to be resumed first.
  var rests: [Task] = []
  /// Whether the main thread has begun the first task of an input, and has not chosen another one since.
  var handlesInput = false
  /// Until when tasks wait for a frame at most.
  var deferredUntil: Int64?
  var deferredSince = Int64.min
  /// The vsync at which the next frame was wanted first: before it waits for a buffer or the main thread.
  var asked: Int?
  var taskBegan: Int64 = 0
  /// The number of turns of the queue, and the number of tasks of the newest turn that have not begun.
  var turns = 0
  var leftInTurn = 0
  /// Whether the last work that the main thread began since it was idle is a frame.
  var isBehindFrame = false
  var taskSteps = 0

  var nextVsync = 0
  /// The instant of the last one.
  var vsyncAt: Int64 = -1
  /// Frames begun and not yet shown, those that wait for the second stage, and those on it.
  var inFlight: [Int] = []
  var forStage: [Int] = []
  var onStage: [(frame: Int, until: Int64)] = []
  var wasFull = false
  var nextRequest = 0
  /// On demand: the requests that have not been served.
  var pending: [Int64] = []
  var handedToMainAt: Int64 = -1
  var mainEndedAt: Int64 = -1
  /// The time at which the second stage last ended a frame while all buffers were taken.
  private var stageFreedAt: Int64 = -1

  static func run(
    _ drawn: ScreenCase, fault: ScreenFault? = nil, readings: ScreenReadings = ScreenReadings()
  ) -> ScreenOutcome {
    var oracle = ScreenOracle(drawn, fault, readings)
    while let instant = oracle.nextInstant, instant <= drawn.duration { oracle.happen(at: instant) }
    return oracle.judged()
  }

  private init(_ drawn: ScreenCase, _ fault: ScreenFault?, _ readings: ScreenReadings) {
    self.drawn = drawn
    self.fault = fault
    self.readings = readings
    deadline = drawn.due - (fault == .laterIsNotDueLater ? drawn.later : 0)
    room = drawn.room - (fault == .laterWithoutBuffers ? drawn.later : 0)
    outcome = ScreenOutcome(lastVsync: drawn.lastVsync)
    outcome.items = drawn.workloads.enumerated().flatMap { place, workload in
      workload.arrivals.map { ScreenOutcome.Item(workload: place, arrival: $0) }
    }.enumerated().sorted {
      ($0.element.arrival, $0.offset) < ($1.element.arrival, $1.offset)
    }.map(\.element)
    let lanes = Array(0...drawn.lanes)
    let others = lanes.flatMap { Array(repeating: $0, count: drawn.width($0) - 1) }
    laneOf = lanes + (fault == .parallelInTurn ? [] : others)
    threads = Array(repeating: Thread(), count: laneOf.count)
    waitingForPlace = drawn.resources.map { _ in [] }
    items = Array(repeating: ItemState(), count: outcome.items.count)
    newest = drawn.workloads.map { _ in Newest() }
    partsReady = drawn.parts.map { _ in [:] }
    expected = drawn.parts.map { _ in nil }
    handedOver = drawn.parts.map { _ in [] }
    prepared = drawn.parts.map { _ in [] }
    owed = drawn.parts.map { _ in [] }
    restRuns = drawn.parts.map { _ in 0 }
  }

  /// The next instant of an event.
  private var nextInstant: Int64? {
    var instants = threads.filter { $0.work != nil }.map(\.until) + onStage.map(\.until)
    instants += suspended.map(\.until)
    instants.append(drawn.instant(nextVsync))
    if drawn.loop != .frame {
      // One that is over is noticed when the main thread is free.
      instants += drawn.workloads.indices.compactMap(startOfWaiting).filter { $0 > now }
      instants += [deferredUntil].compactMap(\.self).filter { $0 > now }
    }
    if nextItem < items.count { instants.append(outcome.items[nextItem].arrival) }
    if nextRequest < drawn.requests.count { instants.append(drawn.requests[nextRequest]) }
    return instants.min()
  }

  private mutating func happen(at instant: Int64) {
    now = instant
    while endSomething() {}
    arrive()
    while endSuspension() {}
    let isVsync = drawn.instant(nextVsync) == now
    let frames = outcome.frames.count
    if isVsync { beVsync(nextVsync) }
    while startNext(isVsync ? nextVsync : nil) || endSomething() || endSuspension() {}
    if isVsync { nextVsync += 1 }
    let mainLooked =
      isVsync || mainEndedAt == now || deferredUntil == now || outcome.frames.count > frames
    if handedToMainAt == now && mainLooked { outcome.isAmbiguous = true }
    // No rule says whether a thread that chooses its next event at this instant knows of the buffer.
    if drawn.loop != .frame, stageFreedAt == now, mainEndedAt == now { outcome.isAmbiguous = true }
  }

  private mutating func arrive() {
    while nextItem < items.count, outcome.items[nextItem].arrival == now {
      if drawn.loop == .frame {
        arrived.append(nextItem)
      } else if workload(of: nextItem).isTimer && fault != .timerPostedWhenDue {
        due.append(nextItem)
      } else {
        post(.chain(item: nextItem, step: 0), to: 0, from: -1)
        unreceived.insert(nextItem)
      }
      if workload(of: nextItem).draws { request() }
      nextItem += 1
    }
    while nextRequest < drawn.requests.count, drawn.requests[nextRequest] == now {
      request()
      nextRequest += 1
    }
  }

  /// Whether anything ended now.
  private mutating func endSomething() -> Bool {
    for thread in threads.indices.dropFirst() + [0]
    where threads[thread].work != nil && threads[thread].until == now {
      endWork(of: thread)
      return true
    }
    if let place = onStage.firstIndex(where: { $0.until == now }) {
      if inFlight.count >= room { stageFreedAt = now }
      outcome.frames[onStage.remove(at: place).frame].ready = now
      return true
    }
    return false
  }

  /// Lets free threads take waiting work; returns whether any did.
  private mutating func startNext(_ vsync: Int?) -> Bool {
    if onStage.isEmpty, !forStage.isEmpty {
      beginStage(forStage.removeFirst())
      return true
    }
    for thread in threads.indices.dropFirst()
    where threads[thread].work == nil && !threads[laneOf[thread]].queue.isEmpty {
      performNext(on: thread)
      return true
    }
    catchUp()
    guard threads[0].work == nil else { return false }
    if drawn.loop != .frame {
      return startOnMain() || (!isDeferring || fault == .deferralWithoutParts) && drawAhead()
    }
    return vsync.map { beginAtVsync($0) } ?? false || drawAhead()
  }
}
