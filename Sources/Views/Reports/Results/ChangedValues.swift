internal import FrameBudget
internal import FrameBudgetParsing

/// The values of `--set` and `--vary` that a run had, from the text of its column: `PATH=VALUE;PATH=VALUE`.
struct ChangedValues {
  let pairs: [(path: String, value: String)]

  init(_ text: String) {
    pairs = CellList.elements(text).compactMap(CellList.setting).map {
      ($0.name, String($0.value.drop { $0 == " " }))
    }
  }

  /// `add-file arrival once 400, cores 2`
  var words: String {
    let names = Self.words(pairs.map(\.path))
    return zip(names, pairs).map { "\($0) \($1.value)" }.joined(separator: ", ")
  }

  /// The paths, in the order of the first run, that all runs change, and not to the same value.
  static func variedPaths<Value: Hashable>(_ runs: [[(path: String, value: Value)]]) -> [String] {
    (runs.first ?? []).map(\.path).filter { path in
      let values = runs.map { pairs in pairs.first { $0.path == path }?.value }
      return !values.contains(nil) && Set(values).count > 1
    }
  }

  /// The number with which a value begins, and its unit; nil if it begins with none.
  static func number(_ value: String) -> (value: Double, unit: Substring)? {
    let digits = value.prefix { "-.0123456789".contains($0) }
    return InputNumber.real(digits).map { ($0, value[digits.endIndex...]) }
  }

  /// Whether two results, with the changes of their rows, differ in one changed value: they are compared because of that value.
  static func isOne(between base: Set<String>, and new: Set<String>) -> Bool {
    base.count == 1 && new.count == 1 && base != new
  }

  /// Paths in words, `cores` for `machine.cores`: without their first key, unless two were the same then. The second key of
  /// `costs.all` is only a name.
  static func words(_ paths: [String]) -> [String] {
    let short = paths.map { path in
      let keys = path.split(separator: ".")
      if keys.count == 2, keys[0] == "costs" { return "\(keys[1]) costs" }
      return (keys.count > 1 ? keys.dropFirst() : keys[...]).joined(separator: " ")
    }
    return Set(short).count == short.count ? short : paths
  }
}
