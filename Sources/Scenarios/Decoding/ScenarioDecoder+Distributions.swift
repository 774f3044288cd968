import FrameBudget

extension ScenarioDecoder {
  /// A duration, or a mapping of one distribution's name to what describes it.
  func distribution(_ node: SourceNode) -> DurationDistribution? {
    if node.text != nil {
      return ScalarReader.duration.value(of: node, faults).map { .constant($0) }
    }
    let allowed = "a duration or one of \(Self.names.list)"
    if node.pairs?.contains(where: { $0.key == "recorded" }) == true { return recorded(node) }
    for pair in node.pairs ?? [] where !Self.names.contains(pair.key) {
      let remedy = Spelling.suggestion(for: pair.key, among: Self.names)
      faults.record("\(pair.key.quoted) is not a distribution\(remedy)", at: pair.origin)
    }
    guard let pair = node.onlyPair(allowed, faults) else { return nil }
    switch pair.key {
    case "constant":
      return ScalarReader.duration.value(of: pair.value, faults).map { .constant($0) }
    case "uniform": return uniform(pair.value)
    case "normal": return normal(pair.value)
    case "exponential": return exponential(pair.value)
    default: return nil
    }
  }

  private static let names = ["constant", "uniform", "normal", "exponential", "recorded"]

  private func uniform(_ node: SourceNode) -> DurationDistribution? {
    guard let fields = Fields(node, of: "uniform", keys: ["from", "to"], faults) else { return nil }
    let from = fields.required("from", .duration)
    let to = fields.required("to", .duration)
    guard let from, let to else { return nil }
    if from > to {
      faults.record(
        "\(from) is above \(to); allowed are values of 'from' up to 'to'",
        at: fields.origin(of: "from"))
      return nil
    }
    return .uniform(from: from, to: to)
  }

  private func normal(_ node: SourceNode) -> DurationDistribution? {
    guard let fields = Fields(node, of: "normal", keys: ["mean", "deviation"], faults) else {
      return nil
    }
    let mean = fields.required("mean", .duration)
    let deviation = fields.required("deviation", .duration)
    guard let mean, let deviation else { return nil }
    return .normal(mean: mean, deviation: deviation)
  }

  private func exponential(_ node: SourceNode) -> DurationDistribution? {
    Fields(node, of: "exponential", keys: ["mean"], faults)?.required("mean", .duration)
      .map { .exponential(mean: $0) }
  }

  /// A column of durations in a file.
  func recorded(
    _ node: SourceNode, as what: String = "a recorded distribution"
  ) -> DurationDistribution? {
    guard
      let fields = Fields(node, of: what, keys: ["recorded", "column"], faults)
    else { return nil }
    let file = fields.required("recorded", .text)
    let column = fields.required("column", .text)
    guard let file, let column else { return nil }
    do throws(ScenarioFile.RecordingError) {
      return .recorded(try recording(file, column))
    } catch {
      faults.record(error.reason, at: fields.origin(of: "recorded"))
      return nil
    }
  }
}
