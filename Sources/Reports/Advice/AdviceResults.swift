public import Parsing
internal import FrameBudget

/// The content of an `advice.csv`: the current arrangement, the advised ones or the nearest one, their costs and certainty.
public struct AdviceResults: Sendable {
  let rows: [Row]
  private(set) var moves: [Move] = []

  package struct Row: Equatable, Sendable {
    let scenario: String
    package let arrangement: String
    let role: AdviceColumn.Role
    /// The changes to the current arrangement, in words.
    package let moves: String
    let change: Int
    let meetsAims: Bool
    package let outcome: Outcome
    let frames: Int?
    /// The costs of hand-offs, copies and waits for locks, in milliseconds.
    let price: StrategyPrice
    let certainty: AdviceCertainty
    let demand: Double?
    let capacity: Double?
    /// If nothing helps: frames that drawing alone drops.
    let drawingAlone: Int?
    let homes: [ServiceHome]
  }

  /// The results of frames and answers.
  package struct Outcome: Equatable, Sendable {
    package let dropped: Int
    let late: Int?
    package let pending: Int
  }

  /// The place of a service.
  struct ServiceHome: Equatable, Sendable {
    let service: String
    /// `main`, `lane background`, `lock catalogue`.
    let place: String
  }

  /// The gain of one of several moves.
  struct Move: Equatable, Sendable {
    let arrangement: String
    let words: String
    /// The outcome of all other moves without it, and of it alone; nil if that is impossible.
    let without: Outcome?
    let alone: Outcome?
  }

  /// The limit for arrangements of an advice.
  private static let maxRows = 1000

  /// Whether a file that begins with `opening` has the columns of an `advice.csv`.
  public static func recognises(_ opening: String) -> Bool {
    opening.prefix { !$0.isNewline }.contains(",verdict,arrangement,role,")
  }

  /// Reads the output of `advise --format csv` and `advise -o DIR/`, in any order of columns.
  public init(_ source: consuming ByteSource) throws(InputError) {
    var rows: [Row] = []
    let name = source.name
    let needed: [AdviceColumn] = [.scenario, .arrangement, .role, .places]
    try RecordFields.forEach(
      source, of: "advice.csv", needed: needed.map(\.rawValue), most: Self.maxRows
    ) { (line) throws(InputError) in rows.append(try Row(line)) }
    guard !rows.isEmpty else { throw InputError("holds no advice", file: name) }
    self.rows = rows
  }

  /// Reads the `moves.csv` beside it.
  public mutating func addMoves(_ source: consuming ByteSource) throws(InputError) {
    var moves: [Move] = []
    let needed: [AdviceColumn] = [.arrangement, .move, .droppedWithout, .droppedAlone]
    try RecordFields.forEach(
      source, of: "moves.csv", needed: needed.map(\.rawValue), most: Self.maxRows
    ) { (line) throws(InputError) in moves.append(try Move(line)) }
    self.moves = moves
  }

  var scenario: String { rows.first?.scenario ?? "" }
  package var today: Row? { rows.first { $0.role == .today } }
  /// The first advice.
  package var first: Row? { rows.first { $0.role == .advice } }
  var nearest: Row? { rows.first { $0.role == .nearest } }

  /// The arrangements that may be recommended, by name, the preferred one first: the advised ones; without any, the nearest
  /// one; without one, the current one.
  var recommended: [String] {
    let advised = rows.filter { $0.role == .advice }
    if !advised.isEmpty { return advised.map(\.arrangement) }
    return [nearest ?? today].compactMap(\.self).map(\.arrangement)
  }
}

extension RecordFields {
  fileprivate func text(_ column: AdviceColumn) -> String { text(column.rawValue) }

  fileprivate func number(_ column: AdviceColumn) throws(InputError) -> Double? {
    try number(column.rawValue)
  }

  fileprivate func count(_ column: AdviceColumn) throws(InputError) -> Int? {
    try count(column.rawValue)
  }

  /// Nil if the first column is empty.
  fileprivate func outcome(
    _ dropped: String, _ late: String, _ pending: String
  ) throws(InputError) -> AdviceResults.Outcome? {
    guard let count = try count(dropped) else { return nil }
    return AdviceResults.Outcome(
      dropped: count, late: try self.count(late), pending: try self.count(pending) ?? 0)
  }
}

extension AdviceResults.Row {
  fileprivate init(_ line: RecordFields) throws(InputError) {
    guard let role = AdviceColumn.Role(rawValue: line.text(.role)) else {
      throw InputError("\(InputError.quoted(line.text(.role))) in column role is not a role")
    }
    let outcome = try line.outcome(
      Metric.droppedFrames.name, Metric.responsesLate.name, Metric.itemsPending.name)
    guard let outcome else { throw InputError("column \(Metric.droppedFrames.name) is empty") }
    self.init(
      scenario: line.text(.scenario), arrangement: line.text(.arrangement), role: role,
      moves: line.text(.moves),
      change: try line.count(.change) ?? 0, meetsAims: line.text(.meetsAims) == "1",
      outcome: outcome, frames: try line.count(Metric.expectedFrames.name),
      price: StrategyPrice(
        lockWait: try line.number(.waiting) ?? 0, copying: try line.number(.copying) ?? 0,
        handOff: try line.number(.handOff) ?? 0),
      certainty: try Self.certainty(line), demand: try line.number(.demand),
      capacity: try line.number(.capacity), drawingAlone: try line.count(.drawingAlone),
      homes: Self.homes(line.text(.places)))
  }

  private static func certainty(_ line: RecordFields) throws(InputError) -> AdviceCertainty {
    let (variants, met) = (try line.count(.variants), try line.count(.variantsMet))
    let share = variants.flatMap { variants in
      met.map { AdviceCertainty.Share(met: $0, variants: variants) }
    }
    return AdviceCertainty(
      margin: try line.count(.margin), ends: AdviceCertainty.End.read(line.text(.marginEnds)),
      steadiness: share, isProven: try line.count(.proven).map { $0 == 1 })
  }

  /// Parses `gallery=main;hasher=lane background`.
  private static func homes(_ text: String) -> [AdviceResults.ServiceHome] {
    text.split(separator: AdviceColumn.separator).compactMap { entry in
      let parts = entry.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2 else { return nil }
      return AdviceResults.ServiceHome(service: parts[0], place: parts[1])
    }
  }
}

extension AdviceResults.Move {
  fileprivate init(_ line: RecordFields) throws(InputError) {
    func outcome(
      _ dropped: AdviceColumn, _ late: AdviceColumn, _ pending: AdviceColumn
    ) throws(InputError) -> AdviceResults.Outcome? {
      try line.outcome(dropped.rawValue, late.rawValue, pending.rawValue)
    }
    self.init(
      arrangement: line.text(.arrangement), words: line.text(.move),
      without: try outcome(.droppedWithout, .lateWithout, .pendingWithout),
      alone: try outcome(.droppedAlone, .lateAlone, .pendingAlone))
  }
}

/// The columns of `advice.csv`, `moves.csv` and the output of `explain` that the page reads, except metrics.
package enum AdviceColumn: String, Sendable {
  case scenario, arrangement
  // Columns of advice.
  case role, moves, change, places, demand, capacity, variants
  case meetsAims = "meets_aims"
  case handOff = "handoff_ms"
  case copying = "copying_ms"
  case waiting = "waiting_ms"
  case margin = "margin_pct"
  case drawingAlone = "drawing_alone_dropped"
  case variantsMet = "variants_met"
  case marginEnds = "margin_ends"
  case proven
  // Columns of moves.
  case move
  case droppedWithout = "without_dropped"
  case lateWithout = "without_late"
  case pendingWithout = "without_pending"
  case droppedAlone = "alone_dropped"
  case lateAlone = "alone_late"
  case pendingAlone = "alone_pending"
  // Columns of parts of an app.
  case part, frames, error, before, after, dropped, without, alone

  /// The role of an arrangement in advice.
  package enum Role: String, Sendable {
    case today, advice, nearest
  }

  /// The separator between services in `places`, and between moves.
  package static var separator: String { ";" }
}
