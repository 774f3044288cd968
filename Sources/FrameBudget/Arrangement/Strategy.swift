/// An arrangement with the name and options under which it stands in results.
public struct Strategy: Hashable, Sendable {
  /// As files, flags and tables name it.
  public let name: String
  /// What was asked for beyond the defaults: `batch=500;interval=2 s`.
  public let options: String
  /// What runs where.
  public let arrangement: Arrangement
  /// Whether `advise` wrote it into its scenario: of those the first that is smooth is recommended.
  public let isAdvised: Bool

  /// - Parameters:
  ///   - name: as files, flags and tables name it.
  ///   - options: those that are not at their defaults, as they are written.
  ///   - arrangement: what runs where.
  ///   - isAdvised: whether `advise` wrote it into its scenario.
  public init(
    name: String, options: String = "", arrangement: Arrangement, isAdvised: Bool = false
  ) {
    self.name = name
    self.options = options
    self.arrangement = arrangement
    self.isAdvised = isAdvised
  }

  /// Name and options as `--strategy` takes them: `throttled:batch=500:interval=2 s`.
  public var label: String { Self.label(name, options) }

  /// The label of a strategy called `name` that was given `options` as results have them.
  public static func label(_ name: String, _ options: String) -> String {
    options.isEmpty ? name : "\(name):\(String(options.map { $0 == ";" ? ":" : $0 }))"
  }
}
