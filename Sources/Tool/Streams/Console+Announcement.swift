internal import FrameBudget
internal import Reports

extension Console {
  /// Says beforehand how long something takes in real time, where that is long: `2 runs in real time: about 21 s`.
  func announce(_ what: String, _ bound: String, _ length: TimeSpan) {
    guard length >= .seconds(5) else { return }
    note("\(what) in real time: \(bound) \(Figure.span(milliseconds: length.inMilliseconds))")
  }
}
