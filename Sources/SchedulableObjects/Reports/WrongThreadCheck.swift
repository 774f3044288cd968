/// What happens when code that belongs to a scheduler runs elsewhere.
public enum WrongThreadCheck: Sendable, CaseIterable {
  /// Nothing is checked.
  case off
  /// Each call site is reported once, and the code continues: for releases in which a crash is worse than a race.
  case report
  /// The process stops at the first violation; the default.
  case trap
}
