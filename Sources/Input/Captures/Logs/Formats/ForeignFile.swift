import FrameBudgetParsing

/// Files that people take for recordings of frames, with what to do instead.
enum ForeignFile: CaseIterable {
  case gecko, lighthouse

  var error: InputError {
    let remedy = "'framebudget record chrome PAGE -o DIR' records a page"
    return switch self {
    case .gecko: InputError("is a profile of Firefox, which is not read yet; \(remedy) in Chromium")
    case .lighthouse: InputError("is a report of Lighthouse, which has no frames; \(remedy)")
    }
  }

  /// Reads a member `meta`; throws if it is that of a profile of Firefox (processed profile format, version 48).
  static func requireNoProfile(_ reader: inout JSONReader) throws(InputError) {
    guard try reader.kind() == .object else { return try reader.skip() }
    try reader.object { (reader, key) throws(InputError) in
      if key == "preprocessedProfileVersion" { throw gecko.error }
      try reader.skip()
    }
  }
}
