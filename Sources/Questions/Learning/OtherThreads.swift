internal import FrameBudget
internal import FrameBudgetCaptures

/// The work of the app on other threads of its process, such as a page's Workers: each such thread is a lane, and its tasks
/// are items.
struct OtherThreads {
  /// The largest number of lanes; the threads with the most work get them.
  private static let maxThreads = 8

  /// The threads that become lanes, in their order.
  private let found: [Found]
  private let main: Int
  /// By thread number: the times of the posts that became tasks of other threads, in order.
  private let posts: [Int: [Int64]]

  /// A thread is a lane if work of the app ran on it, and if arrows in the recording lead from the UI thread to it, or back.
  /// `tasks` are those of the UI thread.
  init(
    _ recording: Recording, _ tasks: [RecordedTask], _ choice: ServiceChoice, _ rules: [NameRule]
  ) {
    guard recording.format != .framebudget, let main = recording.threads.first else {
      (found, self.main, posts) = ([], 0, [:])
      return
    }
    let callers = Set(main.posts.compactMap(\.origin))
    let isOfApp = recording.names.indices.map {
      AppCalls.contains(recording.names[$0]) || choice.isOfApp(name: $0)
    }
    let found = recording.threads.dropFirst().compactMap { thread -> Found? in
      let exchangesPosts =
        callers.contains(thread.number) || thread.posts.contains { $0.origin == main.number }
      guard exchangesPosts, thread.slices.contains(where: { isOfApp[Int($0.name)] }) else {
        return nil
      }
      return Found(recording, thread, rules)
    }
    let busiest = Set(
      found.indices.sorted { (found[$1].work, $0) < (found[$0].work, $1) }
        .prefix(Self.maxThreads))
    self.found = found.indices.filter(busiest.contains).map { found[$0] }
    self.main = main.number
    let handOffs = ([tasks] + self.found.map(\.tasks)).joined().compactMap(\.handOff)
    posts = Dictionary(grouping: handOffs, by: \.thread).mapValues { $0.map(\.instant).sorted() }
  }

  /// When these threads, the UI thread with its tasks `main`, and the stage after it had more work than there are cores.
  func contention(with main: [RecordedTask], _ stage: RecordedStage, cores: Int) -> Contention {
    guard !found.isEmpty else { return Contention([], cores: cores) }
    let threads = ([main] + found.map(\.tasks)).map { $0.map { $0.begin..<max($0.begin, $0.end) } }
    return Contention(threads + [stage.work], cores: cores)
  }

  /// The UI thread's tasks for a replay: without the time that the lanes took from them, and cut where they posted to lanes.
  /// They are not cut if frames run before waiting messages, because a frame would run in the cut.
  func parts(
    of tasks: [RecordedTask], _ contention: Contention, _ screen: RecordedScreen
  ) -> [RecordedTask] {
    let cuts = screen.joinsSlices || screen.isFrameLoop ? [] : posts[main] ?? []
    return tasks.flatMap { contention.adjusted($0).cut(at: cuts) }
  }

  /// The items of all lanes, whose services join `choice`.
  func items(
    _ grid: VsyncGrid, _ contention: Contention, _ choice: inout ServiceChoice
  ) -> [RecordedItem] {
    found.flatMap { lane in
      let tasks = lane.tasks.flatMap {
        contention.adjusted($0).cut(at: posts[lane.thread.number] ?? [])
      }
      return lane.items(of: tasks, on: choice.addLane(lane.thread.name), grid, &choice)
    }
  }

  private struct Found {
    let thread: RecordedThread
    let tasks: [RecordedTask]
    private let choice: ServiceChoice
    /// In nanoseconds.
    let work: Int64

    init(_ recording: Recording, _ thread: RecordedThread, _ rules: [NameRule]) {
      self.thread = thread
      tasks = RecordedTask.all(of: thread).map { thread.runs == nil ? $0.withEvenShares : $0 }
      choice = ServiceChoice(recording, thread.slices, tasks, windows: [], rules: rules)
      work = tasks.reduce(0) { $0 + ($1.end - $1.begin) }
    }

    /// The items, whose services become those of `lane`. They arrive when they were posted. The time from then until they
    /// began, as far as the thread was idle, was the hand-over, and becomes waiting.
    func items(
      of tasks: [RecordedTask], on lane: Int, _ grid: VsyncGrid, _ all: inout ServiceChoice
    ) -> [RecordedItem] {
      var cutter = ItemCutter(thread, [], choice)
      let cut = tasks.flatMap { cutter.items(of: $0) }
      var places: [Int?: Int] = [:]
      var free = Int64.min
      return cut.map { item in
        var item = item
        // The main thread hands it over, and does not wait for a timer.
        item.signature.isTimer = false
        item.signature.steps = item.signature.steps.map { step in
          if let known = places[step] { return known }
          let index = all.addService(step.map { choice.names[$0] }, on: lane)
          places[step] = index
          return index
        }
        if let handOff = item.handOff {
          item.costs[0].wait += max(0, item.begin - max(handOff.instant, free))
        }
        item.arrival = grid.time(of: item.handOff?.instant ?? item.begin)
        free = max(free, item.end)
        return item
      }
    }
  }
}

/// Follows work from thread to thread. A task up to its post to another thread, and the task that handles the post there, are
/// one item: if an earlier part is late, the answer is late too.
enum HandOvers {
  /// The largest number of tasks in an item. Threads may pass work back and forth forever.
  private static let maxTasks = 16

  /// `items` of all threads, with those that follow one another joined, in the order of their arrivals. `main` is the number
  /// of the UI thread.
  static func chains(of items: [RecordedItem], main: Int, _ grid: VsyncGrid) -> [RecordedItem] {
    let items = items.sorted { $0.begin < $1.begin }
    let next = successors(of: items)
    let later = Set(next.compactMap(\.self))
    var chains: [RecordedItem] = []
    for first in items.indices where !later.contains(first) {
      var chain = items[first]
      var count = 1
      var index = next[first]
      while let current = index {
        if count < maxTasks {
          join(items[current], to: &chain, main: main, grid)
          count += 1
        } else {
          chains.append(chain)
          (chain, count) = (items[current], 1)
        }
        index = next[current]
      }
      chains.append(chain)
    }
    return chains.sorted { $0.arrival < $1.arrival }
  }

  /// The most time that a replay adds for a hand-over to a sleeping lane and back.
  private static let handOvers: Int64 = {
    let costs = Costs.standard
    let there = costs.handOff(to: Lane(name: "", carrier: .scheduler))
    return
      (there.post + there.wake + there.latency + costs.handOff(to: .main).post + costs.contextSwitch
      + costs.contextSwitch).nanoseconds
  }()

  /// Joins `next` so that it arrives when it did: the time between the end of `chain` and that arrival changes the step on the
  /// lane, as the UI thread must not block for it.
  private static func join(
    _ next: RecordedItem, to chain: inout RecordedItem, main: Int, _ grid: VsyncGrid
  ) {
    var next = next
    let gap = next.arrival - grid.time(of: chain.end)
    if next.thread == main {
      chain.costs[chain.costs.count - 1].lengthen(by: gap - handOvers)
    } else {
      next.costs[0].lengthen(by: gap)
    }
    chain.append(next)
  }

  /// For each of `items`, which are in the order of their starts: the item that continues it on another thread. If it posted
  /// to several, the last of them.
  private static func successors(of items: [RecordedItem]) -> [Int?] {
    let onThread = Dictionary(grouping: items.indices) { items[$0].thread }
    var next = [Int?](repeating: nil, count: items.count)
    for index in items.indices {
      guard let handOff = items[index].handOff, handOff.thread != items[index].thread,
        let others = onThread[handOff.thread],
        case let origin = others.partitioningIndex(where: {
          items[$0].begin >= handOff.instant
        }) - 1,
        origin >= 0
      else { continue }
      let sender = others[origin]
      guard items[sender].begin < items[index].begin, handOff.instant <= items[sender].end,
        items[sender].end - handOff.instant < RecordedItem.shortest
      else { continue }
      let known = next[sender].flatMap { items[$0].handOff?.instant } ?? .min
      if known < handOff.instant { next[sender] = index }
    }
    return next
  }
}

extension LearnedItems.Cost {
  /// Adds `time` nanoseconds of waiting. A negative time shortens the waiting first, then the processor time.
  fileprivate mutating func lengthen(by time: Int64) {
    wait += time
    cpu = max(0, cpu + min(0, wait))
    wait = max(0, wait)
  }
}

extension RecordedTask {
  /// Spreads the processor time of the whole task, if it was recorded, over all its pieces. A page's own measures have no
  /// processor time, and would take that of the slices around them.
  fileprivate var withEvenShares: Self {
    guard let running else { return self }
    var task = self
    for index in pieces.indices {
      task.pieces[index].running = running
      task.pieces[index].waiting = 1 - running
    }
    return task
  }
}
