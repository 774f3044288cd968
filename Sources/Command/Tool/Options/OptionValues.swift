internal import ArgumentParser
internal import FrameBudget
internal import FrameBudgetParsing
internal import FrameBudgetReports
internal import FrameBudgetScenarios

/// Parses whole numbers of options. The options are declared with `parsing: .unconditional`, so that a negative number is
/// rejected as a value and not taken for a flag.
enum WholeNumber {
  static func repetitions(_ text: String) throws -> Int { try parse(text, in: 1...1000) }
  static func cores(_ text: String) throws -> Int { try parse(text, in: 1...Limits.cores) }
  static func jobs(_ text: String) throws -> Int { try parse(text, in: 1...Limits.cores) }
  static func moves(_ text: String) throws -> Int { try parse(text, in: 0...256) }
  static func lanes(_ text: String) throws -> Int { try parse(text, in: 1...64) }
  static func files(_ text: String) throws -> Int { try parse(text, in: 1...100_000) }
  static func commits(_ text: String) throws -> Int { try parse(text, in: 1...100_000) }

  private static func parse(_ text: String, in range: ClosedRange<Int>) throws -> Int {
    guard let number = Int(text) else {
      throw ValidationError("it is not a whole number; \(allowed(range))")
    }
    guard range.contains(number) else {
      throw ValidationError("it is \(number < 0 ? "negative" : "out of range"); \(allowed(range))")
    }
    return number
  }

  private static func allowed(_ range: ClosedRange<Int>) -> String {
    "allowed: a whole number from \(range.lowerBound) to \(range.upperBound)"
  }
}

extension Aim {
  /// Reads `METRIC<=X`, `METRIC>=X` or `METRIC=X`, the value of `option`. With the metric's unit after X, the name may omit
  /// it: `inp<=200ms` is `inp_ms<=200`.
  init(_ text: String, of option: String) throws(ToolError) {
    let signs = text.filter { "<>=".contains($0) }
    let parts = text.split { "<>=".contains($0) }.map(\.trimmed)
    let digits = parts.last.map { $0.prefix { "+-.0123456789".contains($0) } } ?? ""
    let unit = parts.last.map { $0.dropFirst(digits.count).trimmed } ?? ""
    guard ["<=", ">=", "="].contains(signs), parts.count == 2,
      let value = Decimal.units(String(digits), places: 6).map({ Double($0) / 1e6 })
    else {
      let kind = option.drop { $0 == "-" }
      throw ToolError(
        .usage,
        "\(option) '\(text)' is not a valid \(kind); allowed: METRIC<=X, METRIC>=X, METRIC=X")
    }
    let names = MetricCatalog.numbers.map(\.name)
    let written = String(parts[0])
    let word = unit == "%" ? "pct" : unit.replacing("µ", with: "u").replacing("/", with: "_per_")
    let name = names.contains("\(written)_\(word)") ? "\(written)_\(word)" : written
    guard names.contains(name) else {
      let nearest = Spelling.nearest(to: name, among: names)
      let remedy = nearest.map { "did you mean '\($0)'?" } ?? "allowed: what 'list metrics' shows"
      throw ToolError(.usage, "\(option) '\(text)': '\(name)' is not a metric; \(remedy)")
    }
    let metric = MetricCatalog.metric(name)?.unit ?? .none
    guard unit.isEmpty || unit == metric.rawValue else {
      let remedy =
        metric == .none || metric == .count ? "it has none" : "allowed: \(metric.rawValue)"
      throw ToolError(
        .usage, "\(option) '\(text)': '\(unit)' is not the unit of \(name); \(remedy)")
    }
    self.init(name, minimum: signs == "<=" ? nil : value, maximum: signs == ">=" ? nil : value)
  }

  /// Parses the number of frames that a run may drop: `dropped_frames<=N`.
  static func dropped(_ text: String, of option: String) throws(ToolError) -> Int {
    let aim = try Aim(text, of: option)
    guard aim.metric == Metric.droppedFrames.name, aim.minimum == nil,
      let most = aim.maximum.flatMap(Int.init(exactly:)), most >= 0
    else {
      throw ToolError(
        .usage, "\(option) '\(text)' cannot be proven; allowed: dropped_frames<=N")
    }
    return most
  }
}
