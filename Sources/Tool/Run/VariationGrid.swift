internal import Scenarios

/// All combinations of what several `--vary` say, each worked out when it is asked for; the last turns fastest.
struct VariationGrid: Sendable {
  private let axes: [Variation]
  private let counts: [Int]
  /// 1 where nothing is varied.
  let count: Int

  init() { (axes, counts, count) = ([], [], 1) }

  init(parsing texts: [String]) throws(ToolError) {
    axes = try texts.map { text throws(ToolError) in try Variation(parsing: text) }
    var paths: Set<String> = []
    for axis in axes where !paths.insert(axis.path).inserted {
      throw ToolError(.usage, "--vary \(axis.path) is there twice; allowed is once for each path")
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

  /// How many values a path takes; nil where it is not varied.
  func count(of path: String) -> Int? {
    zip(axes, counts).first { $0.0.path == path }?.1
  }

  /// What the combination at `place` changes.
  func overrides(at place: Int) -> [Override] {
    var rest = place
    var places = counts
    for axis in counts.indices.reversed() {
      (rest, places[axis]) = rest.quotientAndRemainder(dividingBy: counts[axis])
    }
    return zip(axes, places).map { $0.override(at: $1) }
  }

  /// Places of combinations that show each axis's values, the other axes at their first: what is not allowed by
  /// itself is found before a long run.
  var telling: [Int] {
    var places: Set<Int> = []
    var stride = 1
    for (axis, count) in zip(axes, counts).reversed() {
      places.formUnion(axis.telling(of: count).map { $0 * stride })
      stride *= count
    }
    return axes.isEmpty ? [0] : places.sorted()
  }

  private static let tooMany = ToolError(.usage, "--vary has too many combinations to be counted")
}

extension Override {
  /// The path whose value has a column of its own in results.
  static let seed = "seed"
}
