/// Where a value comes from: a place in the file, or a flag that set it.
enum Origin: Hashable, Sendable {
  case file(Position)
  /// A key that an override added.
  case path(Override)
  /// A value that an override gave.
  case value(Override)

  /// Whether a fault here is reported rather than one at `other`: the file's order, then flags.
  func precedes(_ other: Origin) -> Bool {
    switch (self, other) {
    case (.file(let place), .file(let later)): place < later
    case (.file, _): true
    default: false
    }
  }
}
