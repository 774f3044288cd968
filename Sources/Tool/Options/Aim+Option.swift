internal import FrameBudget
internal import Parsing
internal import Reports

extension Aim {
  /// Reads `METRIC<=X`, `METRIC>=X` or `METRIC=X`, as `option` gives it.
  init(_ text: String, of option: String) throws(ToolError) {
    let signs = text.filter { "<>=".contains($0) }
    let parts = text.split { "<>=".contains($0) }.map(\.trimmed)
    guard ["<=", ">=", "="].contains(signs), parts.count == 2,
      let value = Decimal.units(String(parts[1]), places: 6).map({ Double($0) / 1e6 })
    else {
      let kind = option.drop { $0 == "-" }
      throw ToolError(
        .usage,
        "\(option) '\(text)' is no \(kind); allowed are METRIC<=X, METRIC>=X, METRIC=X")
    }
    let name = String(parts[0])
    let names = MetricCatalog.numbers.map(\.name)
    guard names.contains(name) else {
      let nearest = Spelling.nearest(to: name, among: names)
      let remedy = nearest.map { "did you mean '\($0)'?" } ?? "allowed is what 'list metrics' shows"
      throw ToolError(.usage, "\(option) '\(text)': '\(name)' is not a metric; \(remedy)")
    }
    self.init(name, minimum: signs == "<=" ? nil : value, maximum: signs == ">=" ? nil : value)
  }

  /// Reads how many frames a run may drop: `dropped_frames<=N`.
  static func dropped(_ text: String, of option: String) throws(ToolError) -> Int {
    let aim = try Aim(text, of: option)
    guard aim.metric == Metric.droppedFrames.name, aim.minimum == nil,
      let most = aim.maximum.flatMap(Int.init(exactly:)), most >= 0
    else {
      throw ToolError(
        .usage, "\(option) '\(text)' cannot be proven; allowed is dropped_frames<=N")
    }
    return most
  }
}
