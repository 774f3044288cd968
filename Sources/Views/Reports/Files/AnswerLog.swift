internal import FrameBudget
internal import FrameBudgetParsing

/// The arrivals of items with responses, and the time of each answer.
struct AnswerLog: Hashable, Sendable {
  let workload: String
  let allowed: TimeSpan
  /// In the order of arrival.
  var answers: [Answer] = []

  struct Answer: Hashable, Sendable {
    let arrival: Instant
    /// The vsync that showed the answer; nil if the run ended before.
    let shown: Instant?

    /// Whether it came later than `allowed`, or has been open for longer at `end`.
    func isLate(_ allowed: TimeSpan, at end: Instant) -> Bool {
      (shown ?? max(end, arrival)) - arrival > allowed
    }
  }

  /// Nil for a workload without responses; without cancelled items.
  init?(_ log: ItemLog, lastVsync: Instant) {
    guard let allowed = log.respondWithin else { return nil }
    workload = log.workload
    self.allowed = allowed
    answers = log.awaited.map { arrival, shown in
      Answer(arrival: arrival, shown: shown.flatMap { $0 <= lastVsync ? $0 : nil })
    }
  }

  init(workload: String, allowed: TimeSpan, answers: [Answer]) {
    (self.workload, self.allowed, self.answers) = (workload, allowed, answers)
  }

  var json: JSON {
    func milliseconds(_ instant: Instant?) -> JSON { JSON(instant?.sinceZero.inMilliseconds) }
    return .object([
      ("workload", .text(workload)), ("respond_within_ms", JSON(allowed.inMilliseconds)),
      ("arrived_ms", .array(answers.map { milliseconds($0.arrival) })),
      ("shown_ms", .array(answers.map { milliseconds($0.shown) })),
    ])
  }

  /// Reads the output of `json`.
  init(_ reader: inout JSONReader) throws(InputError) {
    var (workload, allowed) = ("", TimeSpan.zero)
    var (arrived, shown): ([Instant?], [Instant?]) = ([], [])
    try reader.object { (reader, key) throws(InputError) in
      switch key {
      case "workload": workload = try reader.string()
      case "respond_within_ms": allowed = try Self.instant(&reader)?.sinceZero ?? .zero
      case "arrived_ms": arrived = try reader.elements(Self.instant)
      case "shown_ms": shown = try reader.elements(Self.instant)
      default: try reader.skip()
      }
    }
    let known = arrived.compactMap(\.self)
    guard known.count == arrived.count, shown.count == arrived.count else {
      throw reader.failure("arrived_ms and shown_ms should be lists of the same length")
    }
    self.init(
      workload: workload, allowed: allowed,
      answers: zip(known, shown).map { Answer(arrival: $0, shown: $1) })
  }

  private static func instant(_ reader: inout JSONReader) throws(InputError) -> Instant? {
    switch try reader.fixedPoint(places: 6) {
    case .missing: return nil
    case .value(let nanoseconds) where InputTime.spans.contains(nanoseconds):
      return Instant(nanoseconds: nanoseconds)
    default: throw reader.failure("a number of ms within a day, or null, is expected here")
    }
  }
}
