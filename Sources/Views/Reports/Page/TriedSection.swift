/// A change that was tried in an app, and its dropped frames.
package struct TriedChange: Sendable {
  package enum Outcome: Sendable {
    /// Dropped frames in the replay, and in recordings; and the verdict on the prediction.
    case recorded(predicted: Drops, made: Drops, verdict: String)
    /// Why nothing can be compared.
    case untried(String)
  }

  /// Dropped frames of those that were wanted, `2 of 698`, without the change and with it, perhaps with a range.
  package struct Drops: Sendable {
    package let before: String
    package let after: String

    package init(before: String, after: String) { (self.before, self.after) = (before, after) }
  }

  package let name: String
  package let outcome: Outcome
  /// What the range behind a prediction means; nil without one.
  package let rangeMeaning: String?

  package init(name: String, outcome: Outcome, rangeMeaning: String? = nil) {
    (self.name, self.outcome, self.rangeMeaning) = (name, outcome, rangeMeaning)
  }

  /// `debounce:input=150ms: predicted 8 of 700 -> 2 of 698, made: 9 of 700 -> 3 of 705`
  package var sentence: String { "\(name)\(words)" }

  fileprivate var words: String {
    switch outcome {
    case .recorded(let predicted, let made, let verdict):
      ": predicted \(predicted.before) -> \(predicted.after), made: \(made.before) -> \(made.after); the prediction is \(verdict)"
    case .untried(let reason): " was not tried: \(reason)"
    }
  }
}

/// The changes that were tried in a recorded app, each beside its prediction.
struct TriedSection {
  let tried: [TriedChange]

  /// Empty if none was.
  func markup(_ heading: Markup) -> Markup {
    if tried.isEmpty { return "" }
    let range = tried.lazy.compactMap(\.rangeMeaning).first.map { " Range: \($0)." } ?? ""
    let items: [Markup] = tried.map { "<li><b>\($0.name)</b>\($0.words)</li>\n" }
    return """
      <section class="tried">\(heading)<p class="lead">Dropped frames as predicted from the first recording, and as recorded \
      with the change.\(range)</p>
      <ul>\(items)</ul></section>

      """
  }
}
