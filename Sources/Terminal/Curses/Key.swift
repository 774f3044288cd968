/// A key that somebody pressed, or what a terminal tells in the same way.
public enum Key: Hashable, Sendable {
  case character(Unicode.Scalar)
  case up, down, left, right, enter, escape, tab, backspace, other
  case resized
  /// The process was stopped (Ctrl-Z) and goes on.
  case resumed
  /// The terminal is gone.
  case hungUp
}
