internal import FrameBudget
public import Parsing

/// The output of `explain`: the parts of an app that cause its dropped frames, or its new ones.
public struct ExplainedResults: Sendable {
  let scenario: String
  let kind: Kind

  enum Kind: Equatable, Sendable {
    /// For two scenarios: the frames that each changed part accounts for.
    case shares([Share], before: Double, after: Double)
    /// For one scenario: its dropped frames without each part.
    case parts([PartDrops], dropped: Double)
  }

  struct Share: Equatable, Sendable {
    let part: String
    /// Dropped frames; negative if the part saves some.
    let frames: Double
    /// Half of a 95 % interval, if orders of the parts were drawn.
    let error: Double?
  }

  struct PartDrops: Equatable, Sendable {
    let part: String
    let without: Double
    let alone: Double
  }

  /// The limit for parts of an app.
  private static let maxRows = 10_000

  /// Whether a file that begins with `opening` has the columns of such an output.
  public static func recognises(_ opening: String) -> Bool {
    let line = opening.prefix { !$0.isNewline }
    return line.contains(shares) || line.contains(",part,dropped,without,alone")
  }

  private static let shares = ",part,frames,numerator,denominator,"

  /// Reads the output of `explain --format csv`, in any order of columns.
  public init(_ source: consuming ByteSource) throws(InputError) {
    let name = source.name
    let opening = String(decoding: try source.peek(4096), as: UTF8.self)
    let isOfShares = opening.prefix { !$0.isNewline }.contains(Self.shares)
    var lines: [RecordFields] = []
    let needed: [AdviceColumn] =
      isOfShares ? [.part, .frames, .before, .after] : [.part, .dropped, .without, .alone]
    try RecordFields.forEach(
      source, of: "file of 'explain'", needed: needed.map(\.rawValue), most: Self.maxRows
    ) { (line) throws(InputError) in lines.append(line) }
    guard let last = lines.last else { throw InputError("holds no parts", file: name) }
    scenario = last.text(AdviceColumn.scenario.rawValue)
    kind = isOfShares ? try Self.shares(lines, last) : try Self.parts(lines, last)
  }

  private static func shares(
    _ lines: [RecordFields], _ last: RecordFields
  ) throws(InputError) -> Kind {
    let shares = try lines.map { (line) throws(InputError) in
      Share(
        part: line.text(AdviceColumn.part.rawValue),
        frames: try line.required(AdviceColumn.frames.rawValue),
        error: try line.number(AdviceColumn.error.rawValue))
    }
    return .shares(
      shares, before: try last.required(AdviceColumn.before.rawValue),
      after: try last.required(AdviceColumn.after.rawValue))
  }

  private static func parts(
    _ lines: [RecordFields], _ last: RecordFields
  ) throws(InputError) -> Kind {
    let parts = try lines.map { (line) throws(InputError) in
      PartDrops(
        part: line.text(AdviceColumn.part.rawValue),
        without: try line.required(AdviceColumn.without.rawValue),
        alone: try line.required(AdviceColumn.alone.rawValue))
    }
    return .parts(parts, dropped: try last.required(AdviceColumn.dropped.rawValue))
  }
}
