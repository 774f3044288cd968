import FrameBudget

extension ScreenCase {
  /// As an arrangement has it; what a frame loop does is never cut.
  var yielding: Yielding? {
    guard loop != .frame, let yield else { return nil }
    return Yielding(
      yield.every.map { .after(TimeSpan(nanoseconds: $0)) } ?? .step,
      resumes: yield.resumesFirst ? .first : .inTurn)
  }
}
