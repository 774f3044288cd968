internal import FrameBudget
internal import Parsing

/// The certainty of advice: how often it holds, how far costs may grow, which aim fails then, and whether it is proven.
public struct AdviceCertainty: Equatable, Sendable {
  /// How far costs may grow with all aims met, in percent; nil if unknown.
  public let margin: Int?
  /// The same for each aim; empty if unknown.
  public let ends: [End]
  /// The number of runs, with other random numbers and arrival times, that meet the aims, and of all runs; nil if unknown.
  public let steadiness: Share?
  /// Whether it is proven to drop no frame at any phases; nil if no proof was tried.
  public let isProven: Bool?

  public struct Share: Equatable, Sendable {
    public let met: Int
    public let variants: Int

    public init(met: Int, variants: Int) { (self.met, self.variants) = (met, variants) }
  }

  /// How far costs may grow before one aim is missed.
  public struct End: Equatable, Sendable {
    /// The name of the aim's metric.
    public let metric: String
    /// The largest growth at which the aims are met, in percent.
    public let percent: Int
    /// Whether the search ended at this growth.
    public let isLimit: Bool

    public init(metric: String, percent: Int, isLimit: Bool) {
      (self.metric, self.percent, self.isLimit) = (metric, percent, isLimit)
    }
  }

  public init(margin: Int?, ends: [End], steadiness: Share?, isProven: Bool? = nil) {
    (self.margin, self.ends, self.steadiness) = (margin, ends, steadiness)
    self.isProven = isProven
  }

  // MARK: Words

  /// As sentences; empty if nothing is known.
  public var words: String {
    [runs, proof].filter { !$0.isEmpty }.joined(separator: " ")
  }

  private var proof: String {
    switch isProven {
    case true?: "It is proven that no frame is dropped at any phase of the arrivals."
    case false?: "It is not proven: with other phases frames may be dropped."
    case nil: ""
    }
  }

  /// The results of the runs.
  private var runs: String {
    let share = steadiness.map { "in \($0.met) of \($0.variants) runs\(Self.others)" }
    guard let growth, !isPoor else { return share.map { "It holds \($0)." } ?? "" }
    let most =
      ends.isEmpty ? "" : share == nil ? "in nine of ten runs\(Self.others) " : "in nine of ten "
    let all = [share, most + growth].compactMap(\.self)
    return (["It holds \(all.joined(separator: ", and "))."] + [ending].compactMap(\.self))
      .joined(separator: " ")
  }

  private static let others = " with other random numbers and arrival times"

  /// Whether it fails so often at today's costs that there is no margin.
  private var isPoor: Bool { steadiness.map { $0.met * 10 < $0.variants * 9 } ?? false }

  private var growth: String? {
    guard let margin else { return nil }
    if margin == 0 { return "with no higher costs" }
    let isLimit = !ends.isEmpty && ends.allSatisfy(\.isLimit)
    return isLimit ? "with costs \(margin) % higher" : "until costs are \(margin) % higher"
  }

  /// `Dropped frames end it; late responses would at 65 %.`
  private var ending: String? {
    guard let first = ends.filter({ !$0.isLimit }).min(by: { $0.percent < $1.percent }) else {
      return nil
    }
    let others = ends.filter { $0 != first }.sorted { $0.percent < $1.percent }
    // If different aims fail in different runs, all together fail earlier than each alone.
    let begin =
      first.percent == margin
      ? "\(first.what) end it" : "\(first.what) alone would end it at \(first.percent) %"
    let rest = others.map { end in
      end.isLimit
        ? "\(end.what) not up to \(end.percent) %" : "\(end.what) would at \(end.percent) %"
    }
    let text = ([begin] + (rest.isEmpty ? [] : [rest.joined(separator: ", ")])).joined(
      separator: "; ")
    return text.prefix(1).uppercased() + text.dropFirst() + "."
  }
}

extension AdviceCertainty.End {
  /// The problem when the aim fails: `late responses`
  public var what: String {
    switch metric {
    case Metric.droppedFrames.name: "dropped frames"
    case Metric.responsesLate.name: "late responses"
    case Metric.itemsPending.name: "undone items"
    default: metric
    }
  }
}

// As a field of advice.csv: `dropped_frames=42;items_pending=>400`
extension AdviceCertainty.End {
  public static func text(_ ends: [Self]) -> String {
    ends.map { "\($0.metric)=\($0.isLimit ? ">" : "")\($0.percent)" }
      .joined(separator: AdviceColumn.separator)
  }

  /// Skips texts that are not the growth of an aim.
  static func read(_ text: String) -> [Self] {
    text.split(separator: AdviceColumn.separator).compactMap { entry in
      let parts = entry.split(separator: "=", maxSplits: 1)
      guard parts.count == 2 else { return nil }
      let isLimit = parts[1].hasPrefix(">")
      return InputNumber.whole(parts[1].dropFirst(isLimit ? 1 : 0)).map { percent in
        Self(metric: String(parts[0]), percent: percent, isLimit: isLimit)
      }
    }
  }
}
