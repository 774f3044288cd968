internal import Concurrency
internal import FrameBudget

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
