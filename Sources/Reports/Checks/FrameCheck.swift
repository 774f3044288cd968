/// What a test that measures frames asked for, or a baseline did, and what came of it.
public struct FrameCheck: Hashable, Sendable {
  /// What that means for who asked.
  public enum Outcome: String, Sendable { case met, missed, unsure }

  /// The test, as its results are called.
  public let test: String
  /// `dropped_frames at most 0`
  public let name: String
  /// What was found, with its unit: `0 to 3`
  public let value: String
  public let outcome: Outcome
  /// `slower`, where the outcome alone does not say.
  public let word: String
  /// Why nothing can be said, or what would help.
  public let note: String?

  public init(
    test: String, name: String, value: String, outcome: Outcome, word: String? = nil,
    note: String? = nil
  ) {
    self.test = test
    self.name = name
    self.value = value
    self.outcome = outcome
    self.word = word ?? outcome.rawValue
    self.note = note
  }
}

/// All checks of a run of tests.
public struct FrameChecks: Sendable {
  public let checks: [FrameCheck]

  public init(_ checks: [FrameCheck]) { self.checks = checks }

  /// What they come to. Where nothing was checked, nothing is known to hold.
  public var outcome: FrameCheck.Outcome {
    if checks.contains(where: { $0.outcome == .missed }) { return .missed }
    return checks.isEmpty || checks.contains { $0.outcome == .unsure } ? .unsure : .met
  }

  /// By test, in the order in which they came.
  var groups: [(test: String, checks: [FrameCheck])] {
    var tests: [String] = []
    for check in checks where !tests.contains(check.test) { tests.append(check.test) }
    return tests.map { test in (test, checks.filter { $0.test == test }) }
  }

  // MARK: Words

  /// `Missed: dropped_frames at most 0 of add-photos (57 to 60). Of 3 checks 1 is missed, 2 are met.`
  public var sentence: String { sentences.joined(separator: " ") }

  var sentences: [String] {
    switch outcome {
    case .met:
      let all = checks.count == 1 ? "the one check" : "all \(checks.count) checks"
      return ["Met: \(all) of \(English.count(groups.count, "test"))."]
    case .missed: return ["Missed: \(named(.missed)).", counts]
    case .unsure:
      guard !checks.isEmpty else {
        return ["Unsure: no test asked for a verdict, and nothing was compared with a baseline."]
      }
      return ["Unsure: nothing can be said of \(named(.unsure)).", counts]
    }
  }

  /// More than these nobody reads in a sentence.
  private static let most = 3

  private func named(_ outcome: FrameCheck.Outcome) -> String {
    let found = checks.filter { $0.outcome == outcome }
    let parts = found.prefix(Self.most).map { check in
      "\(check.name) of \(check.test)" + (check.value.isEmpty ? "" : " (\(check.value))")
    }
    let rest = found.count - parts.count
    return rest > 0 ? "\(parts.joined(separator: ", ")) and \(rest) more" : English.list(parts)
  }

  private var counts: String {
    let parts = [FrameCheck.Outcome.missed, .unsure, .met].compactMap { outcome -> String? in
      let count = checks.count { $0.outcome == outcome }
      return count == 0 ? nil : "\(count) \(count == 1 ? "is" : "are") \(outcome.rawValue)"
    }
    return "Of \(English.count(checks.count, "check")) \(parts.joined(separator: ", "))."
  }
}
