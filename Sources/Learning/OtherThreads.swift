internal import FrameBudget
internal import Recordings

/// The work of the app on other threads of its process, such as a page's Workers: each such thread is a lane, and its tasks
/// are items.
enum OtherThreads {
  /// The largest number of lanes; the threads with the most work get them.
  private static let most = 8

  /// The items of all lanes, whose services join `choice`. A thread is a lane if work of the app ran on it, and if arrows in
  /// the recording lead from the UI thread to it, or back.
  static func items(
    of recording: Recording, _ grid: VsyncGrid, _ choice: inout ServiceChoice, _ rules: [NameRule]
  ) -> [CutItem] {
    guard recording.format != .framebudget, let main = recording.threads.first else { return [] }
    let callers = Set(main.posts.compactMap(\.origin))
    let isOfApp = recording.names.indices.map {
      AppCalls.names.contains(recording.names[$0]) || choice.isOfApp(name: $0)
    }
    let found = recording.threads.dropFirst().compactMap { thread -> Found? in
      let isTied =
        callers.contains(thread.number) || thread.posts.contains { $0.origin == main.number }
      guard isTied, thread.slices.contains(where: { isOfApp[Int($0.name)] }) else { return nil }
      return Found(recording, thread, rules)
    }
    let busiest = Set(
      found.indices.sorted { (found[$1].work, $0) < (found[$0].work, $1) }.prefix(most))
    return found.indices.filter(busiest.contains).flatMap { place in
      found[place].items(on: choice.addLane(found[place].name), &choice, grid)
    }
  }

  private struct Found {
    let name: String
    private let choice: ServiceChoice
    private let cut: [CutItem]
    /// In nanoseconds.
    let work: Int64

    init(_ recording: Recording, _ thread: RecordedThread, _ rules: [NameRule]) {
      name = thread.name
      let tasks = RecordedTask.all(of: thread).map { $0.withShares(of: thread) }
      let choice = ServiceChoice(recording, thread.slices, tasks, windows: [], rules: rules)
      var cutter = ItemCutter(thread, [], choice)
      cut = tasks.flatMap { cutter.items(of: $0) }
      self.choice = choice
      work = cut.reduce(0) { $0 + $1.length }
    }

    /// The items, whose services become those of `lane`. They arrive when they were posted; what passed from then on while
    /// the thread was idle was the hand-over, and becomes waiting.
    func items(on lane: Int, _ all: inout ServiceChoice, _ grid: VsyncGrid) -> [CutItem] {
      var places: [Int?: Int] = [:]
      var free = Int64.min
      return cut.map { item in
        var item = item
        item.signature.steps = item.signature.steps.map { step in
          if let known = places[step] { return known }
          let place = all.addService(step.map { choice.names[$0] }, on: lane)
          places[step] = place
          return place
        }
        if let hand = item.hand {
          item.costs[0].wait += max(0, item.begin - max(hand.instant, free))
        }
        item.arrival = grid.time(of: item.hand?.instant ?? item.begin)
        free = max(free, item.end)
        return item
      }
    }
  }
}

/// Follows work from thread to thread. A task whose last act is a post to another thread, and the task that this became
/// there, are one item: what the other thread makes of it answers late if anything before it was late.
enum HandOvers {
  /// A task does nothing of note after a post if it ends within this many nanoseconds.
  private static let mostAfter: Int64 = 500_000
  /// The largest number of tasks in an item. Threads may hand something to and fro for ever.
  private static let mostTasks = 16

  /// `items` of all threads, with those that follow one another joined, in the order of their arrivals. `main` is the number
  /// of the UI thread.
  static func chains(of items: [CutItem], main: Int, _ grid: VsyncGrid) -> [CutItem] {
    let items = items.sorted { $0.begin < $1.begin }
    let next = successors(of: items)
    let later = Set(next.compactMap(\.self))
    var chains: [CutItem] = []
    for first in items.indices where !later.contains(first) {
      var chain = items[first]
      var count = 1
      var place = next[first]
      while let current = place {
        if count < mostTasks {
          join(items[current], to: &chain, main: main, grid)
          count += 1
        } else {
          chains.append(chain)
          (chain, count) = (items[current], 1)
        }
        place = next[current]
      }
      chains.append(chain)
    }
    return chains.sorted { $0.arrival < $1.arrival }
  }

  /// What a replay adds, at most, for handing over to a lane and back. So an answer that came right before a frame still does.
  private static let handOvers: Int64 = 100_000

  /// Joins `next` so that it arrives when it did: the time between the end of `chain` and that arrival changes the step on the
  /// lane, as the UI thread must not block for it.
  private static func join(
    _ next: CutItem, to chain: inout CutItem, main: Int, _ grid: VsyncGrid
  ) {
    var next = next
    let gap = next.arrival - grid.time(of: chain.end)
    if next.thread == main {
      chain.costs[chain.costs.count - 1].lengthen(by: gap - handOvers)
    } else {
      next.costs[0].lengthen(by: gap)
    }
    chain.goOn(as: next)
  }

  /// For each item, which are in the order of their begins: the one that it became on another thread. If it posted to
  /// several, that is the last of them.
  private static func successors(of items: [CutItem]) -> [Int?] {
    let onThread = Dictionary(grouping: items.indices) { items[$0].thread }
    var next = [Int?](repeating: nil, count: items.count)
    for place in items.indices {
      guard let hand = items[place].hand, hand.thread != items[place].thread,
        let others = onThread[hand.thread],
        case let origin = others.partitioningIndex(where: { items[$0].begin > hand.instant }) - 1,
        origin >= 0
      else { continue }
      let sender = others[origin]
      guard items[sender].begin < items[place].begin, hand.instant <= items[sender].end,
        items[sender].end - hand.instant <= mostAfter
      else { continue }
      let known = next[sender].flatMap { items[$0].hand?.instant } ?? .min
      if known < hand.instant { next[sender] = place }
    }
    return next
  }
}

extension LearnedItems.Cost {
  /// Waits for so many nanoseconds more. If they are negative, waiting gets shorter first, then processor time.
  fileprivate mutating func lengthen(by time: Int64) {
    wait += time
    cpu = max(0, cpu + min(0, wait))
    wait = max(0, wait)
  }
}

extension RecordedTask {
  /// With the processor time of the whole task, where that was recorded, spread over all its pieces. A page's own measures have
  /// none of their own, and would take that of the slices around them.
  fileprivate func withShares(of thread: RecordedThread) -> Self {
    guard thread.runs == nil, let first = pieces.first else { return self }
    let outermost = thread.slices[...first.slice].last { $0.depth == 0 }
    guard let outermost, let cpu = outermost.cpu, outermost.length > .zero else { return self }
    let running = min(1, Double(cpu.nanoseconds) / Double(outermost.length.nanoseconds))
    var task = self
    for place in pieces.indices {
      task.pieces[place].running = running
      task.pieces[place].waiting = 1 - running
    }
    return task
  }
}
