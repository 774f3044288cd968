internal import FrameBudget
internal import FrameBudgetCaptures

/// What the threads of a process do, by the switches of the cores, as these happen: in which times each ran, slept, or was ready
/// without a core, and who woke it or had the core.
struct ThreadTimes {
  /// Who had a core.
  struct Taker: Equatable {
    let name: String
    let isOfApp: Bool
  }

  private enum State: Equatable {
    case running
    /// With who has interrupted it, if it ran before.
    case ready(after: Taker?)
    case asleep
  }

  fileprivate enum Use: Equatable {
    case own, starting
    /// Until a thread of that name, or if it is nil a timer or a device, has woken it.
    case waiting(for: String?)
    case taken(by: Taker)
  }

  private struct Piece {
    let span: Range<Int64>
    let use: Use
  }

  private struct Thread {
    var state: State
    var since: Int64
    var pieces: [Piece] = []
    var work = NamedWork()

    /// What it has done since the last change of its state.
    mutating func add(_ use: Use, until instant: Int64) {
      guard since < instant else { return }
      if let last = pieces.last, last.use == use, last.span.upperBound == since {
        pieces[pieces.count - 1] = Piece(span: last.span.lowerBound..<instant, use: use)
      } else {
        pieces.append(Piece(span: since..<instant, use: use))
      }
      if pieces.count >= 2 * ThreadTimes.most { pieces.removeFirst(ThreadTimes.most) }
    }
  }

  private var threads: [Int: Thread] = [:]

  /// Of a thread. A busy core has some hundred a second.
  private static let most = 4096
  /// Threads that have ended are not told apart; an app has fewer.
  private static let mostThreads = 4096

  // MARK: Events

  /// A core switches from one thread to another. `isMember` says which are of the process, and `isOfApp` whose work the app does.
  mutating func switched(
    from old: TracedEvent.Task, wasPreempted: Bool, to new: TracedEvent.Task, at instant: Int64,
    isMember: (Int) -> Bool, isOfApp: (Int) -> Bool
  ) {
    if isMember(old.thread) {
      let taker = taker(new, isOfApp)
      change(old.thread, to: wasPreempted ? .ready(after: taker) : .asleep, at: instant) { thread in
        // The kernel leaves out some switches to a thread: it has run since it was woken.
        if thread.state != .asleep { thread.add(.own, until: instant) }
      }
    }
    guard isMember(new.thread) else { return }
    let before = taker(old, isOfApp)
    change(new.thread, to: .running, at: instant) { thread in
      switch thread.state {
      case .ready(let after):
        let taker = before ?? after
        thread.add(taker.map(Use.taken) ?? .starting, until: instant)
      case .asleep: thread.add(.waiting(for: nil), until: instant)
      case .running: thread.add(.own, until: instant)
      }
    }
  }

  /// The idle task takes nothing.
  private func taker(_ task: TracedEvent.Task, _ isOfApp: (Int) -> Bool) -> Taker? {
    task.thread == 0 ? nil : Taker(name: task.name, isOfApp: isOfApp(task.thread))
  }

  /// A thread is woken; `waker` is nil for a timer or a device.
  mutating func woken(_ thread: Int, by waker: String?, at instant: Int64) {
    guard threads[thread]?.state ?? .asleep == .asleep else { return }
    change(thread, to: .ready(after: nil), at: instant) {
      $0.add(.waiting(for: waker), until: instant)
    }
  }

  /// A thread shows that it runs.
  mutating func ran(_ thread: Int, at instant: Int64) {
    change(thread, to: .running, at: instant) { known in
      if known.state != .asleep { known.add(.own, until: instant) }
    }
  }

  private mutating func change(
    _ number: Int, to state: State, at instant: Int64, _ end: (inout Thread) -> Void
  ) {
    if threads.count >= Self.mostThreads, threads[number] == nil { threads.removeAll() }
    if threads[number] != nil {
      end(&threads[number, default: Thread(state: state, since: instant)])
    }
    threads[number, default: Thread(state: state, since: instant)].state = state
    threads[number]?.since = instant
  }

  /// A thread calls a function with probes, or that returns.
  mutating func called(_ number: Int, _ function: String, returns: Bool, at instant: Int64) {
    ran(number, at: instant)
    if returns {
      threads[number]?.work.end(at: instant)
    } else {
      threads[number]?.work.begin(function, at: instant)
    }
  }

  /// What was before `instant` is not asked any more.
  mutating func forget(_ number: Int, before instant: Int64) {
    guard var thread = threads.removeValue(forKey: number) else { return }
    thread.pieces.removeAll { $0.span.upperBound <= instant }
    thread.work.forget(before: instant)
    threads[number] = thread
  }

  // MARK: Answers

  /// What a thread did in a time, in nanoseconds, that has just ended; nil if nothing is known of it.
  func spent(_ number: Int, in span: Range<Int64>) -> WindowReport.Spent? {
    guard let thread = threads[number] else { return nil }
    var spent = WindowReport.Spent()
    for piece in thread.pieces.reversed() {
      if piece.span.upperBound <= span.lowerBound { break }
      spent.add(piece.use.spent(Self.milliseconds(piece.span.clamped(to: span))))
    }
    let open = min(max(thread.since, span.lowerBound), span.upperBound)..<span.upperBound
    let use: Use =
      switch thread.state {
      case .running: .own
      case .ready(let after): after.map(Use.taken) ?? .starting
      case .asleep: .waiting(for: nil)
      }
    spent.add(use.spent(Self.milliseconds(open)))
    spent.work = thread.work.longest(in: span)
    return spent
  }

  /// What keeps a thread from its next frame now; nil if nothing is known of it.
  func obstacle(of number: Int) -> Cause? {
    switch threads[number]?.state {
    case .running: .logic
    case .ready(let after): after?.isOfApp == true ? .preempted : .machine
    case .asleep: .lock
    case nil: nil
    }
  }

  private static func milliseconds(_ span: Range<Int64>) -> Double {
    Double(span.upperBound - span.lowerBound) / 1e6
  }
}

/// The calls of functions with probes on a thread. What a function calls belongs to it.
private struct NamedWork {
  private struct Call {
    let function: String
    let span: Range<Int64>
  }

  private var calls: [Call] = []
  /// The outermost call that has not returned, and how many are open.
  private var open: (function: String, since: Int64)?
  private var depth = 0

  private static let most = 4096
  /// Deeper ones have lost their returns.
  private static let deepest = 64

  mutating func begin(_ function: String, at instant: Int64) {
    if depth == 0 || depth >= Self.deepest { (open, depth) = ((function, instant), 0) }
    depth += 1
  }

  mutating func end(at instant: Int64) {
    guard depth > 0, let call = open else { return }
    depth -= 1
    guard depth == 0 else { return }
    open = nil
    calls.append(Call(function: call.function, span: call.since..<max(call.since, instant)))
    if calls.count >= 2 * Self.most { calls.removeFirst(Self.most) }
  }

  mutating func forget(before instant: Int64) { calls.removeAll { $0.span.upperBound <= instant } }

  /// The function with most time in `span`.
  func longest(in span: Range<Int64>) -> WindowReport.Spent.Longest {
    var times: [String: Int64] = [:]
    func add(_ function: String, _ call: Range<Int64>) {
      times[function, default: 0] += Int64(call.clamped(to: span).count)
    }
    for call in calls.reversed() {
      if call.span.upperBound <= span.lowerBound { break }
      add(call.function, call.span)
    }
    if let open, open.since < span.upperBound { add(open.function, open.since..<span.upperBound) }
    let most = times.max { ($0.value, $1.key) < ($1.value, $0.key) }
    guard let most, most.value > 0 else { return WindowReport.Spent.Longest() }
    return WindowReport.Spent.Longest(name: most.key, span: Double(most.value) / 1e6)
  }
}

extension ThreadTimes.Use {
  fileprivate func spent(_ span: Double) -> WindowReport.Spent {
    var spent = WindowReport.Spent()
    switch self {
    case .own: spent.own = span
    case .starting: spent.starting = span
    case .waiting(let name):
      spent.waiting = span
      spent.waker = WindowReport.Spent.Longest(name: name, span: span)
    case .taken(let taker):
      let longest = WindowReport.Spent.Longest(name: taker.name, span: span)
      if taker.isOfApp {
        (spent.shared, spent.sharer) = (span, longest)
      } else {
        (spent.taken, spent.taker) = (span, longest)
      }
    }
    return spent
  }
}

extension WindowReport.Spent {
  fileprivate mutating func add(_ other: Self) { self = self + other }
}
