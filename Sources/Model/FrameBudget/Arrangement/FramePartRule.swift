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
}

extension FramePartRule {
  /// Its name in files; nil in its frame.
  package var name: String? {
    switch self {
    case .inFrame: nil
    case .prefetched: "prefetch"
    case .cached: "cache"
    case .spread: "spread"
    }
  }

  /// Where `part` runs under it: `bind-rows up to 3 frames early`, `icons from memory in 80 % of frames, made earlier`, `rows at most
  /// 4 ms in a frame`; nil in its frame.
  package func words(of part: String) -> String? {
    switch self {
    case .inFrame: nil
    case .prefetched(let frames, _): "\(part) up to \(frames) frame\(frames == 1 ? "" : "s") early"
    case .cached(let hits):
      "\(part) from memory in \(Decimal.text(100 * hits, places: 3)) % of frames, made earlier"
    case .spread(let budget): "\(part) at most \(budget) in a frame"
    }
  }

  /// Whether it keeps what was made for earlier frames.
  package var isCache: Bool { if case .cached = self { true } else { false } }

  /// How much of the part a frame runs at most; nil if there is no limit.
  package var budget: TimeSpan? { if case .spread(let budget) = self { budget } else { nil } }

  /// Whether it keeps in memory what was made before its frame.
  fileprivate var keepsMemory: Bool { self != .inFrame && budget == nil }
}

extension Arrangement {
  /// Where the part of drawing at `index` runs.
  public func rule(ofFramePart index: Int) -> FramePartRule {
    frameParts.indices.contains(index) ? frameParts[index] : .inFrame
  }

  /// Where parts of drawing run that do not run in their frames, in words.
  package func movedParts(of scenario: Scenario) -> [String] {
    scenario.frameParts.enumerated().compactMap { rule(ofFramePart: $0).words(of: $1.name) }
  }

  /// Those of them that keep something in memory.
  package func partsInMemory(of scenario: Scenario) -> [String] {
    scenario.frameParts.enumerated().compactMap { index, part in
      let rule = rule(ofFramePart: index)
      return rule.keepsMemory ? rule.words(of: part.name) : nil
    }
  }

  /// Sets where each part of drawing runs. Arrangements in which all run in their frames are equal.
  package mutating func setRules(ofFrameParts rules: [FramePartRule]) {
    frameParts = rules.contains { $0 != .inFrame } ? rules : []
  }

  /// Throws if a part of drawing would run before its input is known.
  func validateFrameParts(of scenario: Scenario) throws(ArrangementError) {
    for (index, part) in scenario.frameParts.enumerated() {
      guard case .prefetched(let frames, _) = rule(ofFramePart: index) else { continue }
      guard let ahead = part.ahead else {
        throw ArrangementError(
          "prefetches part '\(part.name)', but the scenario does not say how many frames 'ahead' its input is known"
        )
      }
      if frames > ahead {
        throw ArrangementError(
          "prefetches part '\(part.name)' \(frames) frames early, but its input is known only \(ahead) ahead"
        )
      }
    }
  }
}
