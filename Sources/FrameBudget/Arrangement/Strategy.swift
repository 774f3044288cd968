/// An arrangement with the name and options under which it stands in results.
public struct Strategy: Hashable, Sendable {
  public let name: String
  /// What was asked for beyond the defaults: `batch=500;interval=2 s`.
  public let options: String
  public let arrangement: Arrangement

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
