internal import FrameBudget

/// What the UI reads in a frame, one read after the other, and how old that is.
struct UIReads {
  private let reads: [ReadPlan]
  /// The read that comes next in this frame.
  private var place = 0
  /// How old the snapshot is that is about to be read.
  private var age = TimeSpan.zero
  private(set) var ages = StateAges()
  /// By read: when it last read state in place.
  private var readInPlace: ContiguousArray<Instant>

  init(_ plan: RunPlan) {
    reads = plan.reads
    readInPlace = ContiguousArray(repeating: .zero, count: reads.count)
  }

  mutating func restart() { place = 0 }

  /// Whether all of them are through.
  var isOver: Bool { place == reads.count }

  /// The lock that the next read takes; nil if it needs none.
  var lock: LockIndex? { reads[place].lock }

  /// Takes the newest snapshot where the next read is of one; returns what freeing the one before takes.
  mutating func takeSnapshot(from services: inout ServiceStates, at now: Instant) -> TimeSpan {
    guard reads[place].isSnapshot else { return .zero }
    let service = reads[place].service
    let freeing = services.takeSnapshot(of: service)
    age = services.age(of: service, at: now)
    return freeing
  }

  /// Begins to read; returns what that takes in the frame that began at `vsync`.
  mutating func begin(
    in services: inout ServiceStates, vsync: Int, at now: Instant
  ) -> TimeSpan {
    if reads[place].isSnapshot {
      ages.append(age)
    } else {
      ages.append(.zero)
      readInPlace[place] = now
      services.enter(reads[place].service)
    }
    return reads[place].cost(vsync: vsync)
  }

  /// Ends the read; returns the lock to be released.
  mutating func end(in services: inout ServiceStates) -> LockIndex? {
    defer { place += 1 }
    if !reads[place].isSnapshot { services.leave(reads[place].service) }
    return reads[place].lock
  }

  /// How old the state is that has been on the screen since a hang began that ends with the run: no read of it will tell.
  mutating func noteHang(
    _ services: borrowing ServiceStates, _ items: borrowing ItemProgress, of plan: RunPlan,
    at end: Instant
  ) {
    for (read, began) in zip(reads, readInPlace) {
      let newest = items.newestDone(in: read.service, of: plan, by: end)
      let missed = newest.flatMap { $0 > began ? end - $0 : nil } ?? .zero
      ages.append(read.isSnapshot ? services.age(of: read.service, at: end) : missed)
    }
  }
}
