internal import FrameBudget
internal import FrameBudgetReports

/// What a page tried beyond its work, and the answer that it got without a user.
struct PageAttempts {
  enum Kind: CaseIterable {
    case dialog, download, window, permission, file

    /// The note about `count` attempts.
    fileprivate func words(_ count: Int) -> String {
      switch self {
      case .dialog: "answered \(English.count(count, "dialog"))"
      case .download: "denied \(English.count(count, "download"))"
      case .window: "denied \(English.count(count, "new window"))"
      case .permission: "denied \(English.count(count, "permission"))"
      case .file: "denied \(English.count(count, "file")) outside the page's folder"
      }
    }

    fileprivate var remedy: String {
      self == .file ? "; --any-address allows it" : ""
    }
  }

  private struct Attempts {
    var count = 0
    var examples: [String] = []
  }

  private var attempts: [Kind: Attempts] = [:]

  /// A page can make endless attempts; so few are kept, and short.
  private static let examples = 3
  private static let length = 80

  mutating func add(_ kind: Kind, _ text: String) {
    attempts[kind, default: Attempts()].count += 1
    let example = String(text.prefix(Self.length))
    guard let known = attempts[kind]?.examples, known.count < Self.examples,
      !known.contains(example)
    else { return }
    attempts[kind]?.examples.append(example)
  }

  /// One line for each kind, such as `denied 2 downloads: http://…/file`.
  var notes: [String] {
    Kind.allCases.compactMap { kind in
      guard let found = attempts[kind] else { return nil }
      let more = found.count > found.examples.count ? ", …" : ""
      return kind.words(found.count) + ": " + found.examples.joined(separator: ", ") + more
        + kind.remedy
    }
  }
}
