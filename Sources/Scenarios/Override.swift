/// A value that replaces one of the file, or stands where the file has none: `--set PATH=VALUE`.
///
/// The path names keys from the top, separated by dots. An item of a list goes by its `name` (an
/// arrangement by its `as`) or by its place from 0: `workloads.tap.priority`, `ui.reads.0.cpu`.
public struct Override: Hashable, Sendable {
  public let path: String
  public let value: String
  /// The flag that gave it, as errors name it: by default `--set PATH=VALUE`.
  let flag: String?

  /// `flag` is for flags of another name that set one value: `--duration 5 s` sets `duration`.
  public init(path: String, value: String, flag: String? = nil) {
    self.path = path
    self.value = value
    self.flag = flag
  }

  public init(parsing text: String) throws(ScenarioError) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].split(separator: ".").isEmpty else {
      throw ScenarioError(
        "\(text.quoted) is not a change; allowed is PATH=VALUE, such as display.refresh=120 Hz",
        at: .flag("--set"))
    }
    self.init(path: String(parts[0]), value: String(parts[1]))
  }

  var segments: ArraySlice<String> {
    path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)[...]
  }

  /// How an error about the path names it.
  var pathPlace: ScenarioError.Place { .flag(flag ?? "--set \(path)") }
  /// How an error about the value names it.
  var valuePlace: ScenarioError.Place { .flag(flag ?? "--set \(path)=\(value)") }
}
