internal import FrameBudget

/// The change to make to an arrangement, its effect, its price, and how certain both are.
public struct Advice: Sendable {
  /// The request.
  public let request: AdviceRequest
  /// The aims.
  public let aims: Aims
  /// The current arrangement and its outcome.
  public internal(set) var today: Trial
  /// The proposals that reach the aims: first the advised one, then those that cost less and change more. Empty if nothing
  /// reaches them, or the current arrangement does.
  public internal(set) var proposals: [Proposal]
  /// The nearest trial if nothing reaches the aims; nil if that is the current arrangement.
  public internal(set) var nearest: Trial?
  /// The outcome of drawing alone, under the current arrangement, with parts of it prefetched, prepared or spread, or with frames
  /// shown later, whichever drops least, if nothing reaches the aims.
  public let drawingAlone: DrawingAlone?
  /// What reaches the aims, or else comes nearest, if the input of some parts of drawing is known earlier than the scenario says, if
  /// nothing else does, or only what shows frames incomplete or later.
  public internal(set) var foresight: Foresight?
  /// What a cache for a part of drawing would buy, if nothing helps, or only what shows frames incomplete or later.
  public internal(set) var keeping: Keeping?
  /// The available and the needed processor time.
  public let demand: Demand
  /// The extent of the search.
  public internal(set) var count: SearchCount
  /// Whether today's arrangement is proven to drop no frame; nil if no proof was tried.
  public internal(set) var isTodayProven: Bool?

  /// How it ended.
  public var verdict: Verdict {
    if today.outcome.meets { return .nothingToChange }
    return proposals.isEmpty ? .nothingHelps : .change
  }

  /// Whether nothing has to change, or the change that it advises shows all frames complete, and none later.
  var keepsFrames: Bool {
    switch verdict {
    case .nothingToChange: true
    case .change: proposals.first?.trial.keepsFrames ?? true
    case .nothingHelps: false
    }
  }

  /// How a search for advice ended.
  public enum Verdict: String, Sendable {
    /// The aims are met already.
    case nothingToChange = "nothing-to-change"
    /// A change meets them.
    case change
    /// No candidate that was tried meets them.
    case nothingHelps = "nothing-helps"
  }
}

/// The outcome of drawing without any other work.
public struct DrawingAlone: Sendable {
  /// The outcome.
  public let outcome: Outcome
  /// The part of drawing without which it drops fewest frames; nil if it drops as many without any of them.
  public let heaviest: (part: String, without: Outcome)?
}

/// An arrangement that would meet the aims, or come nearer, if the input of parts of drawing were known earlier.
public struct Foresight: Sendable {
  /// The arrangement and its outcome in that case.
  public let trial: Trial
  /// The parts, and by how many frames their input must be known earlier.
  public let parts: [(name: String, frames: Int)]
}

/// What it buys to keep what a part of drawing made for earlier frames. How often a frame finds that is an assumption, so this is
/// never a proposal.
public struct Keeping: Sendable {
  /// The name of the part.
  public let part: String
  /// The percentage of the frames that need the part which find it.
  public let percent: Int
  /// How many frames are dropped at most in as many runs with other random numbers as a steady proposal has to reach the aims in:
  /// under today's arrangement, and with the cache.
  public let dropped: (today: Int, kept: Int)
}

/// An arrangement that meets the aims.
public struct Proposal: Sendable {
  /// The arrangement and its outcome.
  public internal(set) var trial: Trial
  /// The effect of each move; only of the first ones if the user interrupted the search.
  public let effects: [MoveEffect]
  /// The margin of all costs, then of each service; only the first ones if the user interrupted the search.
  public let margins: [Margin]
  /// The result with other random numbers and arrival times; nil if the user interrupted the search.
  public let steadiness: Steadiness?
  /// Whether it is proven to drop no frame at any phases; nil if no proof was tried.
  public internal(set) var isProven: Bool?
}

/// The effect of one move of several.
public struct MoveEffect: Sendable {
  /// A few words that say what to do.
  public let words: String
  /// The outcome of all other moves without this one; nil if that is not possible.
  public let without: Outcome?
  /// The outcome of this move alone; nil if that is not possible.
  public let alone: Outcome?
}
