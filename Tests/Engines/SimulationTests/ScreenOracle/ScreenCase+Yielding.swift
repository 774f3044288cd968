import FrameBudget

extension ScreenCase {
  /// The setting in the terms of an arrangement; the work of a frame loop is never cut.
  var yielding: Yielding? {
    guard loop != .frame, let yield else { return nil }
    return Yielding(
      yield.every.map { .after(TimeSpan(nanoseconds: $0)) } ?? .step,
      resumes: yield.resumesFirst ? .first : .inTurn)
  }
}
