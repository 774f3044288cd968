internal import FrameBudgetParsing

/// The values of `--set` and `--vary` that a run had, from the text of its column: `PATH=VALUE;PATH=VALUE`.
struct ChangedValues {
  let pairs: [(path: String, value: String)]

  init(_ text: String) {
    pairs = text.split(separator: ";").compactMap { change in
      let parts = change.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { return nil }
      return (String(parts[0]), parts[1].trimmingPrefix { $0 == " " }.description)
    }
  }

  /// `add-file arrival once 400, cores 2`
  var words: String {
    let names = Self.words(pairs.map(\.path))
    return zip(names, pairs).map { "\($0) \($1.value)" }.joined(separator: ", ")
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

  /// Paths in words, `cores` for `machine.cores`: without their first key, unless two were the same then.
  static func words(_ paths: [String]) -> [String] {
    let short = paths.map { path in
      let keys = path.split(separator: ".")
      return (keys.count > 1 ? keys.dropFirst() : keys[...]).joined(separator: " ")
    }
    return Set(short).count == short.count ? short : paths
  }
}
