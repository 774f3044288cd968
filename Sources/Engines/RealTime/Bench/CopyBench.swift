internal import CFrameBudgetLinux
internal import SchedulableThreads
public import FrameBudget
internal import Synchronization

/// Measures the cost of publishing snapshots: the copies of a state, and their release.
///
/// As in a run, one thread changes a service and publishes; another thread shows the snapshot until the next one arrives and
/// then drops it. Reference counts so move between two processors.
public struct CopyBench: Sendable {
  /// The measured sizes of states, in records: from one that fits into a core's own cache to one that does not fit into any.
  public static let sizes = [1000, 5000, 20_000, 60_000]

  public var repetitions: Int
  /// The number of snapshots of each size in a repetition.
  public var snapshots: Int

  public init(repetitions: Int = 5, snapshots: Int = 60) {
    self.repetitions = repetitions
    self.snapshots = snapshots
  }

  /// The sizes in the order of measurement, with the repetition: interleaved.
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
    // The first round copies memory that was not used since its allocation.
    guard let copy = HandOffMeasurement.Spread(Array(publishing.copies.dropFirst())),
      let release = HandOffMeasurement.Spread(Array(releases.dropFirst()))
    else { preconditionFailure("more than one snapshot") }
    return CopyMeasurement(records: records, repetition: repetition, copy: copy, release: release)
  }
}

/// A service that one thread changes and another one shows, in turn. Both wait by spinning.
private final class Publishing: Sendable {
  private let service: LiveService
  private let clock = RunClock()
  /// The numbers of shown rounds and of published rounds.
  private let shown = Atomic(0)
  private let published = Atomic(0)
  private let spans = Locked<[Int64]>([])

  init(records: Int) {
    service = LiveService(Service(name: "state", records: records), memory: 0, isPublished: true)
  }

  /// The duration of each round's copy.
  var copies: [Int64] { spans.withLock(\.self) }

  func change(in round: Int) {
    while shown.load(ordering: .acquiring) < round - 1 {}
    let copied = service.enter { $0.change(for: round, clock: clock) }
    guard let copied else { preconditionFailure("one thread at a time") }
    spans.withLock { $0.append(copied.nanoseconds) }
    service.publish(.perStep, in: round)
    published.store(round, ordering: .releasing)
  }

  /// Takes one snapshot after another; returns the durations of dropping the previous ones.
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
