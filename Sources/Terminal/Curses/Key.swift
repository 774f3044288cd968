/// A key that somebody pressed, or what a terminal tells in the same way.
public enum Key: Hashable, Sendable {
  case character(Unicode.Scalar)
  case up, down, left, right, enter, escape, tab, backspace, other
  case pageUp, pageDown
  /// The mouse's first button, on a cell of the screen.
  case click(column: Int, row: Int)
  case wheelUp, wheelDown
  case resized
  /// The process was stopped (Ctrl-Z) and goes on.
  case resumed
  /// The terminal is gone.
  case hungUp
}
