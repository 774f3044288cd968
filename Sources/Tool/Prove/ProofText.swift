internal import FrameBudget
internal import Parsing
internal import Proving
internal import Reports

/// Proofs for people: an answer for each strategy, and what it rests on.
struct ProofText {
  private let rows: [ProofRow]
  private let width: Int
  private let isColored: Bool

  init(_ rows: [ProofRow], width: Int, isColored: Bool) {
    self.rows = rows
    self.width = width
    self.isColored = isColored
  }

  var text: String {
    let parts = [wrapped(heading)] + rows.map(lines)
    return parts.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") + "\n" }
      .joined(separator: "\n")
  }

  private func wrapped(_ text: String, indent: String = "") -> [String] {
    Paragraph.wrapped(text, width: width, indent: indent)
  }

  private var heading: String {
    guard let run = rows.first?.run else { return "" }
    let (scenario, duration) = (run.scenario, run.scenario.duration)
    return "\(scenario.name): \(scenario.display.refresh), "
      + "\(Figure.span(milliseconds: duration.inMilliseconds)); virtual engine, "
      + "\(English.count(run.machine.cores, "core"))\(Learned.origin(scenario.learned))"
  }

  private func lines(_ row: ProofRow) -> [String] {
    let sentences = [answer(row), bound(row.proof), search(row.proof)].filter { !$0.isEmpty }
    var lines = wrapped(sentences.joined(separator: " "), indent: "  ")
    if let first = lines.first, isColored { lines[0] = colored(first, row.proof.verdict) }
    // A command is to be copied: it stays on one line.
    if let command = row.command { lines.append("  \(command.printable)") }
    return lines
  }

  private func colored(_ line: String, _ verdict: Proof.Verdict) -> String {
    let style: TextStyle =
      switch verdict {
      case .proven: .green
      case .refuted: .red
      case .open: .yellow
      }
    let word = ": \(verdict.rawValue)"
    return line.replacing(
      word, with: ": " + style.paint(verdict.rawValue, true), maxReplacements: 1)
  }

  // MARK: Sentences

  private func answer(_ row: ProofRow) -> String {
    let proof = row.proof
    switch proof.verdict {
    case .proven:
      let most = proof.bound.dropped ?? 0
      let claim =
        most == 0
        ? "No frame is dropped"
        : "At most \(English.count(most, "frame")) \(most == 1 ? "is" : "are") dropped"
      return
        "\(row.label): proven. \(claim), for any phase of any workload\(Self.growth(proof))."
    case .refuted:
      let frames = English.count(proof.worst?.dropped ?? 0, "frame")
      return
        "\(row.label): refuted. \(Self.phases(proof)), \(frames) \(proof.worst?.dropped == 1 ? "is" : "are") dropped."
    case .open:
      guard proof.limit > 0 else {
        return "\(row.label): open. No dropped frame was found, and none is ruled out."
      }
      return
        "\(row.label): open. No run was found that drops more than \(English.count(proof.limit, "frame")), and none is ruled out."
    }
  }

  private static func phases(_ proof: Proof) -> String {
    guard let witness = proof.witness, witness != .stated else {
      return "As the scenario is stated"
    }
    let starts = witness.starts.sorted { $0.key < $1.key }.map { "\($0.key) at \($0.value)" }
    let first = starts.isEmpty ? "" : "With \(English.list(starts))"
    guard witness.hasLargestCosts else { return first }
    return starts.isEmpty ? "With the largest costs" : "\(first) and the largest costs"
  }

  private static func growth(_ proof: Proof) -> String {
    guard let growth = proof.growth else { return "" }
    if growth == FrameBound.mostGrowth { return ", whatever the costs" }
    guard growth > 1000 else { return "" }
    let costs = "with costs up to \(times(growth)) those stated"
    return proof.bound.isKept && proof.limit == 0
      ? ", \(costs)" : "; no more than \(proof.limit) \(costs)"
  }

  /// Rounded down, because more is not proven.
  private static func times(_ thousandths: Int) -> String {
    let places = thousandths < 100 ? 3 : 2
    let unit = places == 2 ? 10 : 1
    return "\(Decimal.text(Double(thousandths / unit * unit) / 1000, places: places)) times"
  }

  private func bound(_ proof: Proof) -> String {
    guard let budget = proof.bound.tightest else {
      let gaps = proof.bound.gaps.map { "\($0.reason) (\($0.remedy))" }
      return "No bound: \(gaps.joined(separator: "; "))."
    }
    let use =
      "\(Figure.text(budget.total.inMilliseconds)) of "
      + "\(Figure.text(budget.available.inMilliseconds)) ms"
    let parts = Self.words(of: budget.parts)
    let filled = parts.isEmpty ? "" : ": \(English.list(parts))"
    if proof.bound.isKept { return "Tightest is \(budget.name), \(use)\(filled)." }
    let sentence =
      "By the bound, \(budget.name) takes up to \(use)\(filled).\(Self.drops(proof.bound))"
    if proof.verdict == .proven { return sentence }
    guard let growth = proof.growth else { return "\(sentence) No smaller costs would prove it." }
    return growth < 1000
      ? "\(sentence) It would be proven with \(Self.times(growth)) the costs." : sentence
  }

  private static func drops(_ bound: FrameBound) -> String {
    guard let drops = bound.drops else { return "" }
    return
      " No run drops more than \(English.count(drops.inRun, "frame")), or more than \(drops.inARow) in a row."
  }

  private static let mostParts = 8

  /// Each part; of more than eight the largest, and what all others take together.
  private static func words(of parts: [FrameBound.Part]) -> [String] {
    guard parts.count > mostParts else { return parts.map(words) }
    let order = parts.indices.sorted { (parts[$1].total, $0) < (parts[$0].total, $1) }
    let largest = order.prefix(mostParts - 1).sorted()
    let others = order.dropFirst(mostParts - 1)
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

  private func search(_ proof: Proof) -> String {
    let cut = proof.isCut ? " until the search was interrupted" : ""
    guard proof.verdict == .open, let worst = proof.worst else {
      return proof.isCut ? "The search for worse runs was interrupted." : ""
    }
    let longest = Figure.text(Double(worst.longestFrame) / 1e6)
    return "The longest frame of \(English.count(proof.runs, "run")) took \(longest) ms\(cut)."
  }
}
