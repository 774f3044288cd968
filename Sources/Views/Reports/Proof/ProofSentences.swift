internal import FrameBudgetAdvice
internal import FrameBudget

/// An answer of `prove` in sentences.
package struct ProofSentences {
  private let row: ProofRecord

  package init(_ row: ProofRecord) { self.row = row }

  /// The answer, then its reasons.
  package var all: [String] { [answer, left, bound, search].filter { !$0.isEmpty } }

  private var answer: String {
    switch row.verdict {
    case .proven:
      let most = row.mostDropped ?? 0
      let claim =
        most == 0
        ? "No frame is dropped"
        : "At most \(English.count(most, "frame")) \(most == 1 ? "is" : "are") dropped"
      return "\(row.label): proven. \(claim), for any phase of any workload\(growth)."
    case .refuted:
      let frames = English.count(row.dropped ?? 0, "frame")
      return
        "\(row.label): refuted. \(phases), \(frames) \(row.dropped == 1 ? "is" : "are") dropped."
    case .open:
      guard row.limit > 0 else {
        return "\(row.label): open. No dropped frame was found, but none is ruled out."
      }
      return
        "\(row.label): open. No run was found that drops more than \(English.count(row.limit, "frame")), but this is not ruled out."
    }
  }

  /// A proof is about frames alone.
  private var left: String {
    guard let left = row.left, left > 0, row.verdict != .refuted else { return "" }
    return "But as stated, \(English.count(left, "item")) \(left == 1 ? "is" : "are") left undone."
  }

  private var phases: String {
    let starts = row.starts.map { "\($0.workload) at \($0.at)" }
    if starts.isEmpty {
      return row.hasLargestCosts ? "With the largest costs" : "As the scenario is stated"
    }
    return "With \(English.list(starts))\(row.hasLargestCosts ? " and the largest costs" : "")"
  }

  private var growth: String {
    guard let growth = row.growth else { return "" }
    if growth == FrameBound.maxGrowth { return ", for any costs" }
    guard growth > 1000 else { return "" }
    let costs = "with costs up to \(Self.times(growth)) those stated"
    return row.isKept && row.limit == 0 ? ", \(costs)" : "; no more than \(row.limit) \(costs)"
  }

  /// Rounded down, because a larger factor is not proven.
  private static func times(_ thousandths: Int) -> String {
    let places = thousandths < 100 ? 3 : 2
    let unit = places == 2 ? 10 : 1
    return "\(Decimal.text(Double(thousandths / unit * unit) / 1000, places: places)) times"
  }

  private var bound: String {
    guard let name = row.tightest, let use = row.use else {
      let gaps = row.gaps.map { "\($0.reason) (\($0.remedy))" }
      return "No bound: \(gaps.joined(separator: "; "))."
    }
    let parts = Self.words(of: row.parts)
    let filled = parts.isEmpty ? "" : ": \(English.list(parts))"
    if row.isKept { return "Tightest is \(name), \(use)\(filled).\(putOff)" }
    let sentence = "By the bound, \(name) takes up to \(use)\(filled).\(drops)"
    if row.verdict == .proven { return sentence }
    guard let growth = row.growth else { return "\(sentence) No smaller costs would prove it." }
    return growth < 1000
      ? "\(sentence) It would be proven with \(Self.times(growth)) the costs." : sentence
  }

  /// The price of parts that are spread, of which nothing is proven.
  private var putOff: String {
    let parts = row.parts.filter { $0.kind == .spread }.map(\.name)
    return parts.isEmpty
      ? ""
      : " How long frames are incomplete is not bounded: what they put off of \(English.list(parts)) may wait."
  }

  private var drops: String {
    guard let most = row.mostDropped, let inARow = row.mostInARow else { return "" }
    return
      " No run drops more than \(English.count(most, "frame")), or more than \(inARow) in a row."
  }

  private static let maxParts = 8

  /// Each part; if there are more than eight, the largest ones, and the sum of the others.
  private static func words(of parts: [FrameBound.Part]) -> [String] {
    guard parts.count > maxParts else { return parts.map(words) }
    let order = parts.indices.sorted { (parts[$1].total, $0) < (parts[$0].total, $1) }
    let largest = order.prefix(maxParts - 1).sorted()
    let others = order.dropFirst(maxParts - 1)
    let rest = others.reduce(0.0) { $0 + parts[$1].total.inMilliseconds }
    return largest.map { words(parts[$0]) }
      + ["\(others.count) others, together \(Figure.span(milliseconds: rest))"]
  }

  /// `logic of upload 3 × 2.6 ms`
  private static func words(_ part: FrameBound.Part) -> String {
    let name = part.name.isEmpty ? "" : " of \(part.name)"
    let each = Figure.span(milliseconds: part.each.inMilliseconds)
    return "\(part.kind.rawValue)\(name) \(part.count == 1 ? "" : "\(part.count) × ")\(each)"
  }

  private var search: String {
    let cut = row.isComplete ? "" : " until the search was interrupted"
    guard row.verdict == .open, let longest = row.longest else {
      return row.isComplete ? "" : "The search for worse runs was interrupted."
    }
    let figure = Figure.text(longest.inMilliseconds)
    return "The longest frame of \(English.count(row.runs, "run")) took \(figure) ms\(cut)."
  }
}
