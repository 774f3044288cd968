import FrameBudget

/// Parses the text of a single value.
struct ScalarReader<Value> {
  /// The allowed values, in words that fit after `allowed: `.
  let allowed: String
  let read: (String) throws(Quantity.Failure) -> Value

  init(_ allowed: String, read: @escaping (String) throws(Quantity.Failure) -> Value) {
    self.allowed = allowed
    self.read = read
  }

  /// The value of `node`; records a fault if it is invalid.
  func value(of node: SourceNode, _ faults: Faults) -> Value? {
    guard let text = node.text else {
      faults.record("this is \(node.kind); allowed: \(allowed)", at: node.origin)
      return nil
    }
    do throws(Quantity.Failure) {
      return try read(text)
    } catch {
      faults.record("\(text.quoted) \(error.reason)", at: node.origin)
      return nil
    }
  }

  /// Like `value`, with `failure` if `isAllowed` returns false.
  func checked(
    _ failure: String, _ isAllowed: @escaping (Value) -> Bool
  ) -> ScalarReader {
    ScalarReader(allowed) { text throws(Quantity.Failure) in
      let value = try read(text)
      guard isAllowed(value) else { throw Quantity.Failure(failure) }
      return value
    }
  }
}

// Times, rates, sizes and numbers. `Quantity` reads values with units.

extension ScalarReader<TimeSpan> {
  static var duration: Self {
    ScalarReader("a duration such as 2.6 ms") { text throws(Quantity.Failure) in
      try Quantity.timeSpan(text)
    }
  }
  /// A span that must not be zero.
  static var positiveDuration: Self {
    duration.checked("is zero; allowed: durations above 0 s") { $0 > .zero }
  }
}

extension ScalarReader<RefreshRate> {
  static var refreshRate: Self {
    ScalarReader("a rate such as 60 Hz") { text throws(Quantity.Failure) in
      try Quantity.refreshRate(text)
    }
  }
}

extension ScalarReader<Double> {
  static var itemsPerSecond: Self {
    ScalarReader("a rate such as 30/s") { text throws(Quantity.Failure) in
      try Quantity.itemsPerSecond(text)
    }
  }
  static var number: Self {
    ScalarReader("a number such as 0.5") { text throws(Quantity.Failure) in
      guard let micro = Decimal.units(text, places: 6) else {
        throw Quantity.Failure("is not a number; allowed: numbers with up to six decimals")
      }
      return Double(micro) / 1e6
    }
  }
  static var share: Self {
    number.checked("is out of range; allowed: numbers from 0 to 1") { (0...1).contains($0) }
  }
  static var speedup: Self { factor(in: Arrangement.speedups) }
  static var costFactor: Self { factor(in: Scenario.costFactors) }
  private static func factor(in range: ClosedRange<Double>) -> Self {
    let ends = [range.lowerBound, range.upperBound].map { Decimal.text($0, places: 3) }
    return number.checked(
      "is out of range; allowed: numbers from \(ends[0]) to \(ends[1])", range.contains)
  }
}

extension ScalarReader<Int> {
  static var bytes: Self {
    ScalarReader("a size such as 1 MB") { text throws(Quantity.Failure) in
      try Quantity.bytes(text)
    }
  }
  static func wholeNumber(in range: ClosedRange<Int>) -> Self {
    let allowed = "a whole number from \(range.lowerBound) to \(range.upperBound)"
    return ScalarReader(allowed) { text throws(Quantity.Failure) in
      guard let value = Decimal.units(text, places: 0) else {
        throw Quantity.Failure("is not a whole number; allowed: \(allowed)")
      }
      guard range.contains(Int(value)) else {
        throw Quantity.Failure("is out of range; allowed: \(allowed)")
      }
      return Int(value)
    }
  }
  /// A speed in thousandths of a full core.
  static var speed: Self {
    ScalarReader("a speed such as 0.5") { text throws(Quantity.Failure) in
      guard let speed = Decimal.units(text, places: 3), Limits.speed.contains(speed) else {
        throw Quantity.Failure("is not a core's speed; allowed: numbers from 0.001 to 100")
      }
      return Int(speed)
    }
  }
  static var records: Self {
    ScalarReader("a size such as 20000 records") { text throws(Quantity.Failure) in
      let parts = text.split(separator: " ", omittingEmptySubsequences: true)
      guard parts.count == 2, parts[1] == "records" else {
        throw Quantity.Failure("is not a size in records; allowed: a size such as 20000 records")
      }
      return try wholeNumber(in: 0...Limits.records).read(String(parts[0]))
    }
  }
}

extension ScalarReader<UInt64> {
  static var seed: Self {
    let allowed = "a whole number from 0 to \(UInt64.max)"
    return ScalarReader(allowed) { text throws(Quantity.Failure) in
      guard text.utf8.allSatisfy({ $0 >= 48 && $0 <= 57 }), let seed = UInt64(text) else {
        throw Quantity.Failure("is not a seed; allowed: \(allowed)")
      }
      return seed
    }
  }
}

// Names, texts and choices.

extension ScalarReader<Bool> {
  static var flag: Self {
    ScalarReader("true or false") { text throws(Quantity.Failure) in
      switch text {
      case "true", "on": return true
      case "false", "off": return false
      default: throw Quantity.Failure("is neither; allowed: true or false")
      }
    }
  }
}

extension ScalarReader<String> {
  /// Names are also used on command lines and in paths: they have neither spaces nor `.,:;=`.
  static var name: Self {
    ScalarReader("a name") { text throws(Quantity.Failure) in
      let isAllowed = text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
      guard isAllowed, !text.isEmpty, text.count <= Limits.nameLength else {
        throw Quantity.Failure(
          "is not a name; allowed: up to \(Limits.nameLength) letters, digits, - and _")
      }
      return text
    }
  }
  /// A noun in the singular, used in sentences after a number.
  static var noun: Self {
    ScalarReader("a noun such as photo") { text throws(Quantity.Failure) in
      let words = text.split(separator: " ", omittingEmptySubsequences: false)
      let isAllowed = words.allSatisfy { word in
        !word.isEmpty && word.allSatisfy { $0.isLetter || $0 == "-" }
      }
      guard isAllowed, text.count <= Limits.nameLength else {
        throw Quantity.Failure(
          "is not a noun; allowed: words of letters and -, up to \(Limits.nameLength) characters"
        )
      }
      return text
    }
  }
  static var text: Self {
    ScalarReader("a text") { text throws(Quantity.Failure) in
      guard !text.unicodeScalars.contains(where: { $0.isControl && $0 != "\n" }) else {
        throw Quantity.Failure("has control characters; allowed: printable ones")
      }
      return text
    }
  }
}

extension ScalarReader {
  /// `alsoKnown` are the names that people use elsewhere for some of the choices.
  static func choice(_ what: String, alsoKnown: [String: Value] = [:]) -> Self
  where Value: RawRepresentable<String> & CaseIterable {
    let names = Value.allCases.map(\.rawValue)
    return ScalarReader("\(what): \(names.joined(separator: ", "))") {
      text throws(Quantity.Failure) in
      guard let value = Value(rawValue: text) else {
        let other = alsoKnown[text.lowercased()].map { "; did you mean '\($0.rawValue)'?" }
        let hint = other ?? Spelling.suggestion(for: text, among: names)
        throw Quantity.Failure("is not \(what)\(hint)")
      }
      return value
    }
  }
}
