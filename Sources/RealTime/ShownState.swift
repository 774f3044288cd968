internal import FrameBudget

/// The state that the UI shows, and how old it was when it was read.
struct ShownState {
  private(set) var ages = StateAges()
  /// By read: the snapshot that is shown, held until the next frame replaces it.
  private var snapshots: [Snapshot?]
  /// By read: when it last read state in place.
  private var readInPlace: [Instant]

  init(_ plan: RunPlan) {
    snapshots = Array(repeating: nil, count: plan.reads.count)
    readInPlace = Array(repeating: .zero, count: plan.reads.count)
  }

  /// Forgets the ages that were noted up to now, and makes room for those of so many frames.
  mutating func restart(frames: Int) {
    ages = StateAges()
    ages.reserve(snapshots.count * frames)
  }

  /// The newest snapshot on `board`, whose age is noted.
  mutating func look(at board: SnapshotBoard, clock: RunClock) -> Snapshot {
    let (snapshot, missesSince) = board.read()
    ages.append(missesSince.map { clock.now - $0 } ?? .zero)
    return snapshot
  }

  /// Shows `snapshot` from now on: drops the one before.
  mutating func show(_ snapshot: Snapshot, at read: Int) { snapshots[read] = snapshot }

  /// Notes a read in place, which begins `now`.
  mutating func beganInPlace(_ read: Int, at now: Instant) {
    readInPlace[read] = now
    ages.append(.zero)
  }

  /// How old the state is that has been on the screen since a hang began that ends with the run: no read of it will tell.
  mutating func noteHang(
    of plan: RunPlan, _ services: LiveServices, _ items: borrowing ItemLedger, at end: Instant
  ) {
    for (index, read) in plan.reads.enumerated() {
      let newest = items.newestDone(in: read.service, of: plan, by: end)
      let isMissed =
        if let board = services.board(of: read.service) {
          snapshots[index].map(board.hasChanged) ?? false
        } else {
          newest.map { $0 > readInPlace[index] } ?? false
        }
      ages.append(isMissed ? newest.map { end - $0 } ?? .zero : .zero)
    }
  }
}
