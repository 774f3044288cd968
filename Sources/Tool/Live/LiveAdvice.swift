internal import Advice
internal import FrameBudget
internal import Reports

/// Advice in one line.
enum LiveAdvice {
  static func words(_ advice: Advice) -> String {
    let outcome = advice.today.outcome
    let frames = English.count(outcome.frames, "frame")
    switch advice.verdict {
    case .nothingToChange:
      return
        "nothing to change: \(advice.request.today.label) drops \(outcome.dropped) of \(frames)"
    case .change: return advice.proposals.first?.trial.words.joined(separator: "; ") ?? ""
    case .nothingHelps:
      let demand = advice.demand
      if !demand.isTooMuch, let drawing = AdviceText.drawing(advice) {
        return "nothing helps: \(drawing)"
      }
      return "nothing helps: \(Figure.text(demand.perSecond)) full cores are asked for, "
        + "\(Figure.text(demand.cores)) are there"
    }
  }

  /// What the strategy is called that comes of it.
  static func name(among taken: [String], number: Int = 1) -> String {
    let name = number == 1 ? "advised" : "advised-\(number)"
    return taken.contains(name) ? self.name(among: taken, number: number + 1) : name
  }
}
