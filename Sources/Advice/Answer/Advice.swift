internal import FrameBudget

/// What to change about an arrangement, what that buys, what it costs, and how sure it is.
public struct Advice: Sendable {
  /// What was asked.
  public let request: AdviceRequest
  /// What had to be reached.
  public let aims: Aims
  /// Where the app is.
  public let today: Trial
  /// What reaches the aims: first what is advised, then what costs less and changes more. Empty where nothing does, and
  /// where today's arrangement does.
  public let proposals: [Proposal]
  /// Where nothing reaches the aims: what comes nearest; nil where that is today's arrangement.
  public let nearest: Trial?
  /// Where nothing reaches the aims: what drawing alone comes to, without any work, which no arrangement changes.
  public let drawingAlone: Outcome?
  /// How much processor time there is, and how much is asked for.
  public let demand: Demand
  /// How much was looked at.
  public let count: SearchCount

  /// How it ended.
  public var verdict: Verdict {
    if today.outcome.meets { return .nothingToChange }
    return proposals.isEmpty ? .nothingHelps : .change
  }

  /// How a search for advice ended.
  public enum Verdict: String, Sendable {
    /// The aims are met already.
    case nothingToChange = "nothing-to-change"
    /// There is something to change that meets them.
    case change
    /// Nothing that was tried meets them.
    case nothingHelps = "nothing-helps"
  }
}

/// An arrangement that meets the aims.
public struct Proposal: Sendable {
  /// What ran where, and what came of it.
  public let trial: Trial
  /// What each of its moves buys; only of the first ones where somebody ended the search before.
  public let effects: [MoveEffect]
  /// Of all costs first, then of each service's; only the first ones where somebody ended the search before.
  public let margins: [Margin]
  /// With other random numbers and moments; nil where somebody ended the search before.
  public let steadiness: Steadiness?

  /// Whether a small error would overturn it.
  public var isFragile: Bool {
    (margins.first?.percent ?? Margin.most) < Margin.fragile || steadiness?.isPoor ?? false
  }
}
