internal import SchedulableThreads
internal import FrameBudget

/// A part of an item's work at one place, without a pause.
struct Piece: Hashable, Sendable {
  /// `main`, a scheduler's name, or a name for pool threads or for unobserved time.
  var place: String
  /// Processor time.
  var cpu: TimeSpan
  /// Time without processor use.
  var wait: TimeSpan
  /// The thread's nice value.
  var nice = 0
  /// Whether it may overtake waiting work at its place.
  var isUrgent = false
}

/// Computes the routes of all items from their measured segments.
struct ItemPieces {
  /// By item, in the order of their ids.
  private(set) var all: [[Piece]]
  private let measured: Measured
  private let shares: [Int64]
  private let actors: SharedActors
  private var slots = Slots()

  /// The shortest time between two segments that is more than a hand-off.
  private static let pause: Int64 = 50_000

  init(_ measured: Measured, _ loop: MainLoop.Events) {
    self.measured = measured
    shares = PoolShares(measured).cpu
    actors = SharedActors(measured)
    all = []
    var segments = [[WorkSegment]](repeating: [], count: measured.items.count)
    for segment in measured.segments where segment.place != Measured.pool {
      let place = Int(segment.item) - 1
      if segments.indices.contains(place) { segments[place].append(segment) }
    }
    for place in segments.indices {
      segments[place].sort { $0.began < $1.began }
      if loop.batch == .queued { segments[place] = Self.turns(of: segments[place]) }
    }
    let least = smallestGaps(segments)
    all = segments.indices.map { pieces(of: $0, segments[$0], least) }
  }

  /// The unobserved time of an item before each of its segments; nil without any.
  ///
  /// It excludes waiting for an actor, which follows from the other items there. A pause as short as a hand-off counts only if
  /// the item has no other pause in which it can have used the pool.
  private func gaps(_ item: Int, _ segments: [WorkSegment]) -> [Int64?] {
    var ended = Int64.max
    let pauses = segments.map { segment -> (span: Int64, isAway: Bool)? in
      defer { ended = max(ended == .max ? .min : ended, segment.ended) }
      guard segment.posted != 0, segment.posted > ended else { return nil }
      if let since = actors.servedSince(segment) { return (max(0, since - ended), true) }
      return (segment.posted - ended, segment.posted - ended > Self.pause)
    }
    let takesAll = shares[item] > 0 && !pauses.contains { $0?.isAway == true }
    return pauses.map { pause in pause.flatMap { $0.isAway || takesAll ? $0.span : nil } }
  }

  /// The segments of an item, joined where the main thread ran them in one turn: no frame ran between segments that were
  /// already posted when the first of them started.
  private static func turns(of segments: [WorkSegment]) -> [WorkSegment] {
    var turns: [WorkSegment] = []
    for segment in segments {
      if let first = turns.last, first.place == Measured.main, segment.place == Measured.main,
        segment.posted != 0, segment.posted <= first.began
      {
        turns[turns.count - 1] = WorkSegment(
          item: first.item, place: first.place, posted: first.posted, poster: first.poster,
          began: first.began, ended: segment.ended, cpu: first.cpu + segment.cpu,
          blocked: first.blocked + segment.blocked, isUrgent: first.isUrgent, nice: first.nice)
      } else {
        turns.append(segment)
      }
    }
    return turns
  }

  private struct Gap: Hashable {
    let workload: Int
    let place: Int
  }

  /// The shortest unobserved time among the items of a workload at each position of its route; more than that was waiting.
  private func smallestGaps(_ segments: [[WorkSegment]]) -> [Gap: Int64] {
    var least: [Gap: Int64] = [:]
    for (item, own) in segments.enumerated() {
      for (place, gap) in gaps(item, own).enumerated() {
        guard let gap else { continue }
        let key = Gap(workload: measured.items[item].workload, place: place)
        least[key] = min(least[key] ?? .max, gap)
      }
    }
    return least
  }

  private mutating func pieces(
    of item: Int, _ segments: [WorkSegment], _ least: [Gap: Int64]
  ) -> [Piece] {
    let gaps = gaps(item, segments)
    let workload = measured.items[item].workload
    let host = measured.workloads[actors.host(of: workload)].name
    let pool = "\(Measured.pool)-\(host)"
    let away = Int64(gaps.count { $0 != nil })
    var pieces: [Piece] = []
    for (place, segment) in segments.enumerated() {
      if gaps[place] != nil {
        let cpu = shares[item] / away
        // Without contention, shorter times are hand-offs.
        if cpu > Self.pause || actors.isShared(workload) {
          pieces.append(Piece(place: pool, cpu: .nanoseconds(cpu), wait: .zero))
        }
        let wait = (least[Gap(workload: workload, place: place)] ?? 0) - cpu
        if wait > Self.pause {
          let slot = slots.name(from: segment.posted - wait, to: segment.posted)
          pieces.append(Piece(place: slot, cpu: .zero, wait: .nanoseconds(wait)))
        }
      }
      pieces.append(Self.piece(segment))
    }
    if away == 0, shares[item] > 0 {
      pieces.append(Piece(place: pool, cpu: .nanoseconds(shares[item]), wait: .zero))
    }
    return pieces
  }

  private static func piece(_ segment: WorkSegment) -> Piece {
    Piece(
      place: segment.place, cpu: .nanoseconds(segment.cpu), wait: .nanoseconds(segment.blocked),
      nice: segment.nice, isUrgent: segment.isUrgent)
  }

  /// The same route in few pieces: the first piece, one piece for each other place, and one for the rest on main.
  static func folded(_ pieces: [Piece]) -> [Piece] {
    var places: [String] = []
    var sums: [String: Piece] = [:]
    for piece in pieces.dropFirst() {
      if sums[piece.place] == nil { places.append(piece.place) }
      var sum = sums[piece.place] ?? Piece(place: piece.place, cpu: .zero, wait: .zero)
      sum.cpu += piece.cpu
      sum.wait += piece.wait
      (sum.nice, sum.isUrgent) = (piece.nice, sum.isUrgent || piece.isUrgent)
      sums[piece.place] = sum
    }
    let away = places.filter { $0 != Measured.main } + [Measured.main]
    return pieces.prefix(1) + away.compactMap { sums[$0] }
  }
}

/// Names for concurrent work: one for each piece that runs at the same time, up to eight.
private struct Slots {
  private var busyUntil: [Int64] = []

  mutating func name(from: Int64, to: Int64) -> String {
    var place = busyUntil.firstIndex { $0 <= from } ?? busyUntil.count
    if place == 8 { place = busyUntil.indices.min { busyUntil[$0] < busyUntil[$1] } ?? 0 }
    if place == busyUntil.count { busyUntil.append(to) }
    busyUntil[place] = max(to, busyUntil[place])
    return place == 0 ? Measured.elsewhere : "\(Measured.elsewhere)-\(place + 1)"
  }
}

/// The costs of items on Swift's thread pool.
///
/// An actor runs all waiting jobs in one go, so an item's part of a piece is derived from the hand-backs. The costs of items of
/// one workload that arrived together are divided evenly.
struct PoolShares {
  /// Processor time of each item in nanoseconds, in the order of the ids.
  let cpu: [Int64]

  init(_ measured: Measured) {
    var sums: [Arrived: Int64] = [:]
    var counts: [Arrived: Int64] = [:]
    for item in measured.items { counts[Arrived(item), default: 0] += 1 }
    for segment in measured.poolSegments {
      let place = Int(segment.item) - 1
      guard measured.items.indices.contains(place) else { continue }
      sums[Arrived(measured.items[place]), default: 0] += segment.cpu
    }
    cpu = measured.items.map { item in
      let key = Arrived(item)
      return (sums[key] ?? 0) / max(1, counts[key] ?? 1)
    }
  }

  private struct Arrived: Hashable {
    let workload: Int
    let instant: Instant

    init(_ item: MeasuredItem) { (workload, instant) = (item.workload, item.arrival) }
  }
}

/// Which workloads share an actor, and how long their items wait there for each other.
///
/// An actor runs all waiting jobs in one go, on the thread of the first. An item that had to wait therefore returns to the main
/// actor from within a piece of another item. In the model, workloads that share an actor share a lane.
struct SharedActors {
  /// By workload: the first workload that it shares an actor with, directly or indirectly.
  private var first: [Int]
  /// The start of the piece in which an item was served.
  private var served: [Return: Int64] = [:]

  private struct Return: Hashable {
    let item: UInt32
    let posted: Int64
  }

  init(_ measured: Measured) {
    first = Array(measured.workloads.indices)
    var pieces: [UInt32: [WorkSegment]] = [:]
    for segment in measured.segments where segment.place == Measured.pool {
      pieces[segment.item, default: []].append(segment)
    }
    for segment in measured.segments where segment.poster != segment.item {
      let piece = pieces[segment.poster]?.first {
        $0.began <= segment.posted && segment.posted <= $0.ended
      }
      guard let piece, let item = measured[segment.item], let host = measured[segment.poster]
      else { continue }
      served[Return(item: segment.item, posted: segment.posted)] = piece.began
      join(item.workload, host.workload)
    }
  }

  private mutating func join(_ some: Int, _ other: Int) {
    let (kept, joined) = (min(first[some], first[other]), max(first[some], first[other]))
    for place in first.indices where first[place] == joined { first[place] = kept }
  }

  /// The workload that names the lane of `workload`.
  func host(of workload: Int) -> Int { first[workload] }

  /// Whether `workload` shares an actor with others.
  func isShared(_ workload: Int) -> Bool { first.count { $0 == first[workload] } > 1 }

  /// The start of another item's piece from which `segment` was handed back; nil if there is none.
  func servedSince(_ segment: WorkSegment) -> Int64? {
    served[Return(item: segment.item, posted: segment.posted)]
  }
}

extension Measured {
  /// The item with that id, if it exists.
  subscript(id: UInt32) -> MeasuredItem? {
    let place = Int(id) - 1
    return items.indices.contains(place) ? items[place] : nil
  }
}

/// Pieces on the pool, split where an actor that ran several items' jobs in one go handed an item back.
///
/// The piece belongs to the item of its first job. Each job ends with a post: to the main actor, another actor or the pool. So
/// the time up to a post belongs to the posted item.
struct SplitPieces {
  private(set) var segments: [WorkSegment] = []
  /// The workloads whose times in a shared piece are estimates, because the thread lost its processor within the piece.
  private(set) var uncertain: Set<Int> = []

  /// The share of a piece in which its thread must have run for its times to be reliable.
  private static let reliable = 0.8
  /// The shortest piece that counts, in nanoseconds.
  private static let short: Int64 = 100_000

  init(_ all: [WorkSegment], items: [MeasuredItem]) {
    var posts: [UInt32: [WorkSegment]] = [:]
    for segment in all where segment.poster != 0 && segment.posted != 0 {
      posts[segment.poster, default: []].append(segment)
    }
    for poster in posts.keys { posts[poster]?.sort { $0.posted < $1.posted } }
    for piece in all where piece.place == Measured.pool {
      let own = (posts[piece.item] ?? []).filter {
        piece.began < $0.posted && $0.posted <= piece.ended
      }
      split(piece, at: own, items)
    }
  }

  private mutating func split(
    _ piece: WorkSegment, at posts: [WorkSegment], _ items: [MeasuredItem]
  ) {
    guard posts.contains(where: { $0.item != piece.item }) else { return segments.append(piece) }
    let span = Double(piece.ended - piece.began)
    var from = piece.began
    for (item, end) in posts.map({ ($0.item, $0.posted) }) + [(piece.item, piece.ended)]
    where end > from {
      let part = Double(end - from) / span
      segments.append(
        WorkSegment(
          item: item, place: piece.place, posted: piece.posted, poster: piece.poster, began: from,
          ended: end, cpu: Int64(Double(piece.cpu) * part),
          blocked: Int64(Double(piece.blocked) * part), nice: piece.nice))
      from = end
    }
    guard span > Double(Self.short), Double(piece.cpu) < Self.reliable * span else { return }
    for id in posts.map(\.item) + [piece.item] where items.indices.contains(Int(id) - 1) {
      uncertain.insert(items[Int(id) - 1].workload)
    }
  }
}

/// The raw data of a measurement.
struct Measured: Sendable {
  /// Names of the places that are not schedulers.
  static let main = ObservedWork.mainPlace
  static let pool = "pool"
  static let elsewhere = "elsewhere"

  /// Whether a place is a scheduler, where each piece is an event.
  static func isScheduler(_ place: String) -> Bool {
    place != main && !place.hasPrefix(pool) && !place.hasPrefix(elsewhere)
  }

  /// The loop's log, the same as that of a run.
  let log: RunLog
  let workloads: [MeasuredWorkload]
  /// In the order of their ids, which begin at 1.
  let items: [MeasuredItem]
  /// Ordered by their ends.
  let segments: [WorkSegment]
  /// Undeclared work of the main thread, in order of time.
  let undeclared: [UndeclaredWork.Piece]
  /// Processor time of the drawing closure by frame; empty if a fixed time was given.
  let renders: [TimeSpan]
  /// Durations of the probe on the main thread while it was idle, in nanoseconds of processor time.
  let probes: [Int64]
  /// The same on the thread of `LoopWatch`.
  var watchProbes: [Int64] = []
  /// Nil where the system does not count it.
  var hostLoad: HostLoad?
  /// Whether all work of items on the main actor was observed.
  let seesMain: Bool
  /// Time 0, on the clock of the segments.
  let zero: Int64
  /// Processor time in nanoseconds of each job of the main actor that no item started.
  let foreign: [Int64]
  /// Whether work waited in a run loop that no thread runs.
  let hasUnservedLoop: Bool
  /// The pieces on the pool, each of one item.
  let poolSegments: [WorkSegment]
  /// Workloads that share an actor, and whose times there are estimates.
  let uncertain: Set<Int>

  init(
    log: RunLog, workloads: [MeasuredWorkload], items: [MeasuredItem], segments: [WorkSegment],
    undeclared: [UndeclaredWork.Piece], renders: [TimeSpan], probes: [Int64], seesMain: Bool,
    zero: Int64, foreign: [Int64] = [], hasUnservedLoop: Bool = false
  ) {
    (self.log, self.workloads, self.items) = (log, workloads, items)
    (self.segments, self.undeclared, self.renders) = (segments, undeclared, renders)
    (self.probes, self.seesMain, self.zero) = (probes, seesMain, zero)
    (self.foreign, self.hasUnservedLoop) = (foreign, hasUnservedLoop)
    let split = SplitPieces(segments, items: items)
    (poolSegments, uncertain) = (split.segments, split.uncertain)
  }
}

/// A declared workload.
struct MeasuredWorkload: Sendable {
  let name: String
  let respondWithin: TimeSpan?
  var isInput = false
}

/// A started item.
struct MeasuredItem: Sendable {
  let workload: Int
  /// Its number within the workload.
  let number: Int
  let arrival: Instant
  /// When its closure returned; nil before.
  var ended: Instant?
}
