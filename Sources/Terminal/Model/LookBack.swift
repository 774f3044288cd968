/// A moment before the newest that somebody looks at: the picture stands still, while the run goes on.
struct LookBack: Hashable, Sendable {
  /// Vsyncs between the newest and the last one shown.
  var back = 0
  /// Vsyncs between the newest and the one that is inspected.
  var inspected: Int?

  /// Lets so many vsyncs more have passed.
  mutating func pass(_ vsyncs: Int) {
    back += vsyncs
    inspected = inspected.map { $0 + vsyncs }
  }

  /// Keeps what is inspected within so many vsyncs that are shown.
  func showing(_ vsyncs: Int) -> LookBack {
    guard let inspected else { return self }
    let back = min(max(back, inspected - vsyncs + 1), inspected)
    return LookBack(back: max(0, back), inspected: inspected)
  }
}

/// Whose the mouse is.
public enum Pointer: Hashable, Sendable {
  /// The terminal tells of none.
  case absent
  /// The view's: clicks select and inspect.
  case taken
  /// The terminal's: it selects text.
  case left
}
