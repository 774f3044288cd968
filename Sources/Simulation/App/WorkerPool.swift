internal import FrameBudget

/// A pool of threads that serves several lanes, as Dispatch has one for each class of service: as many as there are
/// cores, and one more each time that the monitor finds some of them blocked.
///
/// Whatever is posted to one of its lanes waits in one line. A worker takes a lane's seat, which is what a thread of the
/// lane is elsewhere: it has the item, its stage, its trace.
struct WorkerPool {
  /// Where its workers wait, and where those wait that only the monitor wakes.
  let queue: QueueIndex
  let spares: QueueIndex
  /// Its lanes have this nice value.
  let nice: Int
  /// How many workers it has as long as none blocks.
  let width: Int
  /// The lanes for which there is an event, first come first.
  private var line = LaneLine()
  /// Events that no worker has been told of, and workers that wait for one: as the machine counts them.
  private var untold = 0
  private var waiting = 0

  init(nice: Int, width: Int, queue: QueueIndex, spares: QueueIndex) {
    self.nice = nice
    self.width = width
    self.queue = queue
    self.spares = spares
  }

  /// Whether no event waits for a worker.
  var isLineEmpty: Bool { line.isEmpty }

  /// Whether there is an event that nobody has been woken for.
  var hasBacklog: Bool { untold > 0 }

  /// An event of `lane` comes into the line.
  mutating func append(_ lane: LaneIndex) {
    line.append(lane)
    if waiting > 0 { waiting -= 1 } else { untold += 1 }
  }

  /// A worker looks for an event, and sleeps if there is none.
  mutating func look() { if untold > 0 { untold -= 1 } else { waiting += 1 } }

  /// The lane of the first event in the line, for the worker that was told of one.
  mutating func take() -> LaneIndex {
    guard let lane = line.popFirst() else { preconditionFailure("a lane for each event") }
    return lane
  }
}

/// Lanes in a row: a ring, whose size is a power of two.
private struct LaneLine {
  private var lanes = ContiguousArray(repeating: LaneIndex.main, count: 16)
  private var head = 0
  private var count = 0

  var isEmpty: Bool { count == 0 }

  mutating func append(_ lane: LaneIndex) {
    if count == lanes.count { grow() }
    lanes[(head + count) & (lanes.count - 1)] = lane
    count += 1
  }

  mutating func popFirst() -> LaneIndex? {
    guard count > 0 else { return nil }
    defer {
      head = (head + 1) & (lanes.count - 1)
      count -= 1
    }
    return lanes[head]
  }

  private mutating func grow() {
    var larger = ContiguousArray(repeating: LaneIndex.main, count: lanes.count * 2)
    for place in 0..<count { larger[place] = lanes[(head + place) & (lanes.count - 1)] }
    lanes = larger
    head = 0
  }
}
