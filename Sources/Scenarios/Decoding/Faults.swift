/// Keeps the first fault in the order of the file, whatever the order in which decoding meets them.
final class Faults {
  private(set) var first: (message: String, origin: Origin)?

  func record(_ message: String, at origin: Origin) {
    if let first, !origin.precedes(first.origin) { return }
    first = (message, origin)
  }

  /// Throws the first fault, if there is any, as an error about `source`.
  func check(in source: SourceText) throws(ScenarioError) {
    guard let first else { return }
    switch first.origin {
    case .file(let position): throw source.error(first.message, at: position)
    case .path(let override): throw ScenarioError(first.message, at: override.pathPlace)
    case .value(let override): throw ScenarioError(first.message, at: override.valuePlace)
    }
  }
}
