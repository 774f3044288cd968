/// An arrangement with the name and options under which it stands in results.
public struct Strategy: Hashable, Sendable {
  /// As files, flags and tables name it.
  public let name: String
  /// What was asked for beyond the defaults: `batch=500;interval=2 s`.
  public let options: String
  /// What runs where.
  public let arrangement: Arrangement

  /// - Parameters:
  ///   - name: as files, flags and tables name it.
  ///   - options: those that are not at their defaults, as they are written.
  ///   - arrangement: what runs where.
  public init(name: String, options: String = "", arrangement: Arrangement) {
    self.name = name
    self.options = options
    self.arrangement = arrangement
  }

  /// Name and options as `--strategy` takes them: `throttled:batch=500:interval=2 s`.
  public var label: String {
    options.isEmpty ? name : "\(name):\(options.replacing(";", with: ":"))"
  }
}

extension String {
  fileprivate func replacing(_ old: Character, with new: Character) -> String {
    String(map { $0 == old ? new : $0 })
  }
}
