/// What stands in a cell, for whoever clicks on it.
public enum Target: Hashable, Sendable {
  /// A strategy, by its place in the list; in the bar, in the list, and the box before it there.
  case strategy(Int)
  case listed(Int)
  case tick(Int)
  /// One of several strategies side by side.
  case pane(Int)
  /// A vsync, by how many lie between it and the newest.
  case vsync(back: Int)
}
