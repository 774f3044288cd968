import FrameBudget

// Names, texts and choices.

extension ScalarReader<Bool> {
  static var flag: Self {
    ScalarReader("true or false") { text throws(Quantity.Failure) in
      switch text {
      case "true", "on": return true
      case "false", "off": return false
      default: throw Quantity.Failure("is neither; allowed are true or false")
      }
    }
  }
}

extension ScalarReader<String> {
  /// What may also stand on a command line and in a path: a name has neither spaces nor `.,:;=`.
  static var name: Self {
    ScalarReader("a name") { text throws(Quantity.Failure) in
      let isAllowed = text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
      guard isAllowed, !text.isEmpty, text.count <= Limits.nameLength else {
        throw Quantity.Failure(
          "is not a name; allowed are up to \(Limits.nameLength) letters, digits, - and _")
      }
      return text
    }
  }
  /// What a thing is called in a sentence, where a number stands before it.
  static var noun: Self {
    ScalarReader("a noun such as photo") { text throws(Quantity.Failure) in
      let words = text.split(separator: " ", omittingEmptySubsequences: false)
      let isAllowed = words.allSatisfy { word in
        !word.isEmpty && word.allSatisfy { $0.isLetter || $0 == "-" }
      }
      guard isAllowed, text.count <= Limits.nameLength else {
        throw Quantity.Failure(
          "is no noun; allowed are words of letters and -, up to \(Limits.nameLength) characters")
      }
      return text
    }
  }
  static var text: Self {
    ScalarReader("a text") { text throws(Quantity.Failure) in
      guard !text.unicodeScalars.contains(where: { $0.isControl && $0 != "\n" }) else {
        throw Quantity.Failure("has control characters; allowed are printable ones")
      }
      return text
    }
  }
}

extension ScalarReader {
  static func choice(_ what: String) -> Self
  where Value: RawRepresentable<String> & CaseIterable {
    let names = Value.allCases.map(\.rawValue)
    return ScalarReader("\(what): \(names.joined(separator: ", "))") {
      text throws(Quantity.Failure) in
      guard let value = Value(rawValue: text) else {
        throw Quantity.Failure("is not \(what)\(Spelling.suggestion(for: text, among: names))")
      }
      return value
    }
  }
}
