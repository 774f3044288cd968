/// What happens when code that belongs to a scheduler runs elsewhere.
public enum WrongThreadCheck: Sendable, CaseIterable {
  /// Nothing is checked.
  case off
  /// Each call site is reported once, and the code runs on: for a release whose crashes hurt more than its races.
  case report
  /// The process stops at the first one: the default.
  case trap
}
