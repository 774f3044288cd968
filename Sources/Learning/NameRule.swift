/// What slices of some names are to be taken for.
public struct NameRule {
  /// What a slice stands for.
  public enum Target: Hashable, Sendable {
    /// A service, which arrangements may move.
    case service(String)
    /// The work of items of a workload of this name, which arrangements leave on the main thread.
    case workload(String)
    /// Drawing.
    case render
    /// Nothing: its time is that of whatever encloses it.
    case ignore

    var service: String? { if case .service(let name) = self { name } else { nil } }
  }

  /// Whether a slice of that name is meant.
  public var matches: (String) -> Bool
  public var target: Target

  public init(_ target: Target, matches: @escaping (String) -> Bool) {
    self.target = target
    self.matches = matches
  }
}

/// Names of slices as services have them.
enum SliceName {
  /// The name with digits and hexadecimal numbers folded, so that `layout 12` and `layout 13` are one.
  static func folded(_ name: String) -> String {
    var result = ""
    for word in name.split(separator: /[^A-Za-z0-9]+/) {
      let kept = kept(of: word)
      guard !kept.isEmpty else { continue }
      result += result.isEmpty ? kept : "-" + kept
    }
    return String((result.isEmpty ? "slice" : result).prefix(40))
  }

  private static func kept(of word: Substring) -> String {
    if hasDigits.contains(word.lowercased()) { return String(word) }
    let digits = word.hasPrefix("0x") ? word.dropFirst(2) : word
    let isNumber = digits.allSatisfy(\.isHexDigit) && word.contains(where: \.isNumber)
    return isNumber ? "" : word.filter { !$0.isNumber }
  }

  /// Words of which the digit is a part, and numbers nothing.
  private static let hasDigits: Set = ["v8", "utf8", "sha256", "sha1", "md5", "h264", "mp3", "mp4"]

  /// What loops call a task whatever it does: no name for what it does.
  static func isGeneric(_ name: String) -> Bool {
    generic.contains(name) || name.hasSuffix("::RunTask") || name.hasPrefix("Choreographer#doFrame")
  }

  private static let generic: Set = [
    "RunTask", "Task", "ThreadPool_RunTask", "v8.callFunction", "Animator::BeginFrame", "Frame",
    "BeginFrame", "Looper.dispatch",
  ]
}
