/// Where a part of drawing runs: the remedy of a part, of which it has one.
public enum FramePartRule: Hashable, Sendable {
  /// In its frame.
  case inFrame
  /// On the main thread up to this many frames early, each of its pieces in idle time that it is expected to fit into; what is not
  /// ready by then runs in its frame.
  case prefetched(frames: Int, estimate: Admission.Fitting.Estimate)
  /// In its frame, but of the frames that need it this share, above 0 and at most 1, finds it in a cache, where it costs nothing.
  case cached(hits: Double)
  /// In frames, at most this much of it in each, more than zero: what is left runs one frame later, in a frame that it requests.
  case spread(budget: TimeSpan)
  /// On a lane other than main. A frame that begins hands it over for itself and for this many later frames, and waits for it before
  /// it draws.
  case prepared(lane: LaneIndex, frames: Int)
}

extension FramePartRule {
  /// Its name in files; nil in its frame.
  package var name: String? {
    switch self {
    case .inFrame: nil
    case .prefetched: "prefetch"
    case .cached: "cache"
    case .spread: "spread"
    case .prepared: "prepare"
    }
  }

  /// Where `part` runs under it: `bind-rows up to 3 frames early`, `icons from memory in 80 % of frames, made earlier`, `rows at most
  /// 4 ms in a frame`, `text on lane layout up to 2 frames early`; nil in its frame.
  package func words(of part: String, on lanes: PerLane<Lane>) -> String? {
    switch self {
    case .inFrame: nil
    case .prefetched: "\(part)\(earliness)"
    case .cached(let hits):
      "\(part) from memory in \(Decimal.text(100 * hits, places: 3)) % of frames, made earlier"
    case .spread(let budget): "\(part) at most \(budget) in a frame"
    case .prepared(let lane, _): "\(part) on lane \(lanes[lane].name)\(earliness)"
    }
  }

  private var earliness: String {
    switch framesEarly {
    case 0: ""
    case 1: " up to 1 frame early"
    default: " up to \(framesEarly) frames early"
    }
  }

  /// By how many frames it may run early.
  package var framesEarly: Int {
    switch self {
    case .inFrame, .cached, .spread: 0
    case .prefetched(let frames, _), .prepared(_, let frames): frames
    }
  }

  /// The lane that prepares it; nil if it runs on main.
  package var lane: LaneIndex? { if case .prepared(let lane, _) = self { lane } else { nil } }

  /// The same with another lane; in its frame if that is main.
  package func on(_ lane: LaneIndex) -> Self {
    guard case .prepared(_, let frames) = self else { return self }
    return lane == .main ? .inFrame : .prepared(lane: lane, frames: frames)
  }

  /// Whether it keeps what was made for earlier frames.
  package var isCache: Bool { if case .cached = self { true } else { false } }

  /// How much of the part a frame runs at most; nil if there is no limit.
  package var budget: TimeSpan? { if case .spread(let budget) = self { budget } else { nil } }

  /// Whether it keeps in memory what was made before its frame.
  fileprivate var keepsMemory: Bool { isCache || framesEarly > 0 }
}

extension Arrangement {
  /// Where the part of drawing at `index` runs.
  public func rule(ofFramePart index: Int) -> FramePartRule {
    frameParts.indices.contains(index) ? frameParts[index] : .inFrame
  }

  /// Where parts of drawing run that do not run in their frames, in words, and whether frames are due later.
  package func movedParts(of scenario: Scenario) -> [String] {
    scenario.frameParts.enumerated().compactMap {
      rule(ofFramePart: $0).words(of: $1.name, on: lanes)
    } + laterFrames
  }

  /// `frames 1 period later, from 1 more buffer`; none if the scenario says when frames are due.
  private var laterFrames: [String] {
    guard presentsLater > 0 else { return [] }
    let periods = English.count(presentsLater, "period")
    return ["frames \(periods) later, from \(English.count(presentsLater, "more buffer"))"]
  }

  /// Those of them that keep something in memory.
  package func partsInMemory(of scenario: Scenario) -> [String] {
    scenario.frameParts.enumerated().compactMap { index, part in
      let rule = rule(ofFramePart: index)
      return rule.keepsMemory ? rule.words(of: part.name, on: lanes) : nil
    }
  }

  /// Sets where each part of drawing runs. Arrangements in which all run in their frames are equal.
  package mutating func setRules(ofFrameParts rules: [FramePartRule]) {
    frameParts = rules.contains { $0 != .inFrame } ? rules : []
  }

  /// Throws if a part of drawing would run before its input is known, or if main would wait for itself.
  func validateFrameParts(of scenario: Scenario) throws(ArrangementError) {
    for (index, part) in scenario.frameParts.enumerated() {
      let rule = rule(ofFramePart: index)
      if rule.lane == .main {
        throw ArrangementError(
          "prepares part '\(part.name)' on main, which waits for it; allowed: other lanes")
      }
      let frames = rule.framesEarly
      guard frames > 0 else { continue }
      let verb = rule.lane == nil ? "prefetches" : "prepares"
      guard let ahead = part.ahead else {
        throw ArrangementError(
          "\(verb) part '\(part.name)', but the scenario does not say how many frames 'ahead' its input is known"
        )
      }
      if frames > ahead {
        throw ArrangementError(
          "\(verb) part '\(part.name)' \(frames) frames early, but its input is known only \(ahead) ahead"
        )
      }
    }
  }
}
