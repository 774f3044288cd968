internal import FrameBudget
internal import Scenarios

/// Options of strategies that `--strategy` names, as far as `--set` and `--vary` say them: `strategies.NAME.OPTION`.
///
/// Without `--strategy` such a path leads into the scenario's own list.
struct ChosenOptions {
  private let options: [(strategy: Substring, option: Substring, change: Override)]

  init(_ changes: [Override], isChosen: Bool) {
    options = isChosen ? changes.compactMap(Self.option) : []
  }

  /// Whether `change` is one of them, and not one of the scenario.
  func holds(_ change: Override) -> Bool { options.contains { $0.change == change } }

  /// The list of `--strategy` with these options in place of its own.
  func applied(to list: String) throws(ToolError) -> String {
    var entries = list.split(separator: ",", omittingEmptySubsequences: false).map(Entry.init)
    for (strategy, option, change) in options {
      let places = entries.indices.filter { entries[$0].name == strategy }
      guard !places.isEmpty else {
        throw ToolError(
          .usage,
          "\(change.path): --strategy does not name \(strategy); allowed are those that it names")
      }
      for place in places { entries[place].set(option, to: change.value) }
    }
    return entries.map(\.text).joined(separator: ",")
  }

  private static func option(
    _ change: Override
  ) -> (strategy: Substring, option: Substring, change: Override)? {
    let parts = change.path.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0] == "strategies", StrategyCatalog.named(String(parts[1])) != nil
    else { return nil }
    return (parts[1], parts[2], change)
  }

  /// `NAME:KEY=VALUE…`
  private struct Entry {
    let name: Substring
    private var options: [Substring]

    init(_ text: Substring) {
      let parts = text.split(separator: ":", omittingEmptySubsequences: false)
      name = Substring(parts[0].drop { $0 == " " })
      options = Array(parts.dropFirst())
    }

    var text: String { ([name] + options).joined(separator: ":") }

    mutating func set(_ option: Substring, to value: String) {
      options.removeAll { $0.hasPrefix("\(option)=") }
      options.append("\(option)=\(value)")
    }
  }
}
