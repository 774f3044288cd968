internal import FrameBudget
internal import FrameBudgetScenarios

/// `--vary PATH=A..B`, `PATH=A..B:STEP` or `PATH=A,B,C`: the values of one path, one after the other.
struct Variation: Hashable, Sendable {
  let path: String
  let values: Values

  enum Values: Hashable, Sendable {
    /// Whole numbers, each with the unit after it: `1..20`, `1..20 ms`.
    case range(ClosedRange<Int>, unit: String)
    /// `4..16:2 ms`, `0.5..2:0.25 ms`.
    case steps(DecimalSteps, unit: String)
    case list([String])
  }

  init(path: String, values: Values) {
    self.path = path
    self.values = values
  }

  init(parsing text: String) throws(ToolError) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
      throw Self.error(
        text, "is not a variation; allowed: PATH=A..B, PATH=A..B:STEP and PATH=A,B,C")
    }
    path = String(parts[0])
    if let range = try Self.range(parts[1], of: text) {
      values = range
    } else {
      values = .list(try Self.list(parts[1], of: text))
    }
  }

  /// The number of values; nil if it overflows.
  var count: Int? {
    switch values {
    case .list(let values): return values.count
    case .steps(let steps, _): return steps.count
    case .range(let range, _):
      let (count, overflow) = range.upperBound.subtractingReportingOverflow(range.lowerBound)
      return overflow || count == .max ? nil : count + 1
    }
  }

  /// The change that sets the value at `place`, which must be below `count`.
  func override(at place: Int) -> Override {
    switch values {
    case .list(let values): override(values[place])
    case .steps(let steps, let unit): override(steps[place] + unit)
    case .range(let range, let unit): override("\(range.lowerBound + place)\(unit)")
    }
  }

  func override(_ value: String) -> Override {
    Override(path: path, value: value, flag: "--vary \(path)=\(value)")
  }

  /// The places to validate: all of a list, the ends of a range.
  func representatives(of count: Int) -> [Int] {
    if case .list = values { return Array(0..<count) }
    return count > 1 ? [0, count - 1] : [0]
  }

  private static func list(_ text: Substring, of flag: String) throws(ToolError) -> [String] {
    let values = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    guard !values.contains("") else { throw error(flag, "has an empty value") }
    var seen: Set<String> = []
    for value in values where !seen.insert(value).inserted {
      throw error(flag, "has \(value) twice; allowed: once")
    }
    return values
  }

  /// `A..B` with numbers, perhaps with a step and a unit; nil for anything else.
  private static func range(_ list: Substring, of text: String) throws(ToolError) -> Values? {
    guard let dots = list.firstRange(of: "..") else { return nil }
    let end = list[dots.upperBound...]
    let digits = end.prefix { "-.0123456789".contains($0) }
    let rest = end.dropFirst(digits.count)
    guard !rest.contains(","), list[..<dots.lowerBound].contains(where: \.isNumber) else {
      return nil
    }
    guard rest.first == ":" else {
      guard let first = Int(list[..<dots.lowerBound]), let last = Int(digits) else {
        // A path of a file may have two dots, too.
        guard list.first?.isNumber == true, end.first?.isNumber == true else { return nil }
        throw error(
          text,
          "is not a range; allowed: PATH=A..B with whole numbers, PATH=A..B:STEP, and a unit at the end, as in 4..8:1 ms"
        )
      }
      guard first <= last else {
        throw error(text, "ends before it begins; swap its ends: \(last)..\(first)\(rest)")
      }
      return .range(first...last, unit: String(rest))
    }
    let step = rest.dropFirst().prefix { "-.0123456789".contains($0) }
    let unit = rest.dropFirst(1 + step.count)
    do {
      return .steps(
        try DecimalSteps(from: list[..<dots.lowerBound], to: digits, by: step), unit: String(unit))
    } catch {
      throw self.error(text, error.reason)
    }
  }

  private static func error(_ text: String, _ problem: String) -> ToolError {
    ToolError(.usage, "--vary '\(text)' \(problem)")
  }
}

/// Equidistant numbers, exact in decimals: 0.5, 0.75, 1. Binary fractions would give 0.30000000000000004.
struct DecimalSteps: Hashable, Sendable {
  /// In units of 10 to the power `-places`.
  private let first: Int
  private let step: Int
  private let places: Int
  let count: Int

  struct Fault: Error { let reason: String }

  /// All values from `first` up to `last`.
  init(
    from first: Substring, to last: Substring, by step: Substring
  ) throws(Fault) {
    let ends = (first: first, last: last)
    let places = [first, last, step].map(Self.places).max() ?? 0
    guard places <= Self.maxPlaces, let first = Self.units(first, places),
      let last = Self.units(last, places), let step = Self.units(step, places)
    else {
      throw Fault(
        reason: "has values that are not numbers; allowed: PATH=A..B:STEP, "
          + "each with at most \(Self.maxPlaces) decimals, and a unit after the step")
    }
    guard step > 0 else { throw Fault(reason: "has a step that is not above 0") }
    guard first <= last else {
      throw Fault(reason: "ends before it begins; swap its ends: \(ends.last)..\(ends.first)")
    }
    let (distance, overflow) = last.subtractingReportingOverflow(first)
    guard !overflow, distance / step < Int.max else { throw Fault(reason: "has too many values") }
    (self.first, self.step, self.places) = (first, step, places)
    count = distance / step + 1
  }

  private static let maxPlaces = 9

  /// The number at `place`, without trailing zeros.
  subscript(place: Int) -> String {
    Decimal.text(units: Int64(first + place * step), places: places)
  }

  private static func places(_ text: Substring) -> Int {
    text.firstIndex(of: ".").map { text.distance(from: $0, to: text.endIndex) - 1 } ?? 0
  }

  private static func units(_ text: Substring, _ places: Int) -> Int? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard let whole = parts.first, parts.count <= 2, Int(whole) != nil else { return nil }
    let decimals = parts.count == 2 ? parts[1] : ""
    guard decimals.allSatisfy({ $0.isASCII && $0.isNumber }), parts.count == 1 || decimals != ""
    else {
      return nil
    }
    return Int(whole + decimals + String(repeating: "0", count: places - decimals.count))
  }
}

/// All combinations of several `--vary`, computed on demand; the last one changes fastest.
struct VariationGrid: Sendable {
  private let axes: [Variation]
  private let counts: [Int]
  /// 1 if nothing is varied.
  let count: Int

  init() { (axes, counts, count) = ([], [], 1) }

  init(parsing texts: [String]) throws(ToolError) {
    axes = try texts.map { text throws(ToolError) in try Variation(parsing: text) }
    var paths: Set<String> = []
    for axis in axes where !paths.insert(axis.path).inserted {
      throw ToolError(.usage, "--vary \(axis.path) is given twice; allowed: once for each path")
    }
    var counts: [Int] = []
    var product = 1
    for axis in axes {
      guard let count = axis.count else { throw Self.tooMany }
      let (next, overflow) = product.multipliedReportingOverflow(by: count)
      guard !overflow, next < Int.max >> 24 else { throw Self.tooMany }
      counts.append(count)
      product = next
    }
    self.counts = counts
    count = product
  }

  func varies(_ path: String) -> Bool { count(of: path) != nil }

  /// The number of values of a path; nil if it is not varied.
  func count(of path: String) -> Int? {
    zip(axes, counts).first { $0.0.path == path }?.1
  }

  /// The overrides of the combination at `place`.
  func overrides(at place: Int) -> [Override] {
    var rest = place
    var places = counts
    for axis in counts.indices.reversed() {
      (rest, places[axis]) = rest.quotientAndRemainder(dividingBy: counts[axis])
    }
    return zip(axes, places).map { $0.override(at: $1) }
  }

  /// Places of combinations that together show each value of each axis, with the first value of the others, to find invalid
  /// values before a long run.
  var representatives: [Int] {
    axes.isEmpty ? [0] : Set(representativesByAxis.flatMap { $0.values.map(\.place) }).sorted()
  }

  /// The same for each axis, with its values, from the one that changes fastest.
  var representativesByAxis: [(path: String, values: [(value: String, place: Int)])] {
    var stride = 1
    return zip(axes, counts).reversed().map { axis, count in
      defer { stride *= count }
      let values = axis.representatives(of: count).map { number in
        (value: axis.override(at: number).value, place: number * stride)
      }
      return (axis.path, values)
    }
  }

  private static let tooMany = ToolError(.usage, "--vary has too many combinations to be counted")
}

extension Override {
  /// The path whose value has a column of its own in results.
  static let seed = "seed"
}
