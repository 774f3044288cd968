package import FrameBudgetAdvice
internal import FrameBudget
internal import FrameBudgetParsing

/// The certainty of advice: how often it holds, how far costs may grow, which aim fails then, and whether it is proven.
package struct AdviceCertainty: Equatable, Sendable {
  /// How far costs may grow with all aims met, in percent; nil if unknown.
  package var margin: Int?
  /// The same for each aim; empty if unknown.
  package var ends: [End] = []
  /// How many runs with other random numbers and arrival times meet the aims; nil if unknown.
  package var steadiness: Steadiness?
  /// Whether it is proven to drop no frame at any phases; nil if no proof was tried.
  package var isProven: Bool?

  /// How far costs may grow before one aim is missed.
  package struct End: Equatable, Sendable {
    /// The name of the aim's metric.
    let metric: String
    /// The largest growth at which the aims are met, in percent.
    let percent: Int
    /// Whether the search ended at this growth.
    let isLimit: Bool
  }
}

extension AdviceCertainty {
  /// Of one proposal.
  package init(_ proposal: Proposal) {
    let margin = proposal.margins.first
    self.init(
      margin: margin?.percent,
      ends: margin?.ends.map {
        End(metric: $0.aim.metric, percent: $0.percent, isLimit: $0.isLimit)
      } ?? [],
      steadiness: proposal.steadiness, isProven: proposal.isProven)
  }

  /// Whether a small error in the costs would overturn it.
  package var isFragile: Bool {
    (margin ?? Margin.most) < Margin.fragile || steadiness?.isPoor ?? false
  }

  /// The aim that is missed first; nil if all are met at the largest growth.
  var end: End? { ends.filter { !$0.isLimit }.min { $0.percent < $1.percent } }

  // MARK: Words

  /// As sentences; empty if nothing is known.
  package var words: String {
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
    let share = steadiness.map { "in \($0.words)\(Self.others)" }
    guard let growth, steadiness?.isPoor != true else {
      return share.map { "It holds \($0)." } ?? ""
    }
    let most =
      ends.isEmpty ? "" : share == nil ? "in nine of ten runs\(Self.others) " : "in nine of ten "
    let all = [share, most + growth].compactMap(\.self)
    return (["It holds \(all.joined(separator: ", and "))."] + [ending].compactMap(\.self))
      .joined(separator: " ")
  }

  private static let others = " with other random numbers and arrival times"

  private var growth: String? {
    guard let margin else { return nil }
    if margin == 0 { return "with no higher costs" }
    let isLimit = !ends.isEmpty && ends.allSatisfy(\.isLimit)
    return isLimit ? "with costs \(margin) % higher" : "until costs are \(margin) % higher"
  }

  /// `Dropped frames end it; late responses would at 65 %.`
  private var ending: String? {
    guard let first = end else { return nil }
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
    return English.capitalized(text) + "."
  }
}

extension AdviceCertainty.End {
  /// The problem when the aim fails: `late responses`
  var what: String { Self.what(metric) }

  /// The problem when an aim for `metric` fails.
  package static func what(_ metric: String) -> String {
    switch metric {
    case Metric.droppedFrames.name: "dropped frames"
    case Metric.responsesLate.name: "late responses"
    case Metric.itemsPending.name, Metric.backlog.name: "undone items"
    default: metric
    }
  }

  /// As in advice.csv: `dropped_frames=42`, `items_pending=>400`
  var entry: String { "\(metric)=\(isLimit ? ">" : "")\(percent)" }

  /// Nil for a text that is not the growth of an aim.
  init?(entry: String) {
    guard let (metric, growth) = CellList.setting(entry) else { return nil }
    let isLimit = growth.hasPrefix(">")
    guard let percent = InputNumber.whole(growth.dropFirst(isLimit ? 1 : 0)) else { return nil }
    self.init(metric: metric, percent: percent, isLimit: isLimit)
  }
}
