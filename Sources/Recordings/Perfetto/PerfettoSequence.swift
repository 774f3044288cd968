internal import Parsing

/// What packets of one sequence say once for those that follow.
struct PerfettoSequence {
  /// By their numbers within the sequence: those of the sink.
  var names: [UInt64: Int] = [:]
  var clock: UInt64?
  var track: UInt64?

  /// Forgets all: what follows says it anew.
  mutating func clear() { self = Self() }
}

/// A track of a trace: a thread, or something that belongs to one.
struct PerfettoTrack {
  var process: Int?
  var thread: Int?
}
