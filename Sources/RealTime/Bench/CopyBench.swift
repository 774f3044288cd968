internal import CLinux
internal import Concurrency
public import FrameBudget
internal import Synchronization

/// Measures what publishing snapshots costs: the copies of a state, and their release.
///
/// As in a run, one thread changes a service and publishes, another one shows the snapshot until the next is there and
/// then drops it, so that reference counts go to and fro between two processors.
public struct CopyBench: Sendable {
  /// The sizes of states that are measured, in records: from one that a core's own cache holds to one that none does.
  public static let sizes = [1000, 5000, 20_000, 60_000]

  public var repetitions: Int
  /// How many snapshots are made of each size in a repetition.
  public var snapshots: Int

  public init(repetitions: Int = 5, snapshots: Int = 60) {
    self.repetitions = repetitions
    self.snapshots = snapshots
  }

  /// The sizes in the order in which they are measured, with the repetition: interleaved.
  public var plan: [(records: Int, repetition: Int)] {
    (1...repetitions).flatMap { repetition in Self.sizes.map { ($0, repetition) } }
  }

  /// Measures a state of `records`.
  public func measure(records: Int, repetition: Int) throws(CarrierError) -> CopyMeasurement {
    let publishing = Publishing(records: records)
    let changer = try CarrierError.wrapping {
      try PlatformThread(name: "changer") { [snapshots] in
        for round in 1...snapshots { publishing.change(in: round) }
      }
    }
    let releases = publishing.show(snapshots)
    changer.join()
    // The first round copies what nobody has touched since it was made, and lays its memory out.
    guard let copy = HandOffMeasurement.Spread(Array(publishing.copies.dropFirst())),
      let release = HandOffMeasurement.Spread(Array(releases.dropFirst()))
    else { preconditionFailure("more than one snapshot") }
    return CopyMeasurement(records: records, repetition: repetition, copy: copy, release: release)
  }
}

/// A service that one thread changes and another one shows, in turn. Who waits does so awake.
private final class Publishing: Sendable {
  private let service: LiveService
  private let clock = RunClock()
  /// Rounds that were shown, and rounds that were published.
  private let shown = Atomic(0)
  private let published = Atomic(0)
  private let spans = Locked<[Int64]>([])

  init(records: Int) {
    service = LiveService(Service(name: "state", records: records), memory: 0, isPublished: true)
  }

  /// By round, what copying took.
  var copies: [Int64] { spans.withLock(\.self) }

  func change(in round: Int) {
    while shown.load(ordering: .acquiring) < round - 1 {}
    let copied = service.enter { $0.change(for: round, clock: clock) }
    guard let copied else { preconditionFailure("one thread at a time") }
    spans.withLock { $0.append(copied.nanoseconds) }
    service.publish(.perStep, in: round)
    published.store(round, ordering: .releasing)
  }

  /// Takes one snapshot after another; returns what dropping each one's predecessor took.
  func show(_ count: Int) -> [Int64] {
    guard let board = service.board else { preconditionFailure("a service that is published") }
    var held: Snapshot? = board.read().snapshot
    return (1...count).map { round in
      while published.load(ordering: .acquiring) < round {}
      let next = board.read().snapshot
      let began = clock.now
      held = next
      let took = clock.now - began
      shown.store(round, ordering: .releasing)
      withExtendedLifetime(held) {}
      return took.nanoseconds
    }
  }
}
