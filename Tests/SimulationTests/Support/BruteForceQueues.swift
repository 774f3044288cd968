import FrameBudget

@testable import Simulation

/// Fair threads of equal weight on cores with a queue each, in the simplest way there is: nanosecond after nanosecond.
///
/// It knows computing and sleeping, and that nobody gives way before the end of a slice. It says when two things fell on the
/// same instant, so that the order of the events mattered.
struct BruteForceQueues {
  struct Thread {
    var script: ArraySlice<Operation>
    var home: Int
    var left: Int64 = 0
    /// How much it has had, as its core counts that.
    var had: Int64 = 0
    var cpu: Int64 = 0
    var wakes: Int64?
    var waitsSince: Int64 = 0
    /// Its place among all that could run and had no core; whoever is sent to another core keeps it.
    var joined = 0
    var end: Int64?
  }

  private struct Core {
    var running: Int?
    var queue: [Int] = []
    var sliceBegan: Int64 = 0
    /// The least that one of its threads has had; never decreases.
    var least: Int64 = 0
  }

  private(set) var threads: [Thread]
  private(set) var isAmbiguous = false
  private var cores: [Core]
  private let slice: Int64
  /// How far from the others whoever wakes may be.
  private let credit: Int64
  private var now: Int64 = 0
  private var joins = 0

  /// Every script begins with a sleep, at another instant each.
  init(_ scripts: [[Operation]], cores count: Int, slice: Int64, credit: Int64) {
    threads = scripts.enumerated().map { Thread(script: $1[...], home: $0 % count) }
    cores = Array(repeating: Core(), count: count)
    self.slice = slice
    self.credit = credit
    for thread in threads.indices { goOn(thread) }
  }

  mutating func run(to end: Int64) {
    while now <= end {
      let due = threads.indices.filter { threads[$0].wakes == now }
      let through = cores.indices.filter {
        cores[$0].running.map { threads[$0].left == 0 } ?? false
      }
      let over = cores.indices.filter { !through.contains($0) && isSliceOver($0) }
      if due.count + through.count + over.count > 1 { isAmbiguous = true }
      for core in through { operationEnds(on: core) }
      for thread in due { wake(thread) }
      // One that is sent to another core may find the slice there over.
      while let core = cores.indices.first(where: isSliceOver) { sliceEnds(on: core) }
      guard now < end else { return }
      for core in cores {
        guard let thread = core.running else { continue }
        threads[thread].left -= 1
        threads[thread].had += 1
        threads[thread].cpu += 1
      }
      now += 1
    }
  }

  private func isSliceOver(_ core: Int) -> Bool {
    guard let running = cores[core].running, threads[running].left > 0 else { return false }
    return !cores[core].queue.isEmpty && now - cores[core].sliceBegan >= slice
  }

  private mutating func operationEnds(on core: Int) {
    guard let thread = cores[core].running else { return }
    goOn(thread)
    if threads[thread].left > 0 { return }
    noteLeast(of: core)
    cores[core].running = nil
    if let next = first(on: core) { return begin(take(next, from: core), on: core) }
    let longest = cores.map(\.queue.count).max() ?? 0
    guard longest > 0, let other = cores.firstIndex(where: { $0.queue.count == longest }),
      let oldest = cores[other].queue.first
    else { return }
    begin(take(oldest, from: other), on: core)
  }

  /// Takes up what the script says next.
  private mutating func goOn(_ thread: Int) {
    while true {
      guard let operation = threads[thread].script.popFirst() else {
        threads[thread].end = now
        return
      }
      switch operation {
      case .compute(let span):
        threads[thread].left = span.nanoseconds
        if threads[thread].left > 0 { return }
      case .sleep(let until):
        guard until.nanoseconds > now else { continue }
        threads[thread].wakes = until.nanoseconds
        return
      default: preconditionFailure("it knows computing and sleeping only")
      }
    }
  }

  private mutating func wake(_ thread: Int) {
    threads[thread].wakes = nil
    goOn(thread)
    guard threads[thread].left > 0 else { return }
    let home = threads[thread].home
    let idle = cores[home].running == nil ? home : cores.firstIndex { $0.running == nil }
    let core = idle ?? home
    move(thread, to: core)
    noteLeast(of: core)
    let least = cores[core].least
    threads[thread].had = min(max(threads[thread].had, least - credit), least + credit)
    if idle != nil { return begin(thread, on: core) }
    joinQueue(thread, of: core)
  }

  private mutating func joinQueue(_ thread: Int, of core: Int) {
    joins += 1
    threads[thread].joined = joins
    threads[thread].waitsSince = now
    cores[core].queue.append(thread)
  }

  private mutating func sliceEnds(on core: Int) {
    let shortest = cores.map(\.queue.count).min() ?? 0
    if cores[core].queue.count > shortest + 1,
      let other = cores.firstIndex(where: { $0.queue.count == shortest }),
      let oldest = cores[core].queue.first
    {
      _ = take(oldest, from: core)
      move(oldest, to: other)
      threads[oldest].waitsSince = now
      cores[other].queue.append(oldest)
      cores[other].queue.sort { threads[$0].joined < threads[$1].joined }
    }
    guard let running = cores[core].running else { return }
    guard let next = first(on: core), comes(next, before: running) else {
      cores[core].sliceBegan = now
      return
    }
    begin(take(next, from: core), on: core)
    joinQueue(running, of: core)
  }

  private func comes(_ waiting: Int, before running: Int) -> Bool {
    let (left, right) = (threads[waiting].had, threads[running].had)
    return left < right || (left == right && threads[waiting].waitsSince < now)
  }

  /// Of a core's queue the thread that has had least, the longest waiter among equals.
  private func first(on core: Int) -> Int? {
    cores[core].queue.min { threads[$0].had < threads[$1].had }
  }

  private mutating func take(_ thread: Int, from core: Int) -> Int {
    cores[core].queue.removeAll { $0 == thread }
    return thread
  }

  private mutating func begin(_ thread: Int, on core: Int) {
    move(thread, to: core)
    cores[core].running = thread
    cores[core].sliceBegan = now
  }

  /// It stays as far ahead of the others at a core, or behind them, as it was at the one before.
  private mutating func move(_ thread: Int, to core: Int) {
    let home = threads[thread].home
    guard home != core else { return }
    noteLeast(of: home)
    noteLeast(of: core)
    threads[thread].had += cores[core].least - cores[home].least
    threads[thread].home = core
  }

  private mutating func noteLeast(of core: Int) {
    let all = cores[core].queue + [cores[core].running].compactMap(\.self)
    if let least = all.map({ threads[$0].had }).min() {
      cores[core].least = max(cores[core].least, least)
    }
  }
}
