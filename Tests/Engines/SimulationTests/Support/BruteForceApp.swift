/// The frame loop with one background lane on two cores, in the simplest way there is: tick after tick.
///
/// It knows one workload whose items arrive together, results drained within a budget, drawing, and nothing else.
struct BruteForceApp {
  struct Case {
    var period: Int
    var render: Int
    var arrival: Int
    var count: Int
    /// By step: how long it takes and whether it is on the main thread.
    var steps: [(ticks: Int, isOnMain: Bool)]
    var result: Int
    var budget: Int
  }

  /// A piece of the main thread's work in a frame, and its kind.
  private enum Work {
    case result(Int)
    case step(Int, Int)
    case render
  }

  private let drawn: Case
  private(set) var begins: [Int] = []
  private(set) var works: [Int] = []
  private(set) var done: [Int?]
  private(set) var shown: [Int?]
  /// Whether a lane handed something over at the very instant at which the main thread looked.
  private(set) var isAmbiguous = false

  private var undelivered = true
  private var ready: [(item: Int, step: Int)] = []
  private var inbox: [(item: Int, step: Int)] = []
  private var results: [Int] = []
  private var queue: [(item: Int, step: Int)] = []
  private var running: (item: Int, step: Int, left: Int)?
  private var handedOverAt = -1

  private var now = 0
  private var work: Work?
  private var left = 0
  private var next = 0
  private var drainBegan = 0
  private var isDraining = false
  private var hasDrained = false
  private var takenResults: [Int] = []
  private var ran: [Int] = []

  init(_ drawn: Case) {
    self.drawn = drawn
    done = Array(repeating: nil, count: drawn.count)
    shown = done
  }

  mutating func run(to end: Int) {
    while now <= end {
      endStepOnLane()
      runMain()
      if running == nil, !queue.isEmpty {
        let (item, step) = queue.removeFirst()
        running = (item, step, drawn.steps[step].ticks)
      }
      running?.left -= 1
      left -= 1
      now += 1
    }
  }

  private mutating func endStepOnLane() {
    guard let (item, step, left) = running, left == 0 else { return }
    running = nil
    if step + 1 == drawn.steps.count {
      done[item] = now
      results.append(item)
      handedOverAt = now
    } else if drawn.steps[step + 1].isOnMain {
      inbox.append((item, step + 1))
      handedOverAt = now
    } else {
      running = (item, step + 1, drawn.steps[step + 1].ticks)
    }
  }

  private mutating func runMain() {
    if work == nil {
      guard now % drawn.period == 0, now / drawn.period == next else { return }
      beginFrame()
    } else if left == 0 {
      endWork()
    }
    while work != nil && left == 0 { endWork() }
  }

  private mutating func beginFrame() {
    begins.append(next)
    if undelivered && drawn.arrival <= now {
      undelivered = false
      for item in 0..<drawn.count {
        if drawn.steps[0].isOnMain { ready.append((item, 0)) } else { queue.append((item, 0)) }
      }
    }
    if handedOverAt == now { isAmbiguous = true }
    ready += inbox
    inbox = []
    takenResults = results
    results = []
    drainBegan = now
    isDraining = true
    hasDrained = false
    choose()
  }

  private mutating func choose() {
    let mayDrain = isDraining && (!hasDrained || now - drainBegan < drawn.budget)
    if mayDrain && !takenResults.isEmpty {
      hasDrained = true
      return start(.result(takenResults.removeFirst()), drawn.result)
    }
    isDraining = false
    results = takenResults + results
    takenResults = []
    if ready.isEmpty { return start(.render, drawn.render) }
    let (item, step) = ready.removeFirst()
    start(.step(item, step), drawn.steps[step].ticks)
  }

  private mutating func start(_ work: Work, _ ticks: Int) {
    self.work = work
    left = ticks
  }

  private mutating func endWork() {
    switch work {
    case .result(let item):
      ran.append(item)
      choose()
    case .step(let item, let step): endStepOnMain(item, step)
    case .render: endFrame()
    case nil: break
    }
  }

  private mutating func endStepOnMain(_ item: Int, _ step: Int) {
    if step + 1 == drawn.steps.count {
      done[item] = now
      start(.result(item), drawn.result)
    } else if drawn.steps[step + 1].isOnMain {
      start(.step(item, step + 1), drawn.steps[step + 1].ticks)
    } else {
      queue.append((item, step + 1))
      choose()
    }
  }

  private mutating func endFrame() {
    works.append(now - (begins.last ?? 0) * drawn.period)
    next = max((begins.last ?? 0) + 1, (now + drawn.period - 1) / drawn.period)
    for item in ran { shown[item] = next * drawn.period }
    ran = []
    work = nil
    left = 0
  }
}
