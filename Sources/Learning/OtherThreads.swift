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
      let tasks = RecordedTask.all(of: thread)
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

  /// `items` of all threads, with those that follow one another joined, in the order of their arrivals.
  static func chains(of items: [CutItem]) -> [CutItem] {
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
          chain.goOn(as: items[current])
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
