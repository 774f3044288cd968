internal import Concurrency
internal import FrameBudget

/// One piece of an item's way: at one place, without a pause.
struct Piece: Hashable, Sendable {
  /// `main`, a scheduler's name, or what stands for threads of the pool or for time that nobody saw.
  var place: String
  /// Processor time.
  var cpu: TimeSpan
  /// Time in which it used none.
  var wait: TimeSpan
  /// Nice value of its thread.
  var nice = 0
  /// Whether it may overtake what waits at its place.
  var isUrgent = false
}

/// The ways of all items, from the segments that were measured of them.
struct ItemPieces {
  /// By item, in the order of their ids.
  private(set) var all: [[Piece]]
  private let measured: Measured
  private let shares: [Int64]
  private let actors: SharedActors
  private var slots = Slots()

  /// Time between two segments that is more than handing over takes.
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
    let least = leastGaps(segments)
    all = segments.indices.map { pieces(of: $0, segments[$0], least) }
  }

  /// How long an item was nowhere that is seen, before each of its segments; nil where it was not away.
  ///
  /// What it waited for its turn on an actor is not among it, as that follows from the others there. A pause that is no longer
  /// than handing over takes counts where there is no other one that it can have used the pool in.
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

  /// The segments of an item, with those in one that the main thread ran in one turn: what had been posted when the first of
  /// them began had no frame between it.
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

  /// The shortest that some item of a workload was away at a place of its way: what is more than that was waiting for others.
  private func leastGaps(_ segments: [[WorkSegment]]) -> [Gap: Int64] {
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
        // Where nobody else is to be met, less than that is handing over.
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

  /// The same in few pieces: the first one, all that was done at each other place in one, and the rest on main in one.
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

/// Names for what goes on at the same time: as many as there is at once, up to eight.
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

/// What items took of Swift's pool of threads.
///
/// An actor runs all that waits for it in one go, so whose work a piece on the pool was is not always known: what items of one
/// workload that arrived together took there is shared evenly among them.
struct PoolShares {
  /// By item, in the order of their ids: nanoseconds of processor time.
  let cpu: [Int64]

  init(_ measured: Measured) {
    var sums: [Arrived: Int64] = [:]
    var counts: [Arrived: Int64] = [:]
    for item in measured.items { counts[Arrived(item), default: 0] += 1 }
    for segment in measured.segments where segment.place == Measured.pool {
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

/// Which workloads meet on an actor, and how long their items wait there for one another.
///
/// An actor runs all that waits for it in one go, on the thread of whoever came first. So an item that had to wait is handed
/// back to the main actor from within a piece of another one. Workloads that meet take turns, in the model on one lane.
struct SharedActors {
  /// By workload: the first of those that it meets, directly or by way of others.
  private var first: [Int]
  /// Since when the piece ran in which an item was served.
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

  /// Which workload the lane is named by on which items of `workload` have their turn.
  func host(of workload: Int) -> Int { first[workload] }

  /// Whether items of `workload` meet those of others.
  func isShared(_ workload: Int) -> Bool { first.count { $0 == first[workload] } > 1 }

  /// Since when another item's piece ran that `segment` was handed back from; nil where none did.
  func servedSince(_ segment: WorkSegment) -> Int64? {
    served[Return(item: segment.item, posted: segment.posted)]
  }
}

extension Measured {
  /// The item of that id; nil where there is none.
  subscript(id: UInt32) -> MeasuredItem? {
    let place = Int(id) - 1
    return items.indices.contains(place) ? items[place] : nil
  }
}

/// What a measurement found out, before anything is concluded from it.
struct Measured: Sendable {
  /// What the places are called that are no scheduler's.
  static let main = "main"
  static let pool = "pool"
  static let elsewhere = "elsewhere"

  /// Whether a place is a scheduler's: there each piece is an event.
  static func isScheduler(_ place: String) -> Bool {
    place != main && !place.hasPrefix(pool) && !place.hasPrefix(elsewhere)
  }

  /// The loop's own books, in the terms of every run.
  let log: RunLog
  let workloads: [MeasuredWorkload]
  /// In the order of their ids, which begin at 1.
  let items: [MeasuredItem]
  /// In the order in which they ended.
  let segments: [WorkSegment]
  /// Work of the main thread that is no item's, in the order of time.
  let undeclared: [UndeclaredWork.Piece]
  /// Processor time of the drawing closure, frame by frame; empty where a time was stated.
  let renders: [TimeSpan]
  /// How long the same little work took, all through the measurement.
  var probes: [Int64]
  /// Whether all that items did on the main actor was seen.
  let seesMain: Bool
  /// Time 0 on the clock of the segments.
  let zero: Int64
}

/// A workload as it was declared.
struct MeasuredWorkload: Sendable {
  let name: String
  let respondWithin: TimeSpan?
  var isInput = false
}

/// An item that arrived and was begun.
struct MeasuredItem: Sendable {
  let workload: Int
  /// Its place in its workload.
  let number: Int
  let arrival: Instant
  /// When its closure returned; nil while it has not.
  var ended: Instant?
}
