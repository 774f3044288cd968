/// A rule that assigns a role to slices by their names.
public struct NameRule {
  /// The role of a slice.
  public enum Target: Hashable, Sendable {
    /// A service; arrangements may move it.
    case service(String)
    /// The work of a workload with this name; it stays on the main thread.
    case workload(String)
    /// Drawing.
    case render
    /// No role: its time counts for the enclosing slice.
    case ignore

    var service: String? { if case .service(let name) = self { name } else { nil } }
  }

  /// Whether the rule applies to slices with this name.
  public var matches: (String) -> Bool
  public var target: Target
  /// Whether a service stays the platform's own if the platform uses the names of all its slices. Otherwise it is the app's.
  public var keepsOwner: Bool

  public init(
    _ target: Target, keepsOwner: Bool = false, matches: @escaping (String) -> Bool
  ) {
    self.keepsOwner = keepsOwner
    self.target = target
    self.matches = matches
  }
}

/// Turns the names of slices into names of services.
enum SliceName {
  /// The name without digits and hexadecimal numbers, so that `layout 12` and `layout 13` are the same service. A folded name
  /// stays as it is.
  static func folded(_ name: String) -> String {
    var result = ""
    for word in name.split(separator: /[^A-Za-z0-9]+/) {
      let kept = kept(of: word)
      guard !kept.isEmpty else { continue }
      result += result.isEmpty ? kept : "-" + kept
    }
    var short = (result.isEmpty ? "slice" : result).prefix(longest)
    if short.count < result.count {
      // Folding a name again would drop digits at its end, so they are dropped now.
      while let last = short.last, last == "-" || last.isNumber { short.removeLast() }
    }
    return String(short)
  }

  private static let longest = 40

  private static func kept(of word: Substring) -> String {
    if hasDigits.contains(word.lowercased()) { return String(word) }
    let digits = word.hasPrefix("0x") ? word.dropFirst(2) : word
    let isNumber = digits.allSatisfy(\.isHexDigit) && word.contains(where: \.isNumber)
    return isNumber ? "" : word.filter { !$0.isNumber }
  }

  /// Words in which the digits are part of the name.
  private static let hasDigits: Set = ["v8", "utf8", "sha256", "sha1", "md5", "h264", "mp3", "mp4"]

  /// Whether the name is one that a loop gives to every task, so that it does not say what the task does.
  static func isGeneric(_ name: String) -> Bool {
    generic.contains(name) || name.hasSuffix("::RunTask") || name.hasPrefix("Choreographer#doFrame")
  }

  private static let generic: Set = [
    "RunTask", "Task", "ThreadPool_RunTask", "v8.callFunction", "Animator::BeginFrame", "Frame",
    "BeginFrame", "Looper.dispatch",
  ]
}
